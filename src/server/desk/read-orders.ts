import { asc, eq, inArray, sql } from 'drizzle-orm';
import type { BoatOrder, UnpaidOrder } from '#contract/desk/schemas.ts';
import { getPaidAmounts } from '#domain/refunds/paid-amounts.ts';
import { formatLocalTime } from '#domain/time/port-time.ts';
import type { Context } from '#server/context.ts';
import { type Database, queryRows } from '#server/database/database.ts';
import type { RebookingOfferRow } from '#server/database/schema/rebooking-offers.ts';
import { orderLines, orders } from '#server/database/schema/sales.ts';
import { translateSailing } from '#server/database/translate-sailing.ts';
import { getsMails } from '#server/mail/order-mails.ts';
import { UNPAID } from '#server/orders/unpaid.ts';
import { findReachable } from '#server/sailings/notices/notice-report.ts';
import { findTimetable } from '#server/sailings/queries.ts';
import type { NoticeContext } from '#server/sms/queue-sms.ts';

export type ReadContext = Pick<Context, 'db'> & NoticeContext;

type Row = {
  id: string;
  people: number;
  vehicles: number;
  status: RebookingOfferRow['status'] | null;
  /** Null: no places are protected. */
  protected: string[] | null;
  sailings: string[] | null;
  deadline: string | null;
  ifUnanswered: RebookingOfferRow['ifUnanswered'] | null;
  mail: BoatOrder['mail'];
};

/**
 * The paid orders with places on some sailings, and those whose passengers had them before they were moved or refunded.
 * Those that wait for an answer come first, of each kind in order of purchase.
 */
export async function readBoatOrders(
  context: ReadContext,
  { sailingIds, language }: { sailingIds: readonly string[]; language: string },
): Promise<BoatOrder[]> {
  const { db } = context;
  const rows = await readRows(db, sailingIds);
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const records = await db
    .select()
    .from(orders)
    .where(inArray(orders.id, ids))
    .orderBy(asc(orders.confirmedAt), asc(orders.id));
  const paid = await readPaid(db, rows, sailingIds);
  const offered = await findTimetable(db, [...new Set(rows.flatMap((row) => row.protected?.[0] ?? []))]);
  const boats = new Map(offered.map((sailing) => [sailing.id, translateSailing(sailing, language)]));
  const reachable = await findReachable(db, context, { kind: 'sailing-canceled', orderIds: ids });
  const rowsById = new Map(rows.map((row) => [row.id, row]));
  return records
    .flatMap((order): BoatOrder[] => {
      const row = rowsById.get(order.id);
      if (!row) return [];
      const boat = boats.get(row.protected?.[0] ?? '');
      return [
        {
          reference: order.reference,
          contact_name: order.contactName,
          phone: order.contactPhone,
          people: row.people,
          vehicles: row.vehicles,
          outcome: nameOutcome(row.status),
          offered: boat
            ? {
                departs_local: formatLocalTime(boat.departsAt.getTime(), boat.origin.timeZone),
                departs_zone: boat.origin.timeZone,
                vessel: boat.vessel.name,
              }
            : null,
          answer_by: row.status === 'open' && row.deadline ? new Date(row.deadline).toISOString() : null,
          if_unanswered: row.status === 'open' ? row.ifUnanswered : null,
          paid: paid.get(order.id) ?? 0,
          mail: row.mail,
          is_reachable: reachable.has(order.id),
        },
      ];
    })
    .toSorted((a, b) => Number(b.outcome === 'waiting') - Number(a.outcome === 'waiting'));
}

/**
 * The orders with places on some sailings that staff sold to be paid later, by the end of their holds. First those whose boat
 * was canceled before, if the buyer has to be called.
 */
