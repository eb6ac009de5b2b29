import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '#server/database/database.ts';
import type { SqlStore } from '#server/database/sql-store.ts';
import { findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { auditBooks } from '#tests/process/books.ts';
import { atMost, type Goal } from '../goal.ts';

/** A backlog of mails may take long; it is given up when nothing of it was done for this long. */
const STUCK_AFTER_MS = 180_000;
const LOOK_EVERY_MS = 5_000;

/** Fares on trip cards and the payments they are; those of which there is only one, or with another amount. */
const FARES = `
  select e.id as entry, p.id as payment, e.amount, p.amount as paid
  from (select * from trip_card_entries where kind = 'fare' and order_id is not null) e
  full join (select * from payments where method = 'trip_card' and status = 'succeeded') p on p.order_id = e.order_id
  where e.id is null or p.id is null or e.amount <> -p.amount
`;
/** Places of unmarked orders on a boat that has fewer. */
const UNMARKED_ON_SMALL_BOATS = `
  select c.voyage_id, c.stretch, c.resource, c.total, sum(p.amount)::int as unmarked
  from voyage_capacity c
  join sailings s on s.voyage_id = c.voyage_id and s.first_stop <= c.stretch and c.stretch < s.last_stop
  join line_capacity p on p.sailing_id = s.id and p.resource = c.resource
  join order_lines l on l.id = p.line_id and l.status = 'active'
  join orders o on o.id = l.order_id and o.status in ('confirmed', 'partly_canceled')
  where s.departs_at > now() and coalesce(o.needs_attention, '') not in ('no_room', 'sailing_canceled')
  group by c.voyage_id, c.stretch, c.resource, c.total having sum(p.amount) > c.total
`;
const UNMARKED_ON_CANCELED_BOATS = `
  select distinct o.reference, o.needs_attention
  from orders o
  join order_lines l on l.order_id = o.id and l.status = 'active'
  join sailings s on s.id = l.sailing_id and s.status = 'canceled' and s.departs_at > now()
  where o.status in ('confirmed', 'partly_canceled') and o.needs_attention is distinct from 'sailing_canceled'
`;
/** Changes that can still be paid of orders that are not valid any more. */
const OPEN_CHANGES_OF_CLOSED_ORDERS = `
  select c.id, o.reference, o.status from order_changes c join orders o on o.id = c.order_id
  where c.status in ('held', 'awaiting_payment') and o.status not in ('confirmed', 'partly_canceled')
`;
const UNFINISHED = `
  select (select count(*)::int from mails where status = 'queued') as mails,
    (select count(*)::int from refunds where status in ('requested', 'pending')) as refunds,
    (select count(*)::int from payments where status in ('created', 'requires_action', 'processing')) as payments
`;
/** Makes waiting retries due now, so that the audit does not wait for the end of a long pause. */
const HURRY = `
  update mails set try_at = now() where status = 'queued';
  update pgboss.job set start_after = now() where state = 'retry'
`;

/** Waits until no mail, refund or payment is under way any more, or nothing moves. */
export async function untilQuiet(url: string, say: (line: string) => void): Promise<void> {
  const { store, close } = await openDatabase({ url, folder: null });
  let least = Number.POSITIVE_INFINITY;
  let movedAt = performance.now();
  for (;;) {
    const [left = {}] = await store.query<Record<string, number>>(UNFINISHED);
    const count = Object.values(left).reduce((sum, each) => sum + each, 0);
    if (count < least) [least, movedAt] = [count, performance.now()];
    if (count === 0 || performance.now() - movedAt > STUCK_AFTER_MS) break;
    say(`still to do: ${JSON.stringify(left)}`);
    await store.query(HURRY);
    await delay(LOOK_EVERY_MS);
  }
  await close();
}

/** Compares the tables with the trip cards' ledger and the card provider's objects; prints all differences. */
export async function audit(url: string, say: (line: string) => void): Promise<Goal[]> {
  const { db, store, close } = await openDatabase({ url, folder: null });
  const books = await auditBooks(store);
  const findings: Record<string, unknown[]> = {
    'sailings whose capacity is wrong': books.wrongCapacity,
    'orders whose money is wrong': books.wrongMoney,
    'orders whose tickets are wrong': books.wrongTickets,
    'orders without exactly one confirmation mail': books.wrongMails,
    'payments the card provider sees differently': books.wrongPayments,
    'boats too small for orders that say nothing of it': await store.query(UNMARKED_ON_SMALL_BOATS),
    'orders on canceled boats that say nothing of it': await store.query(UNMARKED_ON_CANCELED_BOATS),
    'open changes of closed orders': await store.query(OPEN_CHANGES_OF_CLOSED_ORDERS),
    'holds without an order': Array(books.holdsWithoutOrder).fill('hold'),
    'trip cards whose ledger is wrong': await findBrokenBooks({ db }),
    'fares without their payment': await store.query(FARES),
    'orders that are neither paid nor given up': await listUnfinished(store),
    'mails never sent': await store.query(
      `select id, kind, status, attempts from mails where status <> 'sent'`,
    ),
    'jobs failed for good': await store.query(`select name, output from pgboss.job where state = 'failed'`),
  };
  await close();
  const none = { must: 0, aim: 0 };
  return Object.entries(findings).map(([name, found]) => {
    for (const each of found.slice(0, 5)) say(`${name}: ${JSON.stringify(each)}`);
    return atMost(name, found.length, none, { unit: '', digits: 0 });
  });
}

function listUnfinished(store: SqlStore): Promise<unknown[]> {
  return store.query(`select reference, status from orders where status in ('held', 'awaiting_payment')`);
}
