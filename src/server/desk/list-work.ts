import { sql } from 'drizzle-orm';
import type { Work, WorkItem } from '#contract/desk/schemas.ts';
import { hasPermission } from '#contract/staff/permissions.ts';
import type { StaffActor } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import { queryRows } from '#server/database/database.ts';
import { getToday } from '#server/invoices/ledger.ts';
import { isDoubtfulPayment, isRefundOverdue, isReturnedRefund } from '#server/orders/pay/unsettled.ts';
import { listFareWork } from './list-fare-work.ts';
import { listPayoutWork } from './list-payout-work.ts';

/** Longer lists would not be worked through. */
const LIMIT = 500;
/** Older mails that were refused no longer matter. */
const MAIL_DAYS = 30;

type Row = Omit<WorkItem, 'since' | 'due'> & { since: string; due: string | null };

/** What needs a person, the oldest of each kind first. */
export async function listWork(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { role }: Pick<StaffActor, 'role'>,
): Promise<Work> {
  const now = clock.now();
  const today = await getToday({ db, clock });
  const mailsSince = new Date(now.getTime() - MAIL_DAYS * 24 * 3_600_000).toISOString();
  const rows = await queryRows<Row>(
    db,
    sql`
    with work as (
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
      select distinct on (m.order_id) 'mail_refused', m.order_id, m.inserted_at, null, null, null, null, null
      from mails m where m.status = 'failed' and m.order_id is not null and m.inserted_at > ${mailsSince}::timestamptz
      union all
      select 'choice_open', f.order_id, f.inserted_at, f.deadline, null, null, null, null
      from rebooking_offers f where f.status = 'open'
      union all
      select 'vehicle_unpaid', t.order_id, v.inserted_at, null, v.due, null, v.id, null
      from vehicle_measurements v join tickets t on t.id = v.ticket_id where v.outcome = 'unpaid'
        and exists (select from ticket_boardings b where b.ticket_id = v.ticket_id)
      union all
      select 'invoice_overdue', r.order_id, i.due_on::timestamptz, null, i.amount - i.credited - i.paid, null, null, i.id
      from invoices i join receipts r on r.id = i.receipt_id
      where ${hasPermission(role, 'manage_invoices')} and i.settled_at is null and i.due_on < ${today}::date
    )
    select work.kind, coalesce(o.reference, '') as reference,
      coalesce(o.contact_name, r.content -> 'recipient' ->> 'name') as contact_name,
      coalesce(o.contact_email, i.email) as contact_email, coalesce(o.contact_phone, '') as phone, work.since, work.due,
      work.amount, coalesce(o.currency, i.currency) as currency, work.refund_id, work.measurement_id,
      r.number as invoice_number
    from work
    left join orders o on o.id = work.order_id
    left join invoices i on i.id = work.invoice_id
    left join receipts r on r.id = i.receipt_id
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
    fares: await listFareWork(db, now),
    payouts: hasPermission(role, 'read_reports') ? await listPayoutWork(db, now) : [],
    has_more: rows.length > LIMIT,
    as_of: now.toISOString(),
  };
}
