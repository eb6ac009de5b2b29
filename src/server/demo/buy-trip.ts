import { randomUUID } from 'node:crypto';
import { and, asc, eq, gte, lt, type SQL } from 'drizzle-orm';
import type { QuoteRequest } from '#contract/orders/buy/schemas.ts';
import { formatLocalTime, getLocalDay } from '#domain/time/port-time.ts';
import type { Context } from '../context.ts';
import { mails } from '../database/schema/system.ts';
import { ports, routes, sailings, vessels, voyages } from '../database/schema/timetable.ts';
import { ApiError } from '../http/api-error.ts';
import type { CustomerRow } from '../identity/customers.ts';
import { createOrder } from '../orders/buy/create-order.ts';
import { takeHold } from '../orders/buy/holds.ts';
import type { PaymentInput } from '../orders/buy/payment-input.ts';
import { createQuote } from '../orders/buy/quotes.ts';
import { startPayment } from '../orders/buy/start-payment.ts';
import { orderSubject } from '../orders/pay/order-subject.ts';
import { settleIntent } from '../payments/settle-intent.ts';
import { loadCatalogue } from '../sailings/queries.ts';
import { loadWebSettings } from '../settings/web-settings.ts';

export const HOUR_MS = 3_600_000;
const CANDIDATES = 60;
/** Vessels for fewer passengers are water taxis. */
const FERRY_PASSENGERS = 100;
/** Time between purchase and departure: sales close at most half an hour before departure. */
const LEAD_MS = HOUR_MS;
/** The id of a Visa card that the provider's test mode never declines. */
export const TEST_CARD = 'pm_card_visa';

/** A trip of the demo customer. Routes and types have the demo feed's names. */
export type Trip = {
  /** The codes of the outbound route and, for a return trip, the return route. */
  out: string;
  back?: { route: string; hoursLater: number };
  passengers: Record<string, number>;
  carCm?: number;
  bicycles?: number;
  isSaver?: boolean;
};

/** The buyer and the means of payment: a newly entered test card or a trip card. */
export type Buyer = {
  contact: Pick<CustomerRow, 'name' | 'email' | 'phone'>;
  customerId: string | null;
  tripCard?: PaymentInput;
};

/**
 * Buys a trip on the first daytime sailing from `from` on, with the steps of any purchase: quote, hold, order, payment.
 * @returns the order's id; null if the trip cannot be bought, which is logged
 */
export function buyTrip(
  context: Context,
  { buyer, trip, from }: { buyer: Buyer; trip: Trip; from: Date },
): Promise<string | null> {
  return buyIfPossible(context, buyer, () => findRequest(context, trip, from));
}

/** Buys places for adults on one sailing, like `buyTrip`. */
export function buyPlaces(
  context: Context,
  { buyer, sailing, adults }: { buyer: Buyer; sailing: { id: string }; adults: number },
): Promise<string | null> {
  return buyIfPossible(context, buyer, () =>
    quoteRequest(context, { passengers: { adult: adults } }, [sailing]),
  );
}

async function buyIfPossible(
  context: Context,
  buyer: Buyer,
  find: () => Promise<QuoteRequest | null>,
): Promise<string | null> {
  try {
    const request = await find();
    return request && (await buy(context, buyer, request));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    context.log.warn('a demo order could not be bought', { code: error.code });
    return null;
  }
}

/** Marks queued mails as sent, without sending them. */
export async function markMailsSent({ db }: Pick<Context, 'db'>, condition: SQL): Promise<void> {
  await db
    .update(mails)
    .set({ status: 'sent', sentAt: mails.insertedAt, encryptedData: null })
    .where(and(eq(mails.status, 'queued'), condition));
}

/** A sailing, its route code, its departure, and the zone of its port. */
type Candidate = { id: string; route: string; departsAt: Date; zone: string };

/** A sailing that departs later today in the port's zone, preferably by day; null if none is left. */
export async function findSailingToday(context: Pick<Context, 'db' | 'clock'>): Promise<Candidate | null> {
  const now = context.clock.now().getTime();
  const upcoming = await findSailings(context, new Date(now + LEAD_MS));
  const today = upcoming.filter(
    ({ departsAt, zone }) => getLocalDay(departsAt.getTime(), zone) === getLocalDay(now, zone),
  );
  return preferDay(today) ?? null;
}

