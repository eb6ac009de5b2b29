import type pg from 'pg';
import { createReference } from '#domain/orders/reference.ts';
import { newId } from '#server/core/ids.ts';
import { createTicketSigner } from '#tests/factories/gate-codes.ts';
import { seeded } from './seeded.ts';

/** A ticket of the boat that is boarded, with its signed code, and its party as a search finds it. */
export type SoldTicket = { code: string; name: string; reference: string };

const PARTY = 3;
const BATCH = 500;
/** Random letters, because repeated names would be compressed to nothing. */
const LETTERS = 'abcdefghijklmnoprstuvyz';

type Rows = Record<'orders' | 'order_lines' | 'tickets', Record<string, unknown>[]>;

/**
 * Sells random tickets for the boats of a port: `aboard` of them for its next boat, the others spread over the later ones.
 * They are copies of an order of the demo, signed with a key of their own.
 * @returns the tickets of the next boat
 */
export async function sellGateTickets(
  pool: pg.Pool,
  { port, count, aboard }: { port: string; count: number; aboard: number },
): Promise<SoldTicket[]> {
  const random = seeded(42);
  const pick = (below: number) => Math.floor(random() * below);
  const word = (length: number) =>
    Array.from({ length }, () => LETTERS.charAt(pick(LETTERS.length)))
      .join('')
      .replace(/^./, (first) => first.toUpperCase());
  const [boat = '', ...later] = await listSailings(pool, port);
  const signer = createTicketSigner('k900');
  await pool.query(
    `insert into ticket_keys (key_id, public_key, encrypted_private_key, not_before, not_after)
     values ('k900', $1, '', now(), now() + interval '2 days')`,
    [signer.key.key],
  );
  const sold: SoldTicket[] = [];
  const client = await pool.connect();
  try {
    await client.query('set session_replication_role = replica');
    for (let made = 0; made < count; ) {
      const rows: Rows = { orders: [], order_lines: [], tickets: [] };
      for (; rows.tickets.length < BATCH && made < count; made += PARTY) {
        const sailing = made < aboard ? boat : (later[pick(later.length)] ?? boat);
        const names = Array.from({ length: PARTY }, () => `${word(6)} ${word(8)}`);
        const [order, line] = [newId('ord'), newId('oln')];
        const reference = createReference(pick);
        rows.orders.push({
          ...{ id: order, reference, hold_id: newId('hld'), customer_id: null, traveler_names: names },
          ...{ contact_name: names[0], contact_phone: `+1206${1_000_000 + pick(9_000_000)}` },
          ...{ vehicle: null, plate: null, assistance: null, status: 'confirmed', total: 0, subtotal: 0 },
        });
        rows.order_lines.push({
          id: line,
          order_id: order,
          sailing_id: sailing,
          quantity: PARTY,
          unit_amount: 0,
          amount: 0,
          position: 0,
        });
        for (const [index, name] of names.entries()) {
          const id = newId('tkt');
          rows.tickets.push({
            ...{ id, order_id: order, line_id: line, sailing_id: sailing, kind: 'passenger' },
            ...{ party_index: index + 1, party_size: PARTY, status: 'issued' },
            boarding_code: createReference(pick, ' '),
          });
          if (sailing !== boat) continue;
          const code = signer.signTicket({ ticketId: id, sailingId: sailing, reference });
          sold.push({ code, name, reference });
        }
      }
      for (const [table, added] of Object.entries(rows)) {
        await client.query(
          `insert into ${table} select copy.* from jsonb_array_elements($1::jsonb) changes,
             lateral (select r from ${table} r join orders o on o.id = ${table === 'orders' ? 'r.id' : 'r.order_id'}
               where o.customer_id is not null and o.status = 'confirmed'
                 ${table === 'orders' ? '' : "and r.kind = 'passenger' and r.status not in ('canceled', 'replaced')"}
               order by o.id limit 1) pattern,
             lateral jsonb_populate_record(pattern.r, changes) copy`,
          [JSON.stringify(added)],
        );
      }
    }
  } finally {
    await client.query('set session_replication_role = origin');
    client.release();
  }
  await pool.query('vacuum analyze');
  return sold;
}

/** The boats that a gate of the port lists and that have not left, the next one first. */
async function listSailings(pool: pg.Pool, port: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select s.id from sailings s join routes r on r.id = s.route_id join ports p on p.id = r.origin_port_id
     where p.code = $1 and s.status = 'scheduled' and not s.withdrawn
       and s.departs_at between now() + interval '30 minutes' and now() + interval '17 hours'
     order by s.departs_at, s.id`,
    [port],
  );
  if (rows.length < 2) throw new Error('The demo timetable has too few boats.');
  return rows.map(({ id }) => id);
}
