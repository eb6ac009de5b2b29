import { randomUUID } from 'node:crypto';
import type pg from 'pg';

type Row = Record<string, unknown>;

/** Rows of one confirmed order, as the product wrote them. */
export type Sample = { order: Row; hold: Row; lines: Row[]; tickets: Row[] };

/**
 * What a checkout leaves behind, written by one transaction through the plain driver: look at the places under
 * a lock, take them, write hold, order, lines and tickets. No HTTP, no checks, no prices, no signatures.
 */
export async function bookByConversation(pool: pg.Pool, sample: Sample, sailing: string): Promise<void> {
  const client = await pool.connect();
  const id = () => `plain_${randomUUID()}`;
  const [holdId, orderId] = [id(), id()];
  try {
    await client.query('begin');
    const { rows } = await client.query<{ left: number }>(
      `select sellable_online - held - sold as left from sailing_capacity
       where sailing_id = $1 and resource = 'passenger' for update`,
      [sailing],
    );
    if ((rows[0]?.left ?? 0) < 1) throw new Error('The boat is full.');
    await client.query(
      `update sailing_capacity set sold = sold + 1 where sailing_id = $1 and resource = 'passenger'`,
      [sailing],
    );
    await insert(client, 'holds', { ...sample.hold, id: holdId });
    await insert(client, 'hold_items', {
      hold_id: holdId,
      sailing_id: sailing,
      resource: 'passenger',
      amount: 1,
    });
    await insert(client, 'orders', {
      ...sample.order,
      id: orderId,
      reference: orderId.slice(-12),
      hold_id: holdId,
    });
    for (const line of sample.lines) {
      const lineId = id();
      await insert(client, 'order_lines', { ...line, id: lineId, order_id: orderId, sailing_id: sailing });
      if (line.kind !== 'passenger') continue;
      await insert(client, 'line_capacity', {
        line_id: lineId,
        sailing_id: sailing,
        resource: 'passenger',
        amount: 1,
      });
      for (const ticket of sample.tickets) {
        await insert(client, 'tickets', {
          ...ticket,
          id: id(),
          order_id: orderId,
          line_id: lineId,
          sailing_id: sailing,
          boarding_code: orderId.slice(-12),
        });
      }
    }
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

async function insert(client: pg.PoolClient, table: string, row: Row): Promise<void> {
  const columns = Object.keys(row);
  const values = Object.values(row).map((value) =>
    typeof value === 'object' && value !== null && !(value instanceof Date) ? JSON.stringify(value) : value,
  );
  await client.query(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
    values,
  );
}
