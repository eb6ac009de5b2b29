import type { SqlStore } from '#server/database/sql-store.ts';

export type Books = {
  /** Capacity rows that differ from the sum of holds and sold lines, or exceed a capacity that is not marked as exceeded. */
  wrongCapacity: unknown[];
  /** Orders whose total, lines, payments and refunds do not agree, or that were paid twice. */
  wrongMoney: unknown[];
  /** Orders that should have valid tickets and have none, or the reverse; tickets whose status is not their line's. */
  wrongTickets: unknown[];
  /** Orders and cancellations with no or more than one mail. */
  wrongMails: unknown[];
  /** Payments that differ between the provider and the ticket office. */
  wrongPayments: unknown[];
  /** Active holds without an order, an open change of an order or an offer. */
  holdsWithoutOrder: number;
};

/** The expected result: no discrepancies. */
export const cleanBooks: Books = {
  wrongCapacity: [],
  wrongMoney: [],
  wrongTickets: [],
  wrongMails: [],
  wrongPayments: [],
  holdsWithoutOrder: 0,
};

/** Compares the tables with each other and with the card provider's. */
export async function auditBooks(store: SqlStore): Promise<Books> {
  const [holds] = await store.query<{ count: number }>(
    `select count(*)::int as count from holds h
     where h.status = 'active' and not exists (select 1 from orders o where o.hold_id = h.id)
       and not exists (select 1 from rebooking_offers f where f.hold_id = h.id and f.status = 'open')
       and not exists (
         select 1 from order_changes c where c.hold_id = h.id and c.status in ('held', 'awaiting_payment'))`,
  );
  return {
    wrongCapacity: await store.query(CAPACITY),
    wrongMoney: await store.query(MONEY),
    wrongTickets: await store.query(TICKETS),
    wrongMails: await store.query(MAILS),
    wrongPayments: await store.query(PAYMENTS),
    holdsWithoutOrder: holds?.count ?? 0,
  };
}

export type KeptOrder = {
  id: string;
  status: string;
  email: string;
  paid: number;
  tickets: number;
  /** Successful payments and requested refunds. */
  charges: number;
  refunds: number;
};

/** Orders by the contact's address, with their related rows. */
export function readOrders(store: SqlStore): Promise<KeptOrder[]> {
  return store.query(`
    select o.id, o.status, o.contact_email as email, o.paid::int as paid,
      (select count(*)::int from tickets t where t.order_id = o.id) as tickets,
      (select count(*)::int from payments p where p.order_id = o.id and p.status = 'succeeded') as charges,
      (select count(*)::int from refunds r where r.order_id = o.id) as refunds
    from orders o order by o.contact_email
  `);
}

const CAPACITY = `
  select c.voyage_id, c.stretch, c.resource, c.total, c.sellable_online, c.held, c.sold, h.amount as really_held, s.amount as really_sold
  from voyage_capacity c
  left join (
    select s.voyage_id, stretch, i.resource, sum(i.amount)::int as amount
    from hold_items i
    join holds h on h.id = i.hold_id
    join sailings s on s.id = i.sailing_id
    cross join lateral generate_series(s.first_stop, s.last_stop - 1) as stretch
    where h.status = 'active' group by 1, 2, 3
  ) h on h.voyage_id = c.voyage_id and h.stretch = c.stretch and h.resource = c.resource
  left join (
    select s.voyage_id, stretch, p.resource, sum(p.amount)::int as amount
    from line_capacity p
    join sailings s on s.id = p.sailing_id
    cross join lateral generate_series(s.first_stop, s.last_stop - 1) as stretch
    join order_lines l on l.id = p.line_id and l.status = 'active'
    join orders o on o.id = l.order_id and o.status in ('confirmed', 'completed', 'partly_canceled')
    group by 1, 2, 3
  ) s on s.voyage_id = c.voyage_id and s.stretch = c.stretch and s.resource = c.resource
  where c.held <> coalesce(h.amount, 0) or c.sold <> coalesce(s.amount, 0)
    or c.held < 0 or c.sold < 0 or c.held + c.sold > c.sellable_online
    or (c.sellable_online > c.total and not exists (
      select 1 from sailings s where s.voyage_id = c.voyage_id and s.oversubscribed))
`;

