import { randomUUID } from 'node:crypto';
import { and, asc, eq, gte } from 'drizzle-orm';
import type { QuoteRequest } from '#contract/purchase.ts';
import { localTime } from '#domain/port-time.ts';
import { createOrder } from '../checkout/create-order.ts';
import { takeHold } from '../checkout/holds.ts';
import { createQuote } from '../checkout/quotes.ts';
import { startPayment } from '../checkout/start-payment.ts';
import type { CustomerRow } from '../customers/queries.ts';
import { orders } from '../database/schema/sales.ts';
import { ports, routes, sailings } from '../database/schema/timetable.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { settlePaymentIntent } from '../payments/apply-payment-intent.ts';
import { loadCatalogue } from '../sailings/queries.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { findDemoCustomer } from './demo-customer.ts';

const HOUR = 3_600_000;
const CANDIDATES = 40;
const TEST_CARD = 'pm_card_visa';

type Trip = Pick<QuoteRequest, 'legs' | 'passengers' | 'vehicle' | 'bicycles'> & { plate: string | null };

/**
 * Buys two trips for the demo customer, once, as anybody would: price, places, order, test card. One sails
 * today or tomorrow on foot, one next week with a car, there and back. What cannot be bought is left out. Only where
 * the provider is the stand-in: a start must not depend on somebody else's service.
 */
export async function seedDemoOrders(deps: Deps): Promise<void> {
  if (deps.config.stripe !== null) return;
  const customer = await findDemoCustomer(deps.db);
  if (!customer) return;
  const [known] = await deps.db
    .select({ id: orders.id })
    .from(orders)
    .where(eq(orders.customerId, customer.id))
    .limit(1);
  if (known) return;
  for (const trip of [await walkOnTrip(deps), await drivingTrip(deps)]) {
    if (trip) await buy(deps, customer, trip);
  }
}

async function walkOnTrip(deps: Deps): Promise<Trip | null> {
  const out = await nextSailing(deps, { hoursFromNow: 3 });
  const adult = await defaultPassengerType(deps);
  if (!out || !adult) return null;
  return {
    legs: [{ sailing_id: out.id }],
    passengers: [{ type: adult, count: 2 }],
    vehicle: null,
    bicycles: 0,
    plate: null,
  };
}

async function drivingTrip(deps: Deps): Promise<Trip | null> {
  const { routes: all, vehicleTypes } = await loadCatalogue(deps.db);
  const route = all.find((each) => each.carriesVehicles);
  const wayBack = all.find(
    (each) =>
      each.originPortId === route?.destinationPortId && each.destinationPortId === route?.originPortId,
  );
  const car = vehicleTypes.find((each) => each.code === 'car');
  const adult = await defaultPassengerType(deps);
  if (!route || !wayBack || !car || !adult) return null;
  const out = await nextSailing(deps, { hoursFromNow: 7 * 24, routeId: route.id });
  const back = await nextSailing(deps, { hoursFromNow: 9 * 24, routeId: wayBack.id });
  if (!out || !back) return null;
  return {
    legs: [{ sailing_id: out.id }, { sailing_id: back.id }],
    passengers: [{ type: adult, count: 2 }],
    vehicle: { type: car.code, length_cm: 450 },
    bicycles: 0,
    plate: '5KJH 220',
  };
}

async function buy(deps: Deps, customer: CustomerRow, { plate, ...trip }: Trip): Promise<void> {
  try {
    const { fareClasses } = await loadCatalogue(deps.db);
    const request = { ...trip, fare_class: fareClasses.at(-1)?.code ?? '', promo_code: null };
    const quote = await createQuote(deps, request);
    const hold = await takeHold(deps, quote.id, randomUUID());
    const { order } = await createOrder(
      deps,
      {
        hold_id: hold.id,
        quote_id: quote.id,
        contact: { name: customer.name, email: customer.email, phone: customer.phone },
        plate,
        terms_version: (await loadWebSettings(deps)).terms.version,
        locale: 'en-US',
      },
      customer.id,
    );
    await payWithTestCard(deps, order.id);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    deps.log.warn('a demo order could not be bought', { code: error.code });
  }
}

async function payWithTestCard(deps: Deps, orderId: string): Promise<void> {
  const { client_secret: secret = '' } = await startPayment(deps, orderId, '');
  const [intentId = ''] = secret.split('_secret_');
  const intent = await deps.stripe.paymentIntents.confirm(intentId, { payment_method: TEST_CARD });
  await settlePaymentIntent(deps, intent);
}

/** The first sailing from a time on that leaves by day, as people book them; else the first of all. */
async function nextSailing(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { hoursFromNow, routeId }: { hoursFromNow: number; routeId?: string },
): Promise<{ id: string } | undefined> {
  const from = new Date(clock.now().getTime() + hoursFromNow * HOUR);
  const candidates = await db
    .select({ id: sailings.id, departsAt: sailings.departsAt, zone: ports.timeZone })
    .from(sailings)
    .innerJoin(routes, eq(routes.id, sailings.routeId))
    .innerJoin(ports, eq(ports.id, routes.originPortId))
    .where(
      and(
        gte(sailings.departsAt, from),
        eq(sailings.status, 'scheduled'),
        eq(routes.active, true),
        ...(routeId === undefined ? [] : [eq(sailings.routeId, routeId)]),
      ),
    )
    .orderBy(asc(sailings.departsAt), asc(sailings.id))
    .limit(CANDIDATES);
  const byDay = candidates.find(({ departsAt, zone }) => {
    const hour = Number(localTime(departsAt.getTime(), zone).slice(11, 13));
    return hour >= 8 && hour < 18;
  });
  return byDay ?? candidates[0];
}

async function defaultPassengerType({ db }: Pick<Deps, 'db'>): Promise<string | undefined> {
  const { passengerTypes } = await loadCatalogue(db);
  return (passengerTypes.find((each) => each.isDefault) ?? passengerTypes[0])?.code;
}
