import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FarePolicy } from '#contract/catalogue/schemas.ts';
import type { Order } from '#contract/orders/schemas.ts';
import { listPriceLines } from '#sentences/price-lines.ts';
import { executeCommand } from '#server/commands/command.ts';
import { sailingsCommand } from '#server/commands/sailings.ts';
import { textsIn } from '#server/core/texts.ts';
import { ApiError } from '#server/http/api-error.ts';
import { registerChangeJobs } from '#server/orders/change/end-unpaid-changes.ts';
import { listDueRefunds, payOutRefund } from '#server/orders/pay/pay-out-refund.ts';
import { RefundRefused, type RefundScope, refundOrder } from '#server/orders/pay/refund-order.ts';
import { registerOfferJobs } from '#server/orders/rebook/settle-offers.ts';
import { storeWebSettings } from '#server/settings/web-settings.ts';
import { flexPolicy } from '#tests/factories/ferry.ts';
import { buildCashier } from '#tests/factories/staff.ts';
import { type CardOffice, openCardOffice } from '#tests/server/payment-cards/wallet.ts';
import type { TestReply } from '#tests/setup/server.ts';
import { openTraveler, type Payment, sumOf } from './traveler.ts';
import { watchHistory } from './watch.ts';

/*
 * An order is paid by cards, trip cards or passes, changed, canceled, refunded, disputed and disrupted, and its tickets
 * are scanned, in any order and from two devices, with late webhooks, in the nights of both clock changes.
 */

const HOUR = 3_600_000;
/** A day before the clock changes. Departures after midnight belong to the service day before. */
const NIGHTS = {
  spring: { now: '2026-03-07T06:00:00.000Z', serviceDay: '2026-03-07' },
  autumn: { now: '2026-10-31T05:00:00.000Z', serviceDay: '2026-10-31' },
};
let office: CardOffice;
let traveler: Awaited<ReturnType<typeof openTraveler>>;
let watch: ReturnType<typeof watchHistory>;
beforeAll(async () => {
  office = await openCardOffice();
  await registerChangeJobs(office.context);
  await registerOfferJobs(office.context);
});
afterAll(() => office.close());