const MONEY = `
  select o.id, o.status, o.total, o.paid, o.refunded, l.amount as lines, p.amount as charged, p.count
  from orders o
  -- Canceled and replaced lines stay.
  left join lateral (select sum(amount) as amount from order_lines where order_id = o.id) l on true
  left join (
    select order_id, sum(amount) as amount,
      -- A trip card and a payment card may pay an order together, each once.
      greatest(
        count(*) filter (where change_id is null and method = 'card'),
        count(*) filter (where change_id is null and method = 'trip_card')
      ) as count,
      min(currency) as currency, max(currency) as other
    from payments where status = 'succeeded' group by 1
  ) p on p.order_id = o.id
  left join lateral (
    select coalesce(sum(amount) filter (where status <> 'failed'), 0) as given,
      coalesce(sum(amount) filter (where status = 'succeeded' and reason <> 'duplicate'), 0) as arrived,
      coalesce(sum(amount) filter (where reason = 'duplicate' and not is_repeated), 0) as duplicate,
      coalesce(sum(amount) filter (where reason <> 'duplicate' and change_id is not null and not is_repeated), 0) as changed
    from (
      select r.*, exists (select 1 from refunds again where again.retry_of_id = r.id) as is_repeated
      from refunds r where r.order_id = o.id
    ) each
  ) r on true
  where o.total <> coalesce(l.amount, 0) or o.refunded > o.paid or r.given > coalesce(p.amount, 0)
    or o.refunded <> least(o.paid, r.arrived)
    -- A payment that came too late never counted as paid.
    or o.paid <> coalesce(p.amount, 0) - r.duplicate or p.count > 1
    or p.currency <> o.currency or p.other <> o.currency
    or (o.status in ('confirmed', 'partly_canceled') and o.paid - r.changed <> o.total)
    -- An order without tickets that was not canceled by its buyer is refunded as a whole.
    or (o.status not in ('confirmed', 'partly_canceled', 'completed') and r.given < o.paid
        and not exists (select 1 from cancellations c where c.order_id = o.id))
    or exists (
      select 1 from cancellations c
      left join lateral (
        select coalesce(sum(amount), 0) as given from refunds
        where cancellation_id = c.id and (status <> 'failed' or not exists (
          select 1 from refunds again where again.retry_of_id = refunds.id))
      ) g on true
      where c.order_id = o.id and (g.given <> c.refund or c.refund <> (
        select coalesce(sum(refund), 0) from order_lines where cancellation_id = c.id)))
`;

const TICKETS = `
  select o.id, o.status, count(t.id) filter (where t.status in ('issued', 'checked_in', 'boarded')) as tickets
  from orders o
  left join tickets t on t.order_id = o.id
  left join order_lines l on l.id = t.line_id
  group by o.id, o.status
  having (o.status in ('confirmed', 'partly_canceled')) <>
      (count(t.id) filter (where t.status in ('issued', 'checked_in', 'boarded')) > 0)
    or count(t.id) filter (where (t.status = 'canceled') <> (l.status = 'canceled')) > 0
`;

/** One confirmation, and one mail for each cancellation. Mails are deleted after a month, so older orders have none. */
const MAILS = `
  select o.id, count(m.id) as mails
  from orders o left join mails m on m.order_id = o.id and m.kind in ('order-confirmed', 'order-confirmed-late')
  where o.status in ('confirmed', 'partly_canceled')
    and o.confirmed_at > (select max(confirmed_at) from orders) - interval '29 days'
  group by o.id having count(m.id) <> 1
  union all
  select c.order_id, count(m.id)
  from cancellations c left join mails m on m.cancellation_id = c.id
  where c.inserted_at > (select max(inserted_at) from cancellations) - interval '29 days'
  group by c.id, c.order_id having count(m.id) <> 1
`;

const PAYMENTS = `
  select i.id as intent, i.amount as theirs, p.id as payment, p.amount as ours
  from (
    select id, (doc->>'amount_received')::bigint as amount from sandbox.objects
    where object = 'payment_intent' and doc->>'status' = 'succeeded'
  ) i
  full join (
    select id, provider_reference, amount from payments where status = 'succeeded' and method = 'card'
    union all
    select id, provider_reference, amount from top_ups where status in ('succeeded', 'disputed')
  ) p on p.provider_reference = i.id
  where i.id is null or p.id is null or i.amount <> p.amount
`;
