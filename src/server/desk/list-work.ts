import { type SQL, sql } from 'drizzle-orm';
import type { Work, WorkItem } from '#contract/desk/schemas.ts';
import type { WorkListKind } from '#contract/desk/work-kinds.ts';
import { hasPermission } from '#contract/staff/permissions.ts';
import { formatLocalTime, getLocalDay } from '#domain/time/port-time.ts';
import type { StaffActor } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import { type Database, queryRows } from '#server/database/database.ts';
import { getOperator } from '#server/database/operator.ts';
import { translateSailing } from '#server/database/translate-sailing.ts';
import { isRefused } from '#server/mail/order-mails.ts';
import { isDoubtfulPayment, isRefundOverdue, isReturnedRefund } from '#server/orders/pay/unsettled.ts';
import { findTimetable } from '#server/sailings/queries.ts';
import { listFareWork } from './list-fare-work.ts';
import { listPayoutWork } from './list-payout-work.ts';

/** Longer lists would not be worked through. */
const LIMIT = 500;

type Row = Omit<WorkItem, 'since' | 'due'> & { since: string; due: string | null };

type WorkFilter = {
  kind?: WorkListKind | undefined;
  /** The id of a sailing of a boat. */
  boat?: string | undefined;
};

type Lists = Omit<Work, 'boats'>;

/** What needs a person, the oldest of each kind first. */
export async function listWork(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { role }: Pick<StaffActor, 'role'>,
  { kind, boat }: WorkFilter = {},
): Promise<Lists> {
  const now = clock.now();
  const isOfKind = kind === undefined ? sql`true` : sql`work.kind = ${kind}`;
  const sailingIds = boat === undefined ? null : await findSailingsOfBoat(db, boat);
  const isOnBoat =
    sailingIds === null
      ? sql`true`
      : sql`work.order_id in (select l.order_id from order_lines l where ${isBooked} and ${isOneOf(sql`l.sailing_id`, sailingIds)})`;
  const rows = await queryRows<Row>(
    db,
    sql`
    with work as (${await selectWork({ db, clock }, role)})
    select work.kind, coalesce(o.reference, '') as reference,
      coalesce(o.contact_name, r.content -> 'recipient' ->> 'name') as contact_name,
      coalesce(o.contact_email, i.email) as contact_email, coalesce(o.contact_phone, '') as phone, work.since, work.due,
      work.amount, coalesce(o.currency, i.currency) as currency, work.refund_id, work.measurement_id,
      r.number as invoice_number
    from work
    left join orders o on o.id = work.order_id
    left join invoices i on i.id = work.invoice_id
    left join receipts r on r.id = i.receipt_id
    where ${isOfKind} and ${isOnBoat}
    order by work.kind, coalesce(work.due, work.since), reference, invoice_number
    limit ${LIMIT + 1}`,
  );
  return {
    items: rows.slice(0, LIMIT).map(({ since, due, amount, ...row }) => ({
      ...row,
      since: new Date(since).toISOString(),
      due: due === null ? null : new Date(due).toISOString(),
      amount: amount === null ? null : Number(amount),
    })),
    fares: (await listFareWork(db, now, sailingIds)).filter((fare) => isListed(fare, kind)),
    payouts:
      hasPermission(role, 'read_reports') && sailingIds === null
        ? (await listPayoutWork(db, now)).filter((payout) => isListed(payout, kind))
        : [],
    has_more: rows.length > LIMIT,
    as_of: now.toISOString(),
  };
}

function isListed(work: { kind: WorkListKind }, kind: WorkListKind | undefined): boolean {
  return kind === undefined || work.kind === kind;
}

