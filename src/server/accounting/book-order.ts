import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { getSaleDifferences } from '#domain/accounting/sale-values.ts';
import { getTaxParts, splitTax, taxAllAt } from '#domain/fares/taxes.ts';
import type { Context } from '../context.ts';
import { type Database, queryRows } from '../database/database.ts';
import { type NewSaleEntry, type SaleCause, saleEntries } from '../database/schema/accounting.ts';
import { orderLines, orders, refunds } from '../database/schema/sales.ts';
import { routes, sailings } from '../database/schema/timetable.ts';
import { inTransaction } from '../database/transactions.ts';

/** Orders per run of the job. */
const BATCH = 1000;

/**
 * Books what has changed in what an order is worth since it was last booked. To be called in the transaction of every change
 * of a confirmed order's lines and of every refund beyond them, after them. Does nothing for other orders.
 */
export async function bookOrder(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { orderId, cause }: { orderId: string; cause: SaleCause },
): Promise<void> {
  const [order] = await tx
    .select({ currency: orders.currency, confirmedAt: orders.confirmedAt })
    .from(orders)
    .where(eq(orders.id, orderId));
  if (!order?.confirmedAt) return;
  const rows = await tx
    .select({ line: orderLines, route: routes.code, travelDay: sailings.serviceDate })
    .from(orderLines)
    .innerJoin(sailings, eq(sailings.id, orderLines.sailingId))
    .innerJoin(routes, eq(routes.id, sailings.routeId))
    .where(eq(orderLines.orderId, orderId))
    .orderBy(orderLines.position);
  const booked = await tx
    .select({
      lineId: sql<string>`coalesce(${saleEntries.lineId}, '')`,
      ...{ taxBp: saleEntries.taxBp, taxName: saleEntries.taxName },
      quantity: sql`sum(${saleEntries.quantity})`.mapWith(Number),
      gross: sql`sum(${saleEntries.gross})`.mapWith(Number),
      tax: sql`sum(${saleEntries.tax})`.mapWith(Number),
    })
    .from(saleEntries)
    .where(eq(saleEntries.orderId, orderId))
    .groupBy(saleEntries.lineId, saleEntries.taxBp, saleEntries.taxName);
  const shared = { orderId, cause, currency: order.currency, bookedAt: clock.now() };
  const entries: NewSaleEntry[] = getSaleDifferences(
    rows.map(({ line }) => line),
    booked,
  ).map(({ line: { id: lineId, sailingId, kind, item, typeCode }, ...difference }) => {
    const row = rows.find(({ line }) => line.id === lineId);
    const { route = '', travelDay = null } = row ?? {};
    return {
      ...{ ...shared, sailingId, route, travelDay, kind, item, typeCode },
      ...difference,
    };
  });
  const goodwillBefore = booked.filter(({ lineId }) => lineId === '');
  const goodwill = goodwillBefore.reduce(
    (left, { gross }) => left - gross,
    -(await sumGoodwill(tx, orderId)),
  );
  if (goodwill !== 0) {
    const [largest] = rows.map(({ line }) => line).toSorted((a, b) => b.amount - a.amount);
    const parts = splitTax(goodwill, largest ? getTaxParts(largest) : taxAllAt(0));
    const bookedParts = parts.filter(({ gross }) => gross !== 0);
    entries.push(
      ...bookedParts.map(({ gross, taxBp, name: taxName, tax }) => ({
        ...{ ...shared, lineId: null, sailingId: null, route: '', travelDay: null },
        ...{ kind: 'goodwill' as const, item: null, typeCode: null, quantity: 0 },
        ...{ gross, taxBp, taxName, tax },
      })),
    );
  }
  if (entries.length > 0) await tx.insert(saleEntries).values(entries);
}

/** What the operator gave back without canceling anything. A refund that repeats a failed one gives nothing more. */
async function sumGoodwill(tx: Database, orderId: string): Promise<number> {
  const [row] = await tx
    .select({ sum: sql`coalesce(sum(${refunds.amount}), 0)`.mapWith(Number) })
    .from(refunds)
    .where(and(eq(refunds.orderId, orderId), eq(refunds.reason, 'goodwill'), isNull(refunds.retryOfId)));
  return row?.sum ?? 0;
}

/**
 * The insert that books a sale, as a part of the statement that confirms the order.
 * @param confirmed a common table expression with the `id` of the confirmed order
 */
export function bookSaleStatement(confirmed: SQL, now: Date): SQL {
  return sql`
    insert into sale_entries (
      order_id, line_id, cause, sailing_id, route, travel_day, kind, item, type_code, quantity, tax_bp, tax_name,
      gross, tax, currency, booked_at
    )
    select l.order_id, l.id, 'sale', l.sailing_id, r.code, s.service_date, l.kind, l.item, l.type_code,
      case when l.kind in ('fee', 'discount') or p.part > 1 then 0 else l.quantity end,
      coalesce(p."taxBp", l.tax_bp), coalesce(p.name, ''), coalesce(p.gross, l.amount), coalesce(p.tax, l.tax),
      o.currency, ${now.toISOString()}::timestamptz
    from ${confirmed} c
    join orders o on o.id = c.id
    join order_lines l on l.order_id = c.id and l.status = 'active'
    join sailings s on s.id = l.sailing_id
    join routes r on r.id = s.route_id
    left join lateral rows from (
      jsonb_to_recordset(l.tax_parts) as ("taxBp" int, name text, gross bigint, tax bigint)
    ) with ordinality as p("taxBp", name, gross, tax, part) on true
    where p.part is null or p.part = 1 or p.gross <> 0
  `;
}

/**
 * Books the sales of orders that have no entries, which a process of an earlier release has confirmed.
 * @returns how many
 */
export async function bookMissingSales(context: Pick<Context, 'db' | 'clock'>): Promise<number> {
  const missing = await queryRows<{ id: string }>(
    context.db,
    sql`
      select o.id from orders o
      where o.status in ('confirmed', 'partly_canceled', 'completed')
        and not exists (select from sale_entries e where e.order_id = o.id)
      order by o.confirmed_at limit ${BATCH}
    `,
  );
  for (const { id: orderId } of missing) {
    await inTransaction(context.db, async (tx) => {
      await tx.select({ id: orders.id }).from(orders).where(eq(orders.id, orderId)).for('no key update');
      await bookOrder(tx, context, { orderId, cause: 'sale' });
    });
  }
  return missing.length;
}

/** Registers the job that looks for sales without entries. */
export async function registerAccountingJobs(context: Context): Promise<void> {
  await context.jobs.work('book-missing-sales', async () => {
    const booked = await bookMissingSales(context);
    if (booked > 0) context.log.warn('sales booked late', { orders: booked });
  });
  await context.jobs.schedule('book-missing-sales', '17 * * * *');
}
