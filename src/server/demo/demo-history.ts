import { randomUUID } from 'node:crypto';
import { eq, lt } from 'drizzle-orm';
import { addDays } from '#domain/time/days.ts';
import { getDayStart, getLocalDay } from '#domain/time/port-time.ts';
import type { Context } from '../context.ts';
import { sessions } from '../database/schema/people.ts';
import { orders } from '../database/schema/sales.ts';
import { mails } from '../database/schema/system.ts';
import { assignGuestOrders, type CustomerRow } from '../identity/customers.ts';
import { createSession } from '../identity/sessions.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { processOrderRefund } from '../orders/pay/order-refunds.ts';
import { refundOrder } from '../orders/pay/refund-order.ts';
import { addCard } from '../payment-cards/save-card.ts';
import { startSetup } from '../payment-cards/start-setup.ts';
import type { FeedFiles } from '../sailings/feed/feed-files.ts';
import { importTimetable } from '../sailings/import-timetable.ts';
import { changeCard, openCard } from '../trip-cards/add-card.ts';
import { setAutoTopUp } from '../trip-cards/auto-top-up.ts';
import { takeCharge } from '../trip-cards/operator-commands.ts';
import type { TripCardRow } from '../trip-cards/queries.ts';
import { startTopUp } from '../trip-cards/top-ups.ts';
import { runAutoTopUps } from '../trip-cards/trip-card-jobs.ts';
import { type Buyer, buyTrip, HOUR_MS, markMailsSent, TEST_CARD, type Trip } from './buy-trip.ts';
import { createDemoCustomer } from './demo-customer.ts';

/** The demo operator's time zone; no timetable is imported yet when the history begins. */
const ZONE = 'America/Los_Angeles';
const MEMBER_FOR_DAYS = 60;
const DEVICE = 'Chrome on Android';
const DEMO_CLIENT = { device: DEVICE, network: '', language: 'en-US' };
const GATE = 'demo-gate';

/** The demo customer's account and cards, and the server's dependencies with the clock set back. */
type DemoCustomer = {
  customer: CustomerRow;
  sessionId: string;
  paymentCardId: string;
  everyday: TripCardRow;
  family: TripCardRow;
  at: At;
};
/** The dependencies with the clock at an hour of an earlier day. */
type At = (daysAgo: number, hour: number) => Context;

/**
 * Creates a customer with two months of history in an empty installation: trips, a canceled trip, a payment card, two
 * trip cards with top-ups, rides and an automatic top-up. It calls the commands that customers use, with the clock set
 * back, and marks the mails of that time as sent. Past sailings are created only for the days needed: two months of
 * them would triple the duration of the first start.
 */
export async function createDemoHistory(context: Context, files: FeedFiles): Promise<void> {
  const at = createPast(context);
  const customer = await createDemoCustomer(context, at(MEMBER_FOR_DAYS, 19).clock.now());
  if (!customer) return;
  await importTimetable(at(54, 6), { files, days: 1, accepted: 'all' });
  const demo = await createCustomerWithCards(customer, at);
  await buyFirstTrips(demo);
  await topUpEverydayCard(demo);
  await importTimetable(at(6, 6), { files, days: 1, accepted: 'all' });
  await buyRecentTrips(demo);
  await context.db.delete(sessions).where(eq(sessions.customerId, customer.id));
  // Keeps mails about past trips out of today's inbox.
  await markMailsSent(context, lt(mails.insertedAt, new Date(context.clock.now().getTime() - HOUR_MS)));
}

function createPast(context: Context): At {
  // Its jobs have nothing to do: their work is done here or is in the past.
  const jobs: Jobs = { ...context.jobs, trigger() {}, async send() {} };
  const today = getLocalDay(context.clock.now().getTime(), ZONE);
  return (daysAgo, hour) => {
    const now = new Date(getDayStart(addDays(today, -daysAgo), ZONE) + hour * HOUR_MS);
    return { ...context, jobs, clock: { now: () => now } };
  };
}

async function createCustomerWithCards(customer: CustomerRow, at: At): Promise<DemoCustomer> {
  const context = at(54, 6.1);
  const { db, clock } = context;
  await createSession(db, { clock }, { customerId: customer.id, kind: 'password', device: DEVICE });
  const [session] = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.customerId, customer.id));
  const open = (name: string) =>
    openCard(context, { customerId: customer.id, claim: `demo ${customer.id} ${name}`, name });
  const demo = {
    customer,
    sessionId: session?.id ?? '',
    paymentCardId: await savePaymentCard(context, customer.id),
    everyday: await open('Everyday card'),
    family: await open('Family card'),
    at,
  };
  await changeCard(context, { customerId: customer.id, cardId: demo.family.id, low_balance_at: 1000 });
  return demo;
}

async function savePaymentCard(context: Context, customerId: string): Promise<string> {
  const setup = await startSetup(context, { customerId, client: DEMO_CLIENT });
  await context.provider.confirmSetup(setup.setup_intent_id, TEST_CARD);
  const input = { customerId, device: DEVICE, setup_intent_id: setup.setup_intent_id, primary: true };
  return (await addCard(context, input)).id;
}