/** `choose` has a bit for each ticket. */
const choose = fc.integer({ min: 1, max: 255 });
const pick = fc.nat(11);
const direction = fc.constantFrom('out' as const, 'back' as const);
const sailing = fc.integer({ min: 0, max: 2 });
const adults = fc.integer({ min: 1, max: 3 });
function kind<Name extends string>(...names: Name[]) {
  return fc.constantFrom(...names);
}
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: kind('cancel'), choose, toTripCard: fc.boolean() }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      ...{ kind: kind('change'), direction, sailing, adults },
      children: fc.integer({ min: 0, max: 1 }),
      hasCar: fc.boolean(),
      outcome: kind('pay', 'pay by trip card', 'dispute', 'abandon', 'pay late'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: kind('change by staff'),
      direction,
      sailing,
      by: kind('cash', 'link', 'unpaid link'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind('refund tickets'), choose }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: kind('refund amount'), amount: fc.integer({ min: 1, max: 30 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind('wait'), hours: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 4, arbitrary: fc.record({ kind: kind('jobs', 'webhooks') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind('decide dispute'),
      evidence: kind('winning_evidence', 'losing_evidence'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: kind('two devices'), choose, sailing, adults }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: kind('disrupt'),
      how: kind('cancel', 'delay', 'vessel'),
      direction,
      sailing,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: kind('rebook') }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('pay out') }) },
  {
    weight: 6,
    arbitrary: fc.record({ kind: kind('scan'), gate: fc.nat(1), pick, isConnected: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: kind('new rules'), strictness: kind('stricter', 'laxer') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: kind('cards'), act: kind('add', 'choose', 'remove', 'expire'), pick }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: kind('trip card'), act: kind('freeze', 'unfreeze', 'lost') }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const purchase = fc.record({
  night: kind('spring', 'autumn'),
  by: fc.constantFrom<Payment | 'guest'>(
    'guest',
    'guest',
    'card',
    'trip card',
    'part by trip card',
    'pass',
    'cash',
    'terminal',
  ),
  adults,
  children: fc.integer({ min: 0, max: 2 }),
  bicycles: fc.integer({ min: 0, max: 1 }),
  hasCar: fc.boolean(),
  isReturn: fc.boolean(),
  promo: fc.constantFrom('TEN', 'ONCE', undefined),
  changeFee: fc.constantFrom(0, 500),
  isDisputed: fc.integer({ min: 1, max: 4 }).map((number) => number === 4),
});
type Purchase = typeof purchase extends fc.Arbitrary<infer Value> ? Value : never;

test('no sequence of purchases, changes, cancellations, disputes and disruptions breaks a promise', async () => {
  await fc.assert(
    fc.asyncProperty(purchase, fc.array(step, { minLength: 4, maxLength: 12 }), async (bought, steps) => {
      const orderId = await buy(bought);
      await watch.expectInvariants();
      for (const each of steps) {
        await act(orderId, each);
        await watch.expectInvariants();
        expectShownTotal(await office.readOrder(orderId));
      }
      await runJobs();
      await watch.expectInvariants();
      await expectRefundsArrived(orderId);
    }),
    { numRuns: 12, seed: 20_260_601 },
  );
}, 240_000);

/** What the order's page shows as its price lines adds up to its total, whatever was changed or canceled. */
function expectShownTotal({ lines, total }: TestReply['body']): void {
  const shown = listPriceLines<Order['lines'][number]>(textsIn('en'), lines, { isPartlyCanceled: true });
  expect(sumOf(shown)).toBe(total);
}

async function expectRefundsArrived(orderId: string): Promise<void> {
  const order = await office.readOrder(orderId);
  const arrived = order.refunds.filter(({ status }: { status: string }) => status === 'succeeded');
  expect(order.refunded).toBe(sumOf(arrived));
  const toCards = arrived.filter(
    ({ destination, reason }: TestReply['body']) => destination === 'card' && reason !== 'dispute',
  );
  const { data } = await office.stripe.refunds.list({ limit: 100 });
  expect(sumOf(data)).toBe(sumOf(toCards));
}

async function buy({ night, by, hasCar, isReturn, promo, changeFee, isDisputed, ...party }: Purchase) {
  const { now, serviceDay } = NIGHTS[night];
  await office.reopen({}, now);
  const { store } = office.database;
  await store.query(`update ports set time_zone = 'America/Denver' where code = 'SOU'`);
  await store.query('update voyages set service_date = $1', [serviceDay]);
  await store.query('update sailings set service_date = $1', [serviceDay]);
  await store.query(
    'update vessels set passenger_capacity = 300, lane_cm = 20000, tall_lane_cm = 5000, bicycle_capacity = 20',
  );
  await store.query(
    `insert into vessels (id, code, name, passenger_capacity, lane_cm, normal_clearance_cm, bicycle_capacity)
     select left(id, -1) || 'Z', 'skiff', 'MV Sandpiper', 2, 500, 220, 1 from vessels`,
  );
  await setRules({ ...flexPolicy, change: { ...flexPolicy.change, fee: changeFee } });
  traveler = await openTraveler(office, { isGuest: by === 'guest' });
  watch = watchHistory(office, traveler);
  const [out = ''] = office.ferry.outward;
  const [back = ''] = office.ferry.back;
  const purchase = {
    ...party,
    legs: isReturn ? [out, back] : [out],
    vehicle: hasCar ? { type: 'car', length_cm: 400 } : null,
    ...(promo ? { promo } : {}),
  };
  const order = await traveler.buy(purchase, { by: by === 'guest' ? 'card' : by, isDisputed });
  return order.id as string;
}

async function act(orderId: string, each: Step): Promise<void> {
  try {
    await perform(orderId, each);
  } catch (error) {
    if (!(error instanceof RefundRefused || error instanceof ApiError)) throw error;
  }
}

async function perform(orderId: string, each: Step): Promise<void> {
  switch (each.kind) {
    case 'wait':
      return office.clock.advance(each.hours * HOUR);
    case 'jobs':
      return runJobs();
    case 'webhooks':
      return void (await office.provider.deliverNow());
    case 'decide dispute':
      return decideDispute(each.evidence);
    case 'disrupt':
      return disrupt(each);
    case 'pay out':
      return payOutDueRefunds();
    case 'scan':
      return watch.gates.scan(each);
    case 'new rules':
      return changeRules(each.strictness);
    case 'cards':
      return traveler.changeCards(each.act, each.pick);
    case 'trip card':
      return traveler.blockTripCard(each.act);
    default:
      return performOnOrder(await office.readOrder(orderId), each);
  }
}

type StepOnOrder = Extract<
  Step,
  {
    kind:
      | 'cancel'
      | 'change'
      | 'change by staff'
      | 'two devices'
      | 'rebook'
      | 'refund tickets'
      | 'refund amount';
  }
>;

async function performOnOrder(order: TestReply['body'], each: StepOnOrder): Promise<void> {
  const chosen = 'choose' in each ? chooseTickets(order, each.choose) : [];
  const ids = chosen.map(({ id }) => id);
  switch (each.kind) {
    case 'cancel':
      return traveler.cancel(order, ids, each.toTripCard);
    case 'change': {
      const { outcome, hasCar, sailing: index, ...party } = each;
      const to = [(each.direction === 'out' ? office.ferry.outward : office.ferry.back)[index] ?? ''];
      const requested = { ...party, to, vehicle: hasCar ? { type: 'car', length_cm: 400 } : null };
      return traveler.change(order, [requested], { outcome, onHeld: () => watch.expectInvariants() });
    }
    case 'change by staff': {
      const to = [(each.direction === 'out' ? office.ferry.outward : office.ferry.back)[each.sailing] ?? ''];
      return traveler.changeByStaff(order, { direction: each.direction, to }, each.by);
    }
    case 'two devices':
      return traveler.actOnTwoDevices(order, ids, {
        ...{ direction: 'out', to: [office.ferry.outward[each.sailing] ?? ''], adults: each.adults },
      });
    case 'rebook':
      return traveler.rebook(order);
    default: {
      const codes = chosen.map(({ boarding_code: code }) => code);
      const scope: RefundScope =
        each.kind === 'refund amount'
          ? { kind: 'amount', amount: String(each.amount) }
          : { kind: 'tickets', boardingCodes: codes };
      if (scope.kind === 'tickets' && codes.length === 0) return;
      await refundOrder(office.context, {
        actor: { kind: 'server' },
        reference: order.reference,
        toTripCard: null,
        scope,
      });
    }
  }
}

function chooseTickets(order: TestReply['body'], bits: number): TestReply['body'][] {
  return order.tickets.filter(
    ({ status }: { status: string }, index: number) => status === 'issued' && bits & (1 << (index % 8)),
  );
}

/** The office pays out what it owes, the oldest twice. */
async function payOutDueRefunds(): Promise<void> {
  const due = await listDueRefunds(office.context.db);
  for (const { id: refundId } of [...due, ...due.slice(0, 1)]) {
    await payOutRefund(office.context, { refundId, actor: buildCashier(), terminalReference: null });
  }
}

async function disrupt({ how, ...at }: Extract<Step, { kind: 'disrupt' }>): Promise<void> {
  const id = (at.direction === 'out' ? office.ferry.outward : office.ferry.back)[at.sailing] ?? '';
  const args = { cancel: ['cancel', id], delay: ['delay', id, '150'], vessel: ['vessel', id, 'skiff'] }[how];
  await executeCommand(sailingsCommand, office.context, await sailingsCommand.read(args));
}

/** The operator's policy, fares and terms change. */
async function changeRules(strictness: 'stricter' | 'laxer'): Promise<void> {
  const isStricter = strictness === 'stricter';
  await setRules({
    change: { allowed: !isStricter, fee: isStricter ? 2500 : 100, until_minutes: isStricter ? 2880 : 0 },
    cancel: isStricter ? [] : [{ until_minutes_before: 0, refund_bp: 9000, fee: 0 }],
    no_show: 'forfeit',
  });
  await office.database.store.query('update fares set amount = amount + 100');
  await storeWebSettings(office.context, { terms: { version: `terms ${strictness}` } });
}

async function setRules(policy: FarePolicy): Promise<void> {
  await office.database.store.query('update fare_classes set policy = $1::text::jsonb', [
    JSON.stringify(policy),
  ]);
}

/** The bank decides about the oldest open dispute. Its webhook is delivered later. */
async function decideDispute(evidence: string): Promise<void> {
  const { data } = await office.stripe.disputes.list({ limit: 100 });
  const open = data.findLast(({ status }) => status === 'needs_response');
  if (!open) return;
  await office.stripe.disputes.update(open.id, {
    evidence: { uncategorized_text: evidence },
    submit: true,
  });
}

async function runJobs(): Promise<void> {
  office.clock.advance(2 * 60_000);
  for (const job of [
    'reconcile-payments',
    'expire-holds',
    'end-unpaid-changes',
    'settle-offers',
    'sync-payment-cards',
  ] as const) {
    await office.jobs.send(job, {});
  }
  await office.jobs.runJobs();
  await office.provider.deliverNow();
}
