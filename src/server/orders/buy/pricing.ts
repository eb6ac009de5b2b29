import { createHash } from 'node:crypto';
import { GROUP_LIMIT } from '#contract/limits.ts';
import type { LegName } from '#contract/orders/buy/legs.ts';
import {
  type Quote,
  type QuoteLine,
  QuoteLineSchema,
  type QuoteRequest,
} from '#contract/orders/buy/schemas.ts';
import { type CapacityItem, getLaneNeeded } from '#domain/fares/capacity.ts';
import { checkPromo } from '#domain/fares/discounts.ts';
import type { Party, PricedLine, PricedParty } from '#domain/fares/fare-book.ts';
import { priceParty } from '#domain/fares/fares.ts';
import { isIncludedDriver } from '#domain/fares/included-driver.ts';
import { isOnwardLeg, nameLegs } from '#domain/orders/legs.ts';
import { isConnected } from '#domain/sailings/connections.ts';
import { getExpectedTimes } from '#domain/sailings/expected-times.ts';
import { getSalesEnd } from '#domain/sailings/sales-end.ts';
import { getLocalDay } from '#domain/time/port-time.ts';
import type { Translate } from '#messages/translate.ts';
import { describeTerms } from '#sentences/fare-policy.ts';
import { describeLine } from '#sentences/order-lines.ts';
import type { Places } from '#server/capacity/places.ts';
import type { SalePoint } from '#server/capacity/sale-conditions.ts';
import { sumPlaces } from '#server/capacity/sum-places.ts';
import type { Context } from '#server/context.ts';
import { present } from '#server/core/present.ts';
import { textsIn } from '#server/core/texts.ts';
import { createSoldNames, type SoldNames } from '#server/database/sold-names.ts';
import { describeFarePolicy } from '#server/documents/travel-text.ts';
import { ApiError } from '#server/http/api-error.ts';
import { loadPriceInputs } from '#server/sailings/price-inputs.ts';
import type { CatalogueRecord, TimetableRecord } from '#server/sailings/queries.ts';
import { createFareBook } from '#server/sailings/search.ts';

/** A priced line and the capacity it takes. */
export type SaleLine = PricedLine & { takes: CapacityItem[] };

/** A request with its current prices, rules and required capacity. */
export type Sale = {
  request: QuoteRequest;
  sailings: TimetableRecord[];
  priced: PricedParty;
  lines: SaleLine[];
  places: Places[];
  promoCode: string | null;
  names: SoldNames;
  /** Of lines, rules and currency. A different fingerprint is a different offer, even with the same total. */
  fingerprint: string;
};

/**
 * The canonical form of a request: legs named, types merged and sorted, promo code in capitals.
 * @throws {ApiError} invalid_input if the legs do not form a trip
 */
export function normalizeRequest(request: QuoteRequest): QuoteRequest {
  const counts = new Map<string, number>();
  for (const { type, count } of request.passengers) counts.set(type, (counts.get(type) ?? 0) + count);
  const passengers = [...counts]
    .filter(([, count]) => count > 0)
    .map(([type, count]) => ({ type, count }))
    .toSorted((a, b) => (a.type < b.type ? -1 : 1));
  const promoCode = request.promo_code?.toUpperCase() || null;
  const names = listLegNames(request);
  const legs = request.legs.map((leg, index) => ({ ...leg, leg: names[index] }));
  return { ...request, legs, passengers, promo_code: promoCode };
}

/**
 * Prices a normalized request with the current prices.
 * @throws {ApiError} not_found for an unknown sailing, or the code of the rule that refuses it
 */
export async function priceRequest(
  context: Pick<Context, 'db' | 'clock'>,
  request: QuoteRequest,
  salePoint: SalePoint = 'online',
): Promise<Sale> {
  const { catalogue, sailings, promo } = await loadPriceInputs(context.db, {
    sailingIds: request.legs.map((leg) => leg.sailing_id),
    promoCode: request.promo_code,
  });
  const now = context.clock.now();
  if (salePoint === 'ramp') requireNotDeparted(sailings);
  else requireOnSale(sailings, now);
  if (request.promo_code) requirePromo(promo, getLocalDay(now.getTime(), catalogue.feed.timeZone));
  const legs = listLegs(request, sailings);
  requireConnected(legs);
  const party: Party = request;
  const priced = priceParty({
    sailings: legs.map(({ leg, sailing }) => ({
      leg,
      sailingId: sailing.id,
      serviceDate: sailing.serviceDate,
      route: sailing.route,
      vessel: sailing.vessel,
    })),
    party,
    fareClass: request.fare_class,
    book: createFareBook(catalogue, salePoint === 'ramp' ? GROUP_LIMIT : undefined),
    promo,
  });
  if (!priced.ok) {
    const { code, field } = priced;
    throw new ApiError(code, field ? { field } : {});
  }
  const lines = priced.lines.map((line) => ({
    ...line,
    takes: calculateTakes(
      line,
      request,
      catalogue,
      sailings.find(({ id }) => id === line.sailingId),
    ),
  }));
  return {
    request,
    sailings,
    priced,
    lines,
    places: sumPlaces(lines),
    promoCode: promo?.code ?? null,
    names: createSoldNames(catalogue),
    fingerprint: hashPrice(priced),
  };
}