/** The boats that all orders with work are booked on, and the one that is asked for, by departure. */
export async function listWorkBoats(
  context: Pick<Context, 'db' | 'clock'>,
  { role }: Pick<StaffActor, 'role'>,
  { boat = '', language }: Pick<WorkFilter, 'boat'> & { language: string },
): Promise<Work['boats']> {
  const rows = await queryRows<{ id: string }>(
    context.db,
    sql`
    with work as (${await selectWork(context, role)})
    select distinct on (s.voyage_id, s.first_stop) s.id
    from sailings s where s.id = ${boat} or s.id in (
      select l.sailing_id from work join order_lines l on l.order_id = work.order_id where ${isBooked})
    order by s.voyage_id, s.first_stop, s.id = ${boat} desc, s.last_stop`,
  );
  const sailings = await findTimetable(
    context.db,
    rows.map(({ id }) => id),
  );
  return sailings
    .map((sailing) => translateSailing(sailing, language))
    .toSorted((a, b) => a.departsAt.getTime() - b.departsAt.getTime() || a.id.localeCompare(b.id))
    .map(({ id, departsAt, origin, destination }) => ({
      ...{ sailing_id: id, origin: origin.name, destination: destination.name },
      departs_local: formatLocalTime(departsAt.getTime(), origin.timeZone),
    }));
}

/** Of `l`: an order that was moved to another boat is no longer booked on this one. */
const isBooked = sql`l.status <> 'replaced'`;

function isOneOf(column: SQL, ids: readonly string[]): SQL {
  return sql`${column} in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`;
}

/** The sailings that leave a port with the same boat. */
async function findSailingsOfBoat(db: Database, sailingId: string): Promise<string[]> {
  const rows = await queryRows<{ id: string }>(
    db,
    sql`select s.id from sailings s join sailings b on b.voyage_id = s.voyage_id and b.first_stop = s.first_stop
      where b.id = ${sailingId}`,
  );
  return rows.map(({ id }) => id);
}

/** The rows of all work but fares and payouts. */
async function selectWork(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  role: StaffActor['role'],
): Promise<SQL> {
  const now = clock.now();
  const { timeZone } = await getOperator(db);
  const today = getLocalDay(now.getTime(), timeZone);
  return sql`
      select 'refund_asked' as kind, q.order_id, q.inserted_at as since, null::timestamptz as due, q.amount, null as refund_id,
        null as measurement_id, null as invoice_id
      from refund_requests q where q.status = 'open'
      union all
      select 'refund_due', r.order_id, r.inserted_at, null, r.amount, r.id, null, null
      from refunds r where r.status = 'awaiting_payout'
      union all
      select 'refund_returned', r.order_id, r.updated_at, null, r.amount, null, null, null
      from refunds r where ${isReturnedRefund}
      union all
      select 'refund_overdue', o.id, o.updated_at, null, null, null, null, null
      from orders o where ${isRefundOverdue}
      union all
      select 'payment_doubtful', p.order_id, p.inserted_at, null, p.amount, null, null, null
      from payments p where ${isDoubtfulPayment(now)}
      union all
      select 'payment_disputed', o.id, o.updated_at, null, o.paid, null, null, null
      from orders o where o.payment_status = 'disputed'
      union all
      select 'mail_refused', m.order_id, min(m.inserted_at), null, null, null, null, null
      from mails m join orders o on o.id = m.order_id and o.contact_email <> ''
      where ${isRefused(now)} and m.kind <> 'order-address-changed' and not exists (
        select from mails later where later.order_id = m.order_id and later.to_address = o.contact_email
          and later.status = 'sent' and later.inserted_at > m.inserted_at)
      group by m.order_id
      union all
      select 'choice_open', f.order_id, f.inserted_at, f.deadline, null, null, null, null
      from rebooking_offers f where f.status = 'open'
      union all
      select 'vehicle_unpaid', t.order_id, v.inserted_at, null, v.due, null, v.id, null
      from vehicle_measurements v join tickets t on t.id = v.ticket_id where v.outcome = 'unpaid'
        and exists (select from ticket_boardings b where b.ticket_id = v.ticket_id)
      union all
      select 'invoice_overdue', r.order_id, (i.due_on + 1)::timestamp at time zone ${timeZone}, null, i.amount - i.credited - i.paid, null, null, i.id
      from invoices i join receipts r on r.id = i.receipt_id
      where ${hasPermission(role, 'manage_invoices')} and i.settled_at is null and i.due_on < ${today}::date
    `;
}
