import { type SQL, sql } from 'drizzle-orm';
import { bookSaleStatement } from '../accounting/book-order.ts';
import { sellHeldPlaces } from '../capacity/places.ts';
import type { Context } from '../context.ts';
import { type Database, queryRows } from '../database/database.ts';
import type { OrderRow, TicketRow } from '../database/schema/sales.ts';
import type { sailings } from '../database/schema/timetable.ts';
import { orderMailStatement } from '../mail/order-mails.ts';
import { assertRedeemed, redemptionOf } from './promo.ts';
import type { OrderRecord } from './queries.ts';
import { issueTickets, type SoldLine } from './tickets/issue-tickets.ts';

export type LineToSell = SoldLine & { sailingStatus: (typeof sailings.$inferSelect)['status'] };
type Sale = {
  /** As last read; if it has changed since, nothing happens. */
  order: OrderRow;
  /** Its active lines. */
  lines: readonly LineToSell[];
  /** `held`: by its hold, which must be active; `taken`: already sold by the transaction, after the hold expired. */
  places: 'held' | 'taken';
  /** The promo code to count a use of; null: none, or it was counted when the order was written. */
  redeems?: string | null;
};

/**
 * Confirms an order in one statement, or changes nothing: consumes its hold, sells its places, issues its tickets, books the
 * sale and queues its mail. Rows are locked order first, then hold, then capacity, then promo code. It should be the last
 * statement of its transaction: buyers of one sailing wait from here until the commit.
 * @returns null if the order has changed or its hold has expired
 * @throws {ApiError} promo_used_up
 */
export async function sellOrder(
  db: Database,
  context: Pick<Context, 'clock' | 'ticketSigner'>,
  sale: Sale,
): Promise<{ order: OrderRow; tickets: TicketRow[] } | null> {
  const { order, lines, places, redeems = null } = sale;
  const now = context.clock.now();
  const sold = confirmedOrder(sale, now);
  const issued = issueTickets(context, { order, lines });
  const kind = places === 'held' ? 'order-confirmed' : 'order-confirmed-late';
  // Its condition makes the statement lock the places first.
  const promo = redeems === null ? null : redemptionOf(redeems, sql`(select count(*) from places) >= 0`);
  const [done] = await queryRows<{ order: string | null; redeemed: unknown[] | null }>(
    db,
    sql`
      with unsold as materialized (
        select id, hold_id from orders
        where id = ${order.id} and version = ${order.version} and status = ${order.status}
        for no key update
      ),
      hold as materialized (${places === 'held' ? CONSUME_HOLD : sql`select hold_id as id from unsold`}),
      issued as (${insertTickets(issued)}),
      confirmed as (${updateOrder(sold)}),
      mail as (${orderMailStatement(kind, sql`confirmed`, now)}),
      booked as (${bookSaleStatement(sql`confirmed`, now)})
      ${places === 'held' ? sql`, places as (${sellHeldPlaces(sql`hold`)})` : sql``}
      ${promo ? sql`, promo as (${promo})` : sql``}
      select (select id from confirmed) as order, ${promo ? sql`array(select id from promo)` : sql`null`} as redeemed
    `,
  );
  if (promo) assertRedeemed(done?.redeemed ?? []);
  return done?.order ? { order: sold, tickets: issued } : null;
}

const CONSUME_HOLD = sql`
  update holds h set status = 'consumed' from unsold where h.id = unsold.hold_id and h.status = 'active'
  returning h.id
`;

/** The active lines of an order with their sailings. */
export function linesToSell({ lines, legs }: Pick<OrderRecord, 'lines' | 'legs'>): LineToSell[] {
  return lines.flatMap((line) => {
    const sailing = legs.find(({ leg }) => leg === line.leg)?.sailing;
    return sailing ? [{ ...line, departsAt: sailing.departsAt, sailingStatus: sailing.status }] : [];
  });
}

function confirmedOrder({ order, lines, places }: Sale, now: Date): OrderRow {
  return {
    ...order,
    status: 'confirmed',
    paymentStatus: 'paid',
    paid: order.total,
    needsAttention: lines.some(({ sailingStatus }) => sailingStatus === 'canceled')
      ? 'sailing_canceled'
      : null,
    notice: places === 'held' ? null : 'paid_late',
    writtenNotice: '',
    confirmedAt: now,
    canceledAt: null,
    version: order.version + 1,
    updatedAt: now,
  };
}

function updateOrder(sold: OrderRow): SQL {
  const now = sql`${sold.updatedAt.toISOString()}::timestamptz`;
  return sql`
    update orders o set status = ${sold.status}, payment_status = ${sold.paymentStatus}, paid = ${sold.paid}::bigint,
      needs_attention = ${sold.needsAttention}::text, notice = '',
      notice_code = ${sold.notice}::text, confirmed_at = ${now},
      canceled_at = null, version = ${sold.version}::int, updated_at = ${now}
    from hold where o.id = ${sold.id}
    returning o.id, o.contact_email
  `;
}

function insertTickets(tickets: readonly TicketRow[]): SQL {
  return sql`
    insert into tickets (
      id, order_id, line_id, sailing_id, leg, kind, party_index, party_size, boarding_code, status,
      payload, key_id, version, issued_at
    )
    select t.id, t."orderId", t."lineId", t."sailingId", t.leg, t.kind, t."partyIndex", t."partySize",
      t."boardingCode", t.status, t.payload, t."keyId", t.version, t."issuedAt"
    from hold, jsonb_to_recordset(${JSON.stringify(tickets)}::jsonb) as t (
      id text, "orderId" text, "lineId" text, "sailingId" text, leg text, kind text,
      "partyIndex" int, "partySize" int, "boardingCode" text, status text, payload text, "keyId" text,
      version int, "issuedAt" timestamptz
    )
  `;
}