/** @throws {ApiError} sailing_canceled, sales_closed */
export function requireOnSale(sailings: readonly TimetableRecord[], now: Date): void {
  for (const sailing of sailings) {
    const details = { details: { sailing_id: sailing.id } };
    if (sailing.status === 'canceled') throw new ApiError('sailing_canceled', details);
    if (sailing.status !== 'scheduled' || getSalesEnd(sailing) <= now) {
      throw new ApiError('sales_closed', details);
    }
  }
}

/** @throws {ApiError} sailing_not_boarding */
export function requireNotDeparted(sailings: readonly TimetableRecord[]): void {
  const boards = sailings.every(({ status, departedAt }) => status === 'scheduled' && departedAt === null);
  if (!boards) throw new ApiError('sailing_not_boarding');
}

/** @throws {ApiError} return_before_outward, connection_missed */
export function requireConnected(legs: readonly { leg: LegName; sailing: TimetableRecord }[]): void {
  for (const [index, { leg, sailing }] of legs.entries()) {
    const before = legs[index - 1]?.sailing;
    if (before && isOnwardLeg(leg) && !canChange(before, sailing)) {
      throw new ApiError('connection_missed', { details: { sailing_id: sailing.id } });
    }
    if (before && leg === 'back' && sailing.departsAt < before.arrivesAt) {
      throw new ApiError('return_before_outward');
    }
  }
}

function canChange(first: TimetableRecord, onward: TimetableRecord): boolean {
  const { id, transferMinutes } = onward.origin;
  if (first.destination.id !== id || transferMinutes === null) return false;
  return isConnected(getExpectedTimes(first), getExpectedTimes(onward), transferMinutes);
}

/** A price line before it is bought. */
export function presentLine(t: Translate, line: PricedLine): QuoteLine {
  const description = describeLine(t, line);
  const isDriver = isIncludedDriver(line) || undefined;
  return present(QuoteLineSchema, { ...line, description, isDriver });
}

/** `id` is the signed offer itself; `language`: of the texts. */
type QuoteInput = { id: string; expiresAt: Date; language: string; now: Date };

/** The quote as the API returns it. */
export function presentQuote(sale: Sale, { id, expiresAt, language, now }: QuoteInput): Quote {
  const { priced, sailings } = sale;
  const { code, name, policy } = priced.fareClass;
  const legs = listLegs(sale.request, sailings).map(({ leg, sailing }) => ({ leg, ...sailing }));
  const format = { currency: priced.currency, language };
  const t = textsIn(language);
  const terms = describeFarePolicy(policy, format, { legs }, now, describeTerms);
  return {
    id,
    lines: priced.lines.map((line) => presentLine(t, sale.names.translateLine(line, language))),
    ...(sailings.some(({ route }) => route.needsPassengerList) ? { needs_passenger_list: true } : {}),
    subtotal: priced.subtotal,
    discount: priced.discount,
    tax: priced.tax,
    total: priced.total,
    currency: priced.currency,
    promo_code: sale.promoCode,
    fare_class: {
      code,
      name: sale.names.translateFareClass({ code, name }, language),
      summary: terms.join(' '),
    },
    policy,
    policy_text: describeFarePolicy(policy, format, { legs }, now),
    expires_at: expiresAt.toISOString(),
  };
}

function requirePromo(promo: Parameters<typeof checkPromo>[0] | null, today: string): void {
  const refusal = promo ? checkPromo(promo, today) : 'promo_invalid';
  if (refusal) throw new ApiError(refusal, { field: 'promo_code' });
}

/** Passenger lines count people, vehicle lines take lane length, bicycle lines take rack places. */
export function calculateTakes(
  line: PricedLine,
  request: Pick<QuoteRequest, 'vehicle'>,
  { vehicleTypes }: CatalogueRecord,
  sailing: TimetableRecord | undefined,
): CapacityItem[] {
  if (line.kind === 'passenger') return [{ resource: 'passenger', amount: line.quantity }];
  if (line.kind === 'bicycle') return [{ resource: 'bicycle', amount: line.quantity }];
  const type = vehicleTypes.find((each) => each.code === line.typeCode);
  if (line.kind !== 'vehicle' || !request.vehicle || !type || !sailing) return [];
  return [getLaneNeeded(request.vehicle, type, sailing.vessel)].filter(({ amount }) => amount > 0);
}

function hashPrice({ lines, fareClass, currency }: PricedParty): string {
  // Earlier releases hash lines without tax parts; their quotes and holds stay valid.
  const hashed = lines.map(({ taxParts, ...line }) => (taxParts ? { ...line, taxParts } : line));
  return createHash('sha256')
    .update(JSON.stringify([hashed, fareClass.code, fareClass.policy, currency]))
    .digest('base64url')
    .slice(0, 22);
}

/** The sailings of a request with the names of their legs. */
function listLegs(
  request: QuoteRequest,
  sailings: readonly TimetableRecord[],
): { leg: LegName; sailing: TimetableRecord }[] {
  return listLegNames(request).flatMap((leg, index) => {
    const sailing = sailings[index];
    return sailing ? [{ leg, sailing }] : [];
  });
}

/** @throws {ApiError} invalid_input if the legs do not form a trip */
function listLegNames({ legs }: QuoteRequest): LegName[] {
  const names = nameLegs(legs.map(({ leg }) => leg));
  if (!names) throw new ApiError('invalid_input', { field: 'legs' });
  return names;
}
