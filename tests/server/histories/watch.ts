import { isDeepStrictEqual } from 'node:util';
import type { FarePolicy } from '#contract/catalogue/schemas.ts';
import type { PaymentCard } from '#contract/payment-cards/schemas.ts';
import type { TestReply, TestServer } from '#tests/setup/server.ts';
import { openGates } from './gates.ts';
import type { Contradiction } from './invariant-queries.ts';
import { expectNone, prepareQueries } from './invariants.ts';
import { findWrongTimes } from './presented-times.ts';
import { findReadable } from './strangers.ts';

/** What a history knows and the tables do not. */
type CustomerView = {
  /** The payment cards of its customer, as the customer reads them. */
  listCards?: () => Promise<PaymentCard[]>;
  /** What the buyer is told about refunds and changes of an order now. */
  askTerms?: (orderId: string) => Promise<unknown>;
  /** How many cancellations and changes their buyers were told to be done. */
  countDone?: () => { cancellations: number; changes: number };
};

/** Looks for contradictions of every invariant after each step of a history. */
export function watchHistory(server: TestServer, customer: CustomerView = {}) {
  const gates = openGates(server);
  const unchanging = new Map<string, string>();
  const presented = new Map<string, string>();
  const asked = new Map<string, string>();
  let steps = 0;
  const checks = [
    prepareQueries(server),
    () => findRepeatedEffects(server, customer),
    () => gates.findContradictions(),
    () => findChangedRows(server, unchanging),
    () => findTimesOfOrders(server, { presented, gates }),
    () => findTermsOfToday(server, { known: customer, asked }),
    () => findWrongPrimary(customer),
    () => findReadable(server, steps),
  ];
  return {
    gates,
    async expectInvariants(): Promise<void> {
      steps += 1;
      const contradictions: Contradiction[] = [];
      for (const check of checks) contradictions.push(...(await check()));
      expectNone(contradictions);
    },
  };
}

async function findRepeatedEffects(
  { database }: TestServer,
  { countDone }: CustomerView,
): Promise<Contradiction[]> {
  if (!countDone) return [];
  const [counted] = await database.store.query(
    `select (select count(*)::int from cancellations where actor <> 'operator') as cancellations,
       (select count(*)::int from order_changes where status = 'done') as changes`,
  );
  const done = countDone();
  return isDeepStrictEqual(counted, done) ? [] : [{ invariant: 6, found: { counted, done } }];
}

type Unchanging = { id: string; state: string; invariant: 4 | 10 };

/** Entries of the ledger, and the policy and terms of orders. */
async function findChangedRows(
  { database }: TestServer,
  before: Map<string, string>,
): Promise<Contradiction[]> {
  const rows = await database.store.query<Unchanging>(
    `select id, md5(e::text) as state, 4 as invariant from trip_card_entries e
     union all
     select id, md5(concat(fare_policy, fare_class_code, terms_version, terms_accepted_at)), 10 from orders`,
  );
  const states = new Map(rows.map(({ id, state }) => [id, state]));
  const lost = [...before.keys()].filter((id) => !states.has(id));
  const changed = rows.filter(({ id, state }) => (before.get(id) ?? state) !== state);
  for (const [id, state] of states) before.set(id, state);
  return [
    ...changed.map(({ id, invariant }) => ({ invariant, found: { id } })),
    // Orders are kept, and entries too.
    ...lost.map((id) => ({ invariant: 4 as const, found: { id, lost: true } })),
  ];
}

/** Reads the orders that were presented otherwise before. */
async function findTimesOfOrders(
  server: TestServer,
  { presented, gates }: { presented: Map<string, string>; gates: ReturnType<typeof openGates> },
): Promise<Contradiction[]> {
  const orders = await server.database.store.query<{ id: string; state: string }>(
    `select o.id, concat(o.version, ' ', max(s.version), ' ', max(f.updated_at)) as state
     from orders o
     join tickets t on t.order_id = o.id
     join sailings s on s.id = t.sailing_id
     left join rebooking_offers f on f.order_id = o.id
     group by o.id`,
  );
  const contradictions: Contradiction[] = [];
  for (const { id, state } of orders) {
    if (presented.get(id) === state) continue;
    presented.set(id, state);
    const order: TestReply['body'] = (await server.request('GET', `/api/orders/${id}`)).body.data;
    gates.keepPartyCodes(order);
    contradictions.push(...(await findWrongTimes(server, order)));
  }
  return contradictions;
}

type Snapshot = { id: string; state: string; policy: FarePolicy; bought: FarePolicy };

/** Asks for the terms of an order under today's policy, and again while today's is that of the purchase. */
async function findTermsOfToday(
  { database, clock }: TestServer,
  { known: { askTerms }, asked }: { known: CustomerView; asked: Map<string, string> },
): Promise<Contradiction[]> {
  if (!askTerms) return [];
  const orders = await database.store.query<Snapshot>(
    `select o.id, concat(o.version, c.policy) as state, c.policy, o.fare_policy as bought from orders o join fare_classes c on c.code = o.fare_class_code
     where o.status in ('confirmed', 'partly_canceled') and c.policy <> o.fare_policy`,
  );
  const setPolicy = (policy: FarePolicy) =>
    database.store.query('update fare_classes set policy = $1::text::jsonb', [JSON.stringify(policy)]);
  const contradictions: Contradiction[] = [];
  for (const { id, state, policy, bought } of orders) {
    const now = `${state} ${clock.now().toISOString()}`;
    if (asked.get(id) === now) continue;
    asked.set(id, now);
    const today = await askTerms(id);
    await setPolicy(bought);
    const atPurchase = await askTerms(id);
    await setPolicy(policy);
    if (!isDeepStrictEqual(today, atPurchase))
      contradictions.push({ invariant: 10, found: { id, today, atPurchase } });
  }
  return contradictions;
}

async function findWrongPrimary({ listCards }: CustomerView): Promise<Contradiction[]> {
  const cards = (await listCards?.()) ?? [];
  const valid = cards.filter(({ expired }) => !expired);
  const primary = cards.filter((card) => card.primary);
  const isRight = primary.length === Math.min(1, valid.length) && primary.every(({ expired }) => !expired);
  return isRight ? [] : [{ invariant: 11, found: { cards } }];
}