export async function readUnpaidOrders(
  db: Database,
  { sailingIds, now }: { sailingIds: readonly string[]; now: Date },
): Promise<UnpaidOrder[]> {
  const rows = await queryRows<Omit<UnpaidOrder, 'total'> & { total: string | number }>(
    db,
    sql`
    select o.reference, o.contact_name, o.contact_phone as phone, o.total,
      case when h.status = 'active' then h.expires_at end as pay_until,
      coalesce(sum(l.quantity) filter (where l.kind = 'passenger'), 0)::int as people,
      coalesce(sum(l.quantity) filter (where l.kind = 'vehicle'), 0)::int as vehicles
    from holds h
    join orders o on o.hold_id = h.id
    join order_lines l on l.order_id = o.id and ${inArray(sql`l.sailing_id`, [...sailingIds])}
    where h.id in (select hold_id from hold_items where ${inArray(sql`sailing_id`, [...sailingIds])})
      and o.sold_by is not null and case
        when h.status = 'active' then h.expires_at > ${now.toISOString()}::timestamptz
          and ${inArray(sql`o.status`, [...UNPAID])}
        else o.status = 'canceled' and o.confirmed_at is null and o.notice_code = 'boat_canceled' and not ${getsMails(now)}
      end
    group by o.id, h.id
    order by pay_until nulls first, o.reference`,
  );
  return rows.map((row) => ({
    ...row,
    total: Number(row.total),
    pay_until: row.pay_until && new Date(row.pay_until).toISOString(),
  }));
}

function nameOutcome(status: RebookingOfferRow['status'] | null): BoatOrder['outcome'] {
  switch (status) {
    case null:
    case 'withdrawn':
      return 'unaffected';
    case 'open':
      return 'waiting';
    default:
      return status;
  }
}

async function readRows(db: Database, sailingIds: readonly string[]): Promise<Row[]> {
  if (sailingIds.length === 0) return [];
  return queryRows<Row>(
    db,
    sql`
    with listed as (select jsonb_array_elements_text(${JSON.stringify(sailingIds)}::jsonb) as id)
    select t.order_id as id,
      count(distinct t.party_index) filter (where t.kind = 'passenger')::int as people,
      count(distinct t.party_index) filter (where t.kind = 'vehicle')::int as vehicles,
      offer.status, offer.sailing_ids as sailings, offer.deadline, offer.if_unanswered as "ifUnanswered",
      case when offer.hold_id is not null and offer.status = 'open' then offer.protected_sailing_ids end as protected,
      (select m.status from mails m where m.order_id = t.order_id order by m.inserted_at desc limit 1) as mail
    from tickets t
    join orders o on o.id = t.order_id
    left join lateral (
      select r.* from rebooking_offers r
      where r.order_id = t.order_id and exists (select from listed where r.sailing_ids ? listed.id)
      order by r.inserted_at desc limit 1
    ) offer on true
    where t.sailing_id in (select id from listed)
      and (t.status in ('issued', 'checked_in', 'boarded', 'no_show') or offer.status in ('moved', 'refunded'))
    group by t.order_id, offer.status, offer.sailing_ids, offer.deadline, offer.if_unanswered, offer.hold_id,
      offer.protected_sailing_ids`,
  );
}

/** What was paid for the journeys of the offers, or on the sailings themselves, by order. */
async function readPaid(
  db: Database,
  rows: readonly Row[],
  sailingIds: readonly string[],
): Promise<Map<string, number>> {
  const lines = await db
    .select({
      ...{ id: orderLines.id, orderId: orderLines.orderId, sailingId: orderLines.sailingId },
      ...{ leg: orderLines.leg, kind: orderLines.kind, quantity: orderLines.quantity },
      ...{ unitAmount: orderLines.unitAmount, amount: orderLines.amount },
      ...{ taxBp: orderLines.taxBp, taxParts: orderLines.taxParts },
      currency: orders.currency,
    })
    .from(orderLines)
    .innerJoin(orders, eq(orders.id, orderLines.orderId))
    .where(
      sql`${inArray(
        orderLines.orderId,
        rows.map(({ id }) => id),
      )} and ${orderLines.status} = 'active'`,
    );
  const byOrder = Map.groupBy(lines, ({ orderId }) => orderId);
  return new Map(
    rows.map(({ id, sailings }) => {
      const own = byOrder.get(id) ?? [];
      const amounts = getPaidAmounts(own, own[0]?.currency ?? '');
      const journey = new Set([...sailingIds, ...(sailings ?? [])]);
      const paid = own
        .filter(({ sailingId }) => journey.has(sailingId))
        .flatMap((line) => amounts.get(line.id) ?? []);
      return [id, paid.reduce((sum, amount) => sum + amount, 0)];
    }),
  );
}
