import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Order } from '#contract/orders/schemas.ts';
import { listPriceLines } from '#domain/orders/price-lines.ts';
import { RefundRefused, type RefundScope, refundOrder } from '#server/order-payments/refund-order.ts';
import { must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { changesOf, intentOf } from '#tests/factories/changes.ts';
import { auditBooks, cleanBooks } from '#tests/process/books.ts';
import type { TestReply } from '#tests/setup/server.ts';

const HOUR = 3_600_000;
/** The provider's test card whose payments are disputed at once. */
const DISPUTED = 'pm_card_createDispute';
let office: Office;
let buyer: ReturnType<typeof changesOf>;
beforeAll(async () => {
  office = await openOffice();
  buyer = changesOf(office);
});
afterAll(() => office.close());

/** `choose` has a bit for each ticket. */
const choose = fc.integer({ min: 1, max: 255 });
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('cancel' as const), choose }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      way: fc.constantFrom('out' as const, 'back' as const),
      sailing: fc.integer({ min: 0, max: 2 }),
      adults: fc.integer({ min: 1, max: 3 }),
      children: fc.integer({ min: 0, max: 1 }),
      hasCar: fc.boolean(),
      outcome: fc.constantFrom('pay' as const, 'dispute' as const, 'abandon' as const, 'pay late' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refund tickets' as const), choose }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('refund amount' as const),
      amount: fc.integer({ min: 1, max: 30 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 12 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('jobs' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('webhooks' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('decide dispute' as const),
      evidence: fc.constantFrom('winning_evidence', 'losing_evidence'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('two devices' as const),
      choose,
      sailing: fc.integer({ min: 0, max: 2 }),
      adults: fc.integer({ min: 1, max: 3 }),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const purchase = fc.record({
  adults: fc.integer({ min: 1, max: 3 }),
  children: fc.integer({ min: 0, max: 2 }),
  bicycles: fc.integer({ min: 0, max: 1 }),
  hasCar: fc.boolean(),
  isReturn: fc.boolean(),
  promo: fc.constantFrom('TEN', 'ONCE', undefined),
  changeFee: fc.constantFrom(0, 500),
  isDisputed: fc.boolean(),
});

test('no sequence of changes, cancellations and disputes gives back more than was paid, or loses a place or a cent', async () => {
  await fc.assert(
    fc.asyncProperty(purchase, fc.array(step, { minLength: 2, maxLength: 10 }), async (bought, steps) => {
      await office.reopen();
      const orderId = await buy(bought);
      for (const each of steps) {
        await act(orderId, each);
        await expectTrueBooks();
        expectShownTotal(await office.readOrder(orderId));
      }
      await runJobs();
      await expectTrueBooks();
      const order = await office.readOrder(orderId);
      const arrived = order.refunds.filter(({ status }: { status: string }) => status === 'succeeded');
      expect(order.refunded).toBe(sumOf(arrived));
      const lost = arrived.filter(({ reason }: { reason: string }) => reason === 'dispute');
      const { data: refunds } = await office.stripe.refunds.list({ limit: 100 });
      expect(sumOf(refunds) + sumOf(lost)).toBe(order.refunded);
    }),
    { numRuns: 15, seed: 20_260_601 },
  );
}, 240_000);

/** What the order's page shows as its price lines adds up to its total, whatever was changed or canceled. */
function expectShownTotal({ lines, total }: TestReply['body']): void {
  const shown = listPriceLines<Order['lines'][number]>(lines, { isPartlyCancelled: true });
  expect(shown.reduce((sum, { amount }) => sum + amount, 0)).toBe(total);
}

async function buy({
  hasCar,
  isReturn,
  promo,
  changeFee,
  isDisputed,
  ...party
}: typeof purchase extends fc.Arbitrary<infer Value> ? Value : never): Promise<string> {
  const [out = ''] = office.ferry.outward;
  const [back = ''] = office.ferry.back;
  const { order, payment, intent } = await office.takePayment({
    ...party,
    legs: isReturn ? [out, back] : [out],
    vehicle: hasCar ? { type: 'car', length_cm: 400 } : null,
    ...(promo ? { promo } : {}),
  });
  await office.confirmWith(intent, isDisputed ? DISPUTED : undefined);
  await office.readPayment(order.id, payment.id);
  await office.database.store.query(
    `update orders set fare_policy = jsonb_set(fare_policy, '{change,fee}', $1::text::jsonb)`,
    [String(changeFee)],
  );
  return order.id;
}

async function act(orderId: string, each: Step): Promise<void> {
  if (each.kind === 'wait') return office.clock.advance(each.hours * HOUR);
  if (each.kind === 'jobs') return runJobs();
  if (each.kind === 'webhooks') return void (await office.provider.deliverNow());
  if (each.kind === 'decide dispute') return decideDispute(each.evidence);
  const order = await office.readOrder(orderId);
  if (each.kind === 'change') return change(order, each);
  if (each.kind === 'cancel') return cancel(order, chooseTickets(order, each.choose));
  if (each.kind === 'two devices') return actOnTwoDevices(order, each);
  const boardingCodes = (tickets: TestReply['body'][]) => tickets.map(({ boarding_code: code }) => code);
  const scope: RefundScope =
    each.kind === 'refund amount'
      ? { kind: 'amount', amount: String(each.amount) }
      : { kind: 'tickets', boardingCodes: boardingCodes(chooseTickets(order, each.choose)) };
  if (scope.kind === 'tickets' && scope.boardingCodes.length === 0) return;
  await refundOrder(office.context, { reference: order.reference, toTripCard: null, scope }).catch(
    (error: unknown) => {
      if (!(error instanceof RefundRefused)) throw error;
    },
  );
}

function chooseTickets(order: TestReply['body'], bits: number): TestReply['body'][] {
  return order.tickets.filter(
    ({ status }: { status: string }, index: number) => status === 'issued' && bits & (1 << (index % 8)),
  );
}

/** Changes as quoted, and pays a difference or not. */
async function change(
  order: TestReply['body'],
  { way, sailing, adults, children, hasCar, outcome }: Extract<Step, { kind: 'change' }>,
): Promise<void> {
  await office.database.store.query('delete from rate_limits');
  const sailings = way === 'out' ? office.ferry.outward : office.ferry.back;
  const vehicle = hasCar ? { type: 'car', length_cm: 400 } : null;
  const wanted = [{ way, to: [sailings[sailing] ?? ''], adults, children, vehicle }];
  const quote = await buyer.quote(order, wanted);
  if (!quote.body.success) {
    expect(quote.status).toBe(422);
    return;
  }
  const { price, fee, carried, waived, difference } = quote.body.data;
  expect(difference).toBe(price + fee - carried - waived);
  const made = must(await buyer.change(order, wanted));
  if (difference <= 0) return expect(made.status).toBe('done');
  await expectTrueBooks();
  if (outcome === 'abandon') return void must(await buyer.abandon(order, made));
  const payment = must(await buyer.startPayment(order, made));
  await expectTrueBooks();
  await office.confirmWith(intentOf(payment), outcome === 'dispute' ? DISPUTED : undefined);
  if (outcome === 'pay late') {
    office.clock.advance(HOUR);
    await runJobs();
  }
  await office.provider.deliverNow();
  expect((await buyer.readChange(order, made)).status).toBe('done');
}

/** The bank decides about the oldest open dispute. Its webhook is delivered later. */
async function decideDispute(evidence: string): Promise<void> {
  const { data } = await office.stripe.disputes.list({ limit: 100 });
  const open = data.findLast(({ status }) => status === 'needs_response');
  if (open)
    await office.stripe.disputes.update(open.id, {
      evidence: { uncategorized_text: evidence },
      submit: true,
    });
}

/** A cancellation and a change of the same version of the order, confirmed at the same time. */
async function actOnTwoDevices(
  order: TestReply['body'],
  { choose: bits, sailing, adults }: Extract<Step, { kind: 'two devices' }>,
): Promise<void> {
  await office.database.store.query('delete from rate_limits');
  const ticketIds = chooseTickets(order, bits).map(({ id }) => id);
  if (ticketIds.length === 0) return;
  const ways = [{ way: 'out' as const, to: [office.ferry.outward[sailing] ?? ''], adults }];
  const [quote, otherQuote] = [await quoteCancellation(order, ticketIds), await buyer.quote(order, ways)];
  if (!quote.body.success || !otherQuote.body.success) return;
  const { version, refund } = quote.body.data;
  const [proof, otherProof] = [await buyer.mailCode(order), await buyer.mailCode(order)];
  const [canceled, changed] = await Promise.all([
    confirmCancellation(order, { ticket_ids: ticketIds, version, refund, proof }),
    buyer.change(order, ways, { proof: otherProof }),
  ]);
  for (const { status } of [canceled, changed]) expect([200, 201, 409, 422]).toContain(status);
  const isUnpaid = changed.body.success && changed.body.data.status !== 'done';
  if (isUnpaid) await buyer.abandon(order, changed.body.data);
}

function quoteCancellation({ id }: TestReply['body'], ticketIds: readonly string[]): Promise<TestReply> {
  const path = `/api/orders/${id}/cancellations/quote`;
  return office.request('POST', path, { body: { ticket_ids: ticketIds }, idempotencyKey: randomUUID() });
}

/** Each confirmation is sent twice with one key, and has one effect. */
async function confirmCancellation({ id }: TestReply['body'], body: object): Promise<TestReply> {
  const options = { body, idempotencyKey: randomUUID() };
  const send = () => office.request('POST', `/api/orders/${id}/cancellations`, options);
  const reply = await send();
  expect((await send()).body).toEqual(reply.body);
  return reply;
}

/** Cancels as quoted; what the rules refuse must leave the order as it was. */
async function cancel(order: TestReply['body'], tickets: TestReply['body'][]): Promise<void> {
  await office.database.store.query('delete from rate_limits');
  const ids = tickets.map(({ id }) => id);
  if (ids.length === 0) return;
  const quote = await quoteCancellation(order, ids);
  if (!quote.body.success) {
    expect(quote.status).toBe(422);
    return;
  }
  const { version, refund, fee, paid } = quote.body.data;
  expect(refund + fee).toBeLessThanOrEqual(paid);
  const proof = await buyer.mailCode(order);
  const cancelled = must(await confirmCancellation(order, { ticket_ids: ids, version, refund, proof }));
  expect(sumOf(cancelled.refunds) - sumOf(order.refunds)).toBe(refund);
}

function sumOf(items: readonly { amount: number }[]): number {
  return items.reduce((sum, { amount }) => sum + amount, 0);
}

async function runJobs(): Promise<void> {
  office.clock.advance(2 * 60_000);
  await office.jobs.send('reconcile-payments', {});
  await office.jobs.runJobs();
  await office.provider.deliverNow();
}

async function expectTrueBooks(): Promise<void> {
  expect(await auditBooks(office.database.store)).toMatchObject({
    ...cleanBooks,
    wrongPayments: expect.anything(),
  });
  for (const [what, query] of CONTRADICTIONS) {
    expect(await office.database.store.query(query), what).toEqual([]);
  }
}

const CONTRADICTIONS: readonly [string, string][] = [
  [
    'sold is what active lines take',
    `select c.* from voyage_capacity c
     where held <> coalesce((
       select sum(i.amount) from hold_items i join holds h on h.id = i.hold_id join sailings s on s.id = i.sailing_id
       where h.status = 'active' and s.voyage_id = c.voyage_id and i.resource = c.resource), 0)
       or sold <> coalesce((
       select sum(p.amount) from line_capacity p join order_lines l on l.id = p.line_id
         join orders o on o.id = l.order_id join sailings s on s.id = p.sailing_id
       where o.status in ('confirmed', 'partly_cancelled') and l.status = 'active' and s.voyage_id = c.voyage_id
         and s.first_stop <= c.stretch and s.last_stop > c.stretch and p.resource = c.resource), 0)`,
  ],
  [
    'the lines of an order add up to its total and its tax',
    `select o.id from orders o
     where total <> (select sum(amount) from order_lines l where l.order_id = o.id)
       or tax <> (select sum(tax) from order_lines l where l.order_id = o.id)`,
  ],
  [
    'each line has a ticket for each of its places, with the status of the line',
    `select l.id from order_lines l
     where l.kind in ('passenger', 'vehicle', 'bicycle') and l.quantity <> (
       select count(*) from tickets t
       where t.line_id = l.id and t.status = case l.status when 'active' then 'issued' else l.status end)`,
  ],
  [
    'an order’s status follows from its lines',
    `select o.id from orders o
     where o.status <> (
       select case when bool_and(l.status = 'active') then 'confirmed'
                   when bool_or(l.status = 'active') then 'partly_cancelled' else 'cancelled' end
       from order_lines l where l.order_id = o.id and l.status <> 'replaced')`,
  ],
  [
    'a cancellation has the sums of its lines and its refunds',
    `select c.id from cancellations c
     where c.paid <> (select sum(amount) from order_lines l where l.cancellation_id = c.id)
       or c.refund <> (select sum(refund) from order_lines l where l.cancellation_id = c.id)
       or c.refund <> (select coalesce(sum(amount), 0) from refunds r where r.cancellation_id = c.id)`,
  ],
  [
    'what was paid is the total and what was given back for changes',
    `select o.id from orders o
     where o.paid - o.total <> coalesce((
       select sum(r.amount) from refunds r where r.order_id = o.id and r.change_id is not null and r.reason <> 'duplicate'), 0)`,
  ],
  [
    'no two tickets of one traveler are valid on one boat',
    `select order_id from tickets where status not in ('cancelled', 'replaced')
     group by order_id, leg, party_index having count(*) > 1`,
  ],
  [
    'no payment is given back more than once',
    `select p.id from payments p
     where p.amount < (select coalesce(sum(r.amount), 0) from refunds r where r.payment_id = p.id and r.status <> 'failed')`,
  ],
];
