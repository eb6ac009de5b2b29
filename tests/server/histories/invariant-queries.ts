import { BROKEN_LEDGERS } from '#tests/factories/trip-cards.ts';

/** What the ticket office promises after every step of every history. `money` is the promise over all of them. */
export const INVARIANTS = {
  1: 'No sailing sells more than it has.',
  2: 'The places held and sold are those of the active holds and of the valid tickets.',
  3: 'No trip card has a negative balance, and each has reserved what open payments need, never more than its balance.',
  4: 'The balance of a trip card is the sum of its ledger, which has no gaps and never changes.',
  5: 'The total of an order is the sum of its lines and of its payments, in one currency, and no more than that is refunded.',
  6: 'A request that is repeated has one effect.',
  7: 'An order has valid tickets exactly while it is confirmed, and the gate refuses canceled and replaced tickets.',
  8: 'A ticket boards once.',
  9: 'A local time is the time of its port.',
  10: 'The policy and the terms at purchase decide, not those of today.',
  11: 'Exactly one of the payment cards that have not expired is primary.',
  12: 'A reference, four digits of a card or an e-mail address alone open nothing.',
  money: 'What was paid is what was given back and what was kept, here and at the card provider.',
  books: 'The entries of an order add up to what its lines are worth and to the money that came and went.',
} as const;
export type Invariant = keyof typeof INVARIANTS;

/** What contradicts an invariant. */
export type Contradiction = { invariant: Invariant; found: unknown };

const VALID = `('issued', 'checked_in', 'boarded')`;
const SOLD = `('confirmed', 'partly_canceled', 'completed')`;

/** Refunds as they count: one that was repeated counts as its repetition. */
const REFUNDS = `(
  select r.* from refunds r where not exists (select 1 from refunds again where again.retry_of_id = r.id)
)`;

/** How often staff mailed the tickets of an order again. */
const MAILED_AGAIN = `(
  select count(*) from audit_log a
  where a.object_id = o.id and (a.action = 'order_tickets_mailed' or a.after @> '{"mailed": true}'))`;