async function buyFirstTrips(demo: DemoCustomer): Promise<void> {
  const { at } = demo;
  await topUp(at(54, 6.2), { demo, card: demo.everyday, amount: 5000 });
  await topUp(at(54, 6.3), { demo, card: demo.family, amount: 4000 });
  const withCar = {
    out: 'MAD-HER',
    back: { route: 'HER-MAD', hoursLater: 24 },
    passengers: { adult: 2 },
    carCm: 450,
  };
  await buy(at(54, 6.5), { demo, trip: withCar });
  await buy(at(54, 6.6), {
    demo,
    trip: { out: 'HER-KES', passengers: { adult: 1, youth: 1 }, isSaver: true },
  });
  await chargeAtGate(at(47, 9), demo, 'Port Madrona');
  await chargeAtGate(at(40, 17), demo, 'Heron Island');
}

async function topUpEverydayCard(demo: DemoCustomer): Promise<void> {
  const { at } = demo;
  await setAutoTopUp(at(25, 12), {
    customerId: demo.customer.id,
    cardId: demo.everyday.id,
    amount: 2500,
    threshold: 1500,
    payment_card_id: demo.paymentCardId,
  });
  await chargeAtGate(at(19, 8), demo, 'Port Madrona');
  await chargeAtGate(at(12, 18), demo, 'Heron Island');
}

async function buyRecentTrips(demo: DemoCustomer): Promise<void> {
  const { at, customer } = demo;
  const refunded = await buy(at(6, 6.2), { demo, trip: { out: 'MAD-FAI', passengers: { adult: 2 } } });
  if (refunded !== null) await refundTrip(at(6, 6.4), refunded);
  await buy(at(6, 6.6), {
    demo,
    trip: { out: 'MAD-HER', passengers: { adult: 2, child: 2 } },
    tripCard: demo.family,
  });
  await buy(at(6, 7), {
    demo,
    trip: { out: 'HER-MAD', passengers: { adult: 1 }, bicycles: 1 },
    tripCard: demo.everyday,
  });
  await buyAsGuest(at(6, 7.5), customer);
  await buy(at(5, 6.5), {
    demo,
    trip: { out: 'HER-KES', passengers: { adult: 1 } },
    tripCard: demo.everyday,
  });
}

/** An order bought without signing in; the account owns it because it has the same e-mail address. */
async function buyAsGuest(context: Context, customer: CustomerRow): Promise<void> {
  const from = new Date(context.clock.now().getTime() + HOUR_MS);
  const trip = { out: 'MAD-HER', passengers: { adult: 1, senior: 1 } };
  await buyTrip(context, { buyer: { contact: customer, customerId: null }, trip, from });
  await assignGuestOrders(context.db, customer);
}

/** Buys a trip on the next sailing of the morning, with a test card or a trip card. */
function buy(
  context: Context,
  { demo, trip, tripCard }: { demo: DemoCustomer; trip: Trip; tripCard?: TripCardRow },
): Promise<string | null> {
  const { customer, sessionId } = demo;
  const customerId = customer.id;
  const payment = tripCard && {
    customerId,
    sessionId,
    device: DEVICE,
    paymentCardId: null,
    isToBeSaved: false,
    tripCard: { customerId, tripCardId: tripCard.id, amount: null, trips: null, isWhole: true },
  };
  const buyer: Buyer = { contact: customer, customerId, ...(payment ? { tripCard: payment } : {}) };
  const from = new Date(context.clock.now().getTime() + 1.5 * HOUR_MS);
  return buyTrip(context, { buyer, trip, from });
}

async function topUp(
  context: Context,
  { demo, card, amount }: { demo: DemoCustomer; card: TripCardRow; amount: number },
): Promise<void> {
  await startTopUp(context, {
    customerId: demo.customer.id,
    cardId: card.id,
    claim: randomUUID(),
    client: DEMO_CLIENT,
    amount,
    payment_card_id: demo.paymentCardId,
    save_card: false,
  });
}

/** A fare that a gate charged to the everyday card, which may start an automatic top-up. */
async function chargeAtGate(context: Context, { everyday }: DemoCustomer, place: string): Promise<void> {
  const occurredAt = context.clock.now();
  const deviceSeq = Math.floor(occurredAt.getTime() / HOUR_MS);
  const charge = { deviceId: GATE, deviceSeq, number: everyday.number, amount: 925, occurredAt, place };
  await takeCharge(context, { charge, actor: { kind: 'server' } });
  await runAutoTopUps(context);
}

async function refundTrip(context: Context, orderId: string): Promise<void> {
  const [order] = await context.db
    .select({ reference: orders.reference })
    .from(orders)
    .where(eq(orders.id, orderId));
  const { refunds } = await refundOrder(context, {
    actor: { kind: 'server' },
    reference: order?.reference ?? '',
    toTripCard: null,
  });
  for (const { id } of refunds) await processOrderRefund(context, id);
}