async function findRequest(context: Context, trip: Trip, from: Date): Promise<QuoteRequest | null> {
  const out = preferDay(await findSailings(context, from, trip.out));
  const later = out && trip.back && new Date(out.departsAt.getTime() + trip.back.hoursLater * HOUR_MS);
  const back =
    later && trip.back ? preferDay(await findSailings(context, later, trip.back.route)) : undefined;
  if (!out || (trip.back && !back)) return null;
  return quoteRequest(context, trip, back ? [out, back] : [out]);
}

async function quoteRequest(
  context: Context,
  trip: Omit<Trip, 'out' | 'back'>,
  legs: readonly { id: string }[],
): Promise<QuoteRequest> {
  const { fareClasses } = await loadCatalogue(context.db);
  return {
    legs: legs.map(({ id }) => ({ sailing_id: id })),
    passengers: Object.entries(trip.passengers).map(([type, count]) => ({ type, count })),
    vehicle: trip.carCm === undefined ? null : { type: 'car', length_cm: trip.carCm },
    bicycles: trip.bicycles ?? 0,
    fare_class: fareClasses.at(trip.isSaver ? 0 : -1)?.code ?? '',
    promo_code: null,
  };
}

async function buy(context: Context, buyer: Buyer, request: QuoteRequest): Promise<string> {
  const quote = await createQuote(context, request, 'en-US');
  const hold = await takeHold(context, { quoteId: quote.id, claim: randomUUID(), network: null });
  const { name, email, phone } = buyer.contact;
  const {
    record: { order },
  } = await createOrder(context, {
    hold_id: hold.id,
    quote_id: quote.id,
    contact: { name, email, phone },
    plate: request.vehicle === null ? null : '5KJH 220',
    terms_version: (await loadWebSettings(context)).terms.version,
    locale: 'en-US',
    customerId: buyer.customerId,
  });
  const payment = await startPayment(context, {
    orderId: order.id,
    network: '',
    language: 'en-US',
    payerId: buyer.customerId,
    payment: buyer.tripCard ?? null,
  });
  if (payment.client_secret !== undefined) await payWithTestCard(context, payment.client_secret);
  return order.id;
}

async function payWithTestCard(context: Context, secret: string): Promise<void> {
  const [intentId = ''] = secret.split('_secret_');
  const charge = { cardId: TEST_CARD, returnUrl: context.config.origins.tickets };
  await settleIntent(context, {
    subject: orderSubject,
    intent: await context.provider.confirmIntent(intentId, charge),
  });
}

/** Sailings of large vessels on sale within a week after a time, earliest first. Water taxis may be full. */
function findSailings({ db }: Pick<Context, 'db'>, from: Date, route?: string): Promise<Candidate[]> {
  return db
    .select({ id: sailings.id, route: routes.code, departsAt: sailings.departsAt, zone: ports.timeZone })
    .from(sailings)
    .innerJoin(routes, eq(routes.id, sailings.routeId))
    .innerJoin(ports, eq(ports.id, routes.originPortId))
    .innerJoin(voyages, eq(voyages.id, sailings.voyageId))
    .innerJoin(vessels, eq(vessels.id, voyages.vesselId))
    .where(
      and(
        gte(sailings.departsAt, from),
        lt(sailings.departsAt, new Date(from.getTime() + 7 * 24 * HOUR_MS)),
        eq(sailings.status, 'scheduled'),
        eq(routes.active, true),
        gte(vessels.passengerCapacity, FERRY_PASSENGERS),
        ...(route === undefined ? [] : [eq(routes.code, route)]),
      ),
    )
    .orderBy(asc(sailings.departsAt), asc(sailings.id))
    .limit(CANDIDATES);
}

/** The first sailing that departs by day; otherwise the first one. */
function preferDay(candidates: readonly Candidate[]): Candidate | undefined {
  const byDay = candidates.find(({ departsAt, zone }) => {
    const hour = Number(formatLocalTime(departsAt.getTime(), zone).slice(11, 13));
    return hour >= 8 && hour < 18;
  });
  return byDay ?? candidates[0];
}