/** Each selects the rows that contradict an invariant. */
const QUERIES: readonly [Invariant, string][] = [
  [
    1,
    `select c.voyage_id, c.stretch, c.resource, c.held, c.sold, c.sellable_online, c.total from voyage_capacity c
     where c.held < 0 or c.sold < 0 or c.held + c.sold > c.sellable_online
       or (c.sellable_online > c.total and not exists (
         select 1 from sailings s where s.voyage_id = c.voyage_id and s.oversubscribed))`,
  ],
  [
    2,
    `select c.voyage_id, c.stretch, c.resource, c.held, c.sold, h.amount as active_holds, t.amount as active_lines
     from voyage_capacity c
     left join (
       select s.voyage_id, stretch, i.resource, sum(i.amount)::int as amount
       from hold_items i
       join holds h on h.id = i.hold_id and h.status = 'active'
       join sailings s on s.id = i.sailing_id
       cross join lateral generate_series(s.first_stop, s.last_stop - 1) as stretch
       group by 1, 2, 3
     ) h on h.voyage_id = c.voyage_id and h.stretch = c.stretch and h.resource = c.resource
     left join (
       select s.voyage_id, stretch, p.resource, sum(p.amount)::int as amount
       from line_capacity p
       join order_lines l on l.id = p.line_id and l.status = 'active'
       join orders o on o.id = l.order_id and o.status in ${SOLD}
       join sailings s on s.id = p.sailing_id
       cross join lateral generate_series(s.first_stop, s.last_stop - 1) as stretch
       group by 1, 2, 3
     ) t on t.voyage_id = c.voyage_id and t.stretch = c.stretch and t.resource = c.resource
     where c.held <> coalesce(h.amount, 0) or c.sold <> coalesce(t.amount, 0)`,
  ],
  [
    2,
    `select c.voyage_id, c.stretch, c.resource, c.held_back, b.amount from voyage_capacity c
     left join (
       select s.voyage_id, stretch, p.resource, sum(p.amount)::int as amount
       from held_back_places b
       join sailings s on s.id = b.sailing_id
       cross join lateral jsonb_to_recordset(b.places) as p (resource text, amount int)
       cross join lateral generate_series(s.first_stop, s.last_stop - 1) as stretch
       group by 1, 2, 3
     ) b on b.voyage_id = c.voyage_id and b.stretch = c.stretch and b.resource = c.resource
     where c.held_back <> coalesce(b.amount, 0)`,
  ],
  [
    2,
    `select h.id, h.status from holds h
     where h.status = 'consumed'
       and not exists (select 1 from orders o where o.hold_id = h.id and o.confirmed_at is not null)
       and not exists (select 1 from order_changes c where c.hold_id = h.id and c.status = 'done')`,
  ],
  [
    3,
    `select c.id, c.balance, c.held from trip_cards c
     where c.balance < 0 or c.held not between 0 and c.balance or c.held <> coalesce((
       select sum(s.amount) from trip_card_reservations s where s.trip_card_id = c.id and s.status = 'held'), 0)`,
  ],
  [
    3,
    `select s.payment_id, p.status from trip_card_reservations s join payments p on p.id = s.payment_id
     where s.status = 'held' and p.status not in ('created', 'requires_action', 'processing')`,
  ],
  [4, BROKEN_LEDGERS],
  [
    4,
    `select o.id, 'entries of the order' as what from orders o
     left join lateral (
       select coalesce(-sum(e.amount) filter (where e.kind = 'fare'), 0) as spent,
         coalesce(sum(e.amount) filter (where e.kind = 'refund_in'), 0) as returned
       from trip_card_entries e where e.order_id = o.id
     ) e on true
     where e.spent <> coalesce((
       select sum(case when p.coverage is null then p.amount else jsonb_array_length(p.coverage) end)
       from payments p where p.order_id = o.id and p.method = 'trip_card' and p.status = 'succeeded'), 0)
     or e.returned <> coalesce((
       select sum(case when r.trips is null then r.amount else jsonb_array_length(r.trips) end)
       from refunds r where r.order_id = o.id and r.trip_card_id is not null), 0)`,
  ],
  [
    5,
    `select o.id, o.status, o.total, o.tax, o.paid, o.refunded, p.amount as payments, r.* from orders o
     left join lateral (
       select coalesce(sum(p.amount), 0) as amount, bool_or(p.currency <> o.currency) as is_mixed
       from payments p where p.order_id = o.id and p.status = 'succeeded'
     ) p on true
     left join lateral (
       select coalesce(sum(r.amount) filter (where r.status <> 'failed'), 0) as given,
         coalesce(sum(r.amount) filter (where r.status = 'succeeded' and r.reason <> 'duplicate'), 0) as arrived,
         coalesce(sum(r.amount) filter (where r.reason = 'duplicate'), 0) as duplicate,
         coalesce(sum(r.amount) filter (where r.reason <> 'duplicate' and r.change_id is not null), 0) as of_changes
       from ${REFUNDS} r where r.order_id = o.id
     ) r on true
     where o.total <> coalesce((select sum(l.amount) from order_lines l where l.order_id = o.id), 0)
       or o.tax <> coalesce((select sum(l.tax) from order_lines l where l.order_id = o.id), 0)
       or o.paid <> p.amount - r.duplicate or (o.status in ${SOLD} and o.paid - r.of_changes <> o.total)
       or o.refunded > o.paid or o.refunded <> least(o.paid, r.arrived) or r.given > p.amount or p.is_mixed`,
  ],
  [
    5,
    `select c.id, c.paid, c.refund from cancellations c
     where c.paid <> (select coalesce(sum(l.amount), 0) from order_lines l where l.cancellation_id = c.id)
       or c.refund <> (select coalesce(sum(l.refund), 0) from order_lines l where l.cancellation_id = c.id)
       or c.refund <> (select coalesce(sum(r.amount), 0) from ${REFUNDS} r where r.cancellation_id = c.id)`,
  ],
  [
    5,
    `select p.id, p.amount from payments p
     where p.amount < (
       select coalesce(sum(r.amount), 0) from refunds r where r.payment_id = p.id and r.status <> 'failed')`,
  ],
  [
    6,
    `select o.id, 'confirmations' as what, count(m.id) as mails from orders o
     left join mails m on m.order_id = o.id and m.kind in ('order-confirmed', 'order-confirmed-late')
     group by o.id having count(m.id) - ${MAILED_AGAIN}
       <> (case when o.confirmed_at is null or o.contact_email = '' then 0 else 1 end)`,
  ],
  [
    6,
    `select c.id, 'mails of a cancellation' as what, count(m.id) as mails
     from cancellations c join orders o on o.id = c.order_id left join mails m on m.cancellation_id = c.id
     group by c.id, o.id having count(m.id) <> (case when o.contact_email = '' then 0 else 1 end)`,
  ],
  [
    6,
    `select s.order_id, 'uses of reserved value' as what, count(*) as count from trip_card_reservations s
     where s.status <> 'released' group by s.order_id, (
       select p.change_id from payments p where p.id = s.payment_id) having count(*) > 1`,
  ],
  [
    6,
    `select doc #>> '{metadata,refund_id}' as refund, 'refunds at the provider' as what, count(*) as count
     from sandbox.objects where object = 'refund' and doc ->> 'status' <> 'failed' group by 1 having count(*) > 1`,
  ],
  [
    6,
    `select code, 'uses of a promo code' as what, redeemed from promo_codes p
     where redeemed <> (select count(*) from orders o where o.promo_code = p.code
       and o.status in ('held', 'awaiting_payment', 'confirmed', 'partly_canceled', 'completed'))`,
  ],
  [
    7,
    `select o.id, o.status, count(t.id) filter (where t.status in ${VALID}) as valid
     from orders o left join tickets t on t.order_id = o.id
     group by o.id, o.status having (o.status in ${SOLD}) <> (count(t.id) filter (where t.status in ${VALID}) > 0)`,
  ],
  [
    7,
    `select l.id, l.status, l.quantity from order_lines l
     join orders o on o.id = l.order_id and o.confirmed_at is not null
     where l.kind in ('passenger', 'vehicle', 'bicycle') and l.quantity <> (
       select count(*) from tickets t where t.line_id = l.id and t.sailing_id = l.sailing_id
         and case l.status when 'active' then t.status in ${VALID} else t.status = l.status end)`,
  ],
  [
    7,
    `select o.id, o.status from orders o
     where o.confirmed_at is not null and o.status <> (
       select case when bool_and(l.status = 'active') then 'confirmed'
                   when bool_or(l.status = 'active') then 'partly_canceled' else 'canceled' end
       from order_lines l where l.order_id = o.id and l.status <> 'replaced')`,
  ],
  [
    8,
    `select order_id, leg, party_index, count(*) as count from tickets where status not in ('canceled', 'replaced')
     group by order_id, leg, party_index having count(*) > 1`,
  ],
  [
    'money',
    `select o.id, o.paid, l.kept, r.given from orders o
     cross join lateral (
       select coalesce(sum(l.amount - l.refund), 0) as kept from order_lines l where l.order_id = o.id
     ) l
     cross join lateral (
       -- Money that the bank took was not given back by the office.
       select coalesce(sum(r.amount) filter (where r.reason not in ('duplicate', 'dispute')), 0) as given,
         coalesce(sum(r.amount) filter (where r.reason = 'goodwill'), 0) as goodwill
       from ${REFUNDS} r where r.order_id = o.id
     ) r
     where o.confirmed_at is not null and o.paid <> l.kept + r.given - r.goodwill`,
  ],
  [
    'money',
    `select i.id, i.amount as theirs, p.id as ours, p.amount from (
       select id, (doc ->> 'amount_received')::bigint as amount from sandbox.objects
       where object = 'payment_intent' and doc ->> 'status' = 'succeeded'
     ) i
     full join (
       select id, provider_reference, amount, status = 'succeeded' as is_paid from payments where method = 'card'
       union all
       select id, provider_reference, amount, status in ('succeeded', 'disputed') from top_ups where sale_id is null
     ) p on p.provider_reference = i.id
     where (i.id is not null and (p.id is null or p.amount <> i.amount)) or (p.is_paid and i.id is null)`,
  ],
  [
    'money',
    `select r.id as ours, r.amount, t.id as theirs, t.amount as given from (
       select r.id, r.provider_reference, r.amount, r.status from refunds r join payments p on p.id = r.payment_id
       where r.trip_card_id is null and r.reason <> 'dispute' and p.method = 'card'
     ) r
     full join (
       select id, (doc ->> 'amount')::bigint as amount, doc #>> '{metadata,refund_id}' as refund_id
       from sandbox.objects where object = 'refund'
     ) t on t.refund_id = r.id
     where (t.id is not null and (r.id is null or r.amount <> t.amount))
       or (t.id is null and r.status = 'succeeded' and r.provider_reference not like 'dp_%')`,
  ],
  [
    'money',
    `select p.id, p.method, p.status from payments p
     where p.method in ('cash', 'terminal') and (p.staff_id is null or p.status <> 'succeeded'
         or p.provider_reference is not null)
       or (p.method = 'terminal') <> (p.terminal_reference is not null)`,
  ],
  [
    'money',
    `select r.id, p.method, r.status, r.trip_card_id, r.provider_reference from refunds r join payments p on p.id = r.payment_id
     where (p.method in ('cash', 'terminal') and (r.provider_reference is not null
         or r.status not in ('awaiting_payout', 'succeeded')))
       or (r.status = 'awaiting_payout'
         and (p.method not in ('cash', 'terminal', 'invoice') or coalesce(r.trip_card_id, r.invoice_id) is not null))`,
  ],
  [
    'money',
    `select i.id, i.amount, i.credited, i.paid, e.*, r.given_back from invoices i
     cross join lateral (
       select coalesce(sum(amount) filter (where kind = 'invoiced'), 0) as invoiced,
         coalesce(sum(amount) filter (where kind = 'credited'), 0) as taken_off,
         coalesce(sum(amount) filter (where kind = 'transferred'), 0) as transferred
       from invoice_entries where invoice_id = i.id
     ) e
     cross join lateral (
       select coalesce(sum(amount), 0) + (
         select coalesce(sum(s.cards * s.amount), 0) from receipts c join card_sales s on s.id = c.card_sale_id
         where c.id = i.receipt_id and s.taken_back_at is not null
       ) as given_back
       from refunds where invoice_id = i.id and status = 'succeeded'
     ) r
     where i.credited + i.paid > i.amount or e.invoiced <> i.amount or e.taken_off <> i.credited
       or e.transferred <> i.paid or r.given_back <> i.credited
       or (i.settled_at is not null) <> (i.credited + i.paid = i.amount)`,
  ],
  [
    'books',
    `select o.id, l.worth, g.goodwill, e.gross, l.quantity, e.quantity as booked_quantity from orders o
     cross join lateral (
       select coalesce(sum(amount - refund), 0) as worth,
         coalesce(sum(quantity) filter (where status = 'active' and kind not in ('fee', 'discount')), 0) as quantity
       from order_lines where order_id = o.id
     ) l
     cross join lateral (
       select coalesce(sum(amount), 0) as goodwill from refunds
       where order_id = o.id and reason = 'goodwill' and retry_of_id is null
     ) g
     cross join lateral (
       select coalesce(sum(gross), 0) as gross, coalesce(sum(quantity), 0) as quantity
       from sale_entries where order_id = o.id
     ) e
     where case when o.confirmed_at is null then e.gross <> 0
       else e.gross <> l.worth - g.goodwill or e.quantity <> l.quantity end`,
  ],
  [
    'books',
    `select s.id, s.cards, s.amount, t.*, m.amount as booked, i.amount as invoiced from card_sales s
     cross join lateral (
       select count(*) as cards_sold, sum(t.amount) as sold,
         count(*) filter (where t.status <> 'succeeded' or t.taken_back_at is distinct from s.taken_back_at) as others
       from top_ups t where t.sale_id = s.id
     ) t
     cross join lateral (
       select coalesce(sum(m.amount), 0) as amount, bool_or(m.method <> s.method) as is_other
       from money_entries m join top_ups t on t.id = m.top_up_id where t.sale_id = s.id
     ) m
     cross join lateral (
       select sum(i.amount) as amount from invoices i join receipts r on r.id = i.receipt_id where r.card_sale_id = s.id
     ) i
     where t.cards_sold <> s.cards or t.sold <> s.cards * s.amount or t.others > 0 or m.is_other
       or m.amount <> case when s.taken_back_at is null then t.sold else 0 end
       or i.amount is distinct from case when s.method = 'invoice' then t.sold end
       or exists (
         select from top_ups t where t.sale_id = s.id
           and (select coalesce(sum(e.amount), 0) from trip_card_entries e where e.top_up_id = t.id)
             <> case when s.taken_back_at is not null then 0
               when t.pass is null then t.amount else (t.pass ->> 'trips')::bigint end
       )`,
  ],
  [
    'books',
    `select o.id, p.amount as paid, r.amount as given, m.amount as booked from orders o
     cross join lateral (
       select coalesce(sum(amount), 0) as amount from payments where order_id = o.id and status = 'succeeded'
     ) p
     cross join lateral (
       select coalesce(sum(amount), 0) as amount from refunds where order_id = o.id and status = 'succeeded'
     ) r
     cross join lateral (select coalesce(sum(amount), 0) as amount from money_entries where order_id = o.id) m
     where m.amount <> p.amount - r.amount`,
  ],
];

/** Finds the rows that contradict the invariants, as `Contradiction`s. */
export const EVERY_QUERY = `select * from (${QUERIES.map(
  ([invariant, query]) =>
    `select '${JSON.stringify(invariant)}'::jsonb as invariant, to_jsonb(broken) as found from (${query}) broken`,
).join('\nunion all\n')}) as every`;
