import { apiErrors } from '#contract/errors.ts';
import type { Availability, Sailing, SailingsQuery } from '#contract/sailings/schemas.ts';
import { getCapacityNeeded } from '#domain/fares/capacity.ts';
import { checkPromo, type PromoTerms } from '#domain/fares/discounts.ts';
import type { FareBook, Party, PricedParty, Refusal } from '#domain/fares/fare-book.ts';
import { priceCheapest } from '#domain/fares/fares.ts';
import { getAvailability } from '#domain/sailings/availability.ts';
import { getSalesEnd } from '#domain/sailings/sales-end.ts';
import { getLocalDay } from '#domain/time/port-time.ts';
import { describeAvailability } from '#sentences/availability.ts';
import { describeStatus } from '#sentences/exceptions.ts';
import { textsIn } from '#server/core/texts.ts';
import type { Context } from '../context.ts';
import { translateSailing } from '../database/translate-sailing.ts';
import { ApiError } from '../http/api-error.ts';
import { presentSailing, presentStatus } from './presenter.ts';
import { type CatalogueRecord, findPromoCode, type SailingRecord, type TimetableRecord } from './queries.ts';

/** The party to price, and the context of the prices. */
export type SearchContext = {
  party: Party;
  promo: PromoTerms | null;
  /** The booth's telephone; may be empty. */
  phone: string;
  /** Of the texts. */
  language: string;
  catalogue: CatalogueRecord;
  now: Date;
};

export type PartyQuery = Pick<
  SailingsQuery,
  'passengers' | 'vehicle_type' | 'length_cm' | 'height_cm' | 'trailer_cm' | 'bicycles' | 'promo_code'
>;

/**
 * The party of a query; without passengers one of the default type.
 * @throws {ApiError} invalid_input for unknown types, promo_invalid, promo_used_up
 */
export async function readSearchContext(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { query, ...found }: { query: PartyQuery } & Pick<SearchContext, 'catalogue' | 'phone' | 'language'>,
): Promise<SearchContext> {
  const { catalogue } = found;
  const passengers = Object.entries(query.passengers).map(([type, count]) => ({ type, count }));
  for (const { type } of passengers) {
    if (!catalogue.passengerTypes.some((each) => each.code === type))
      throw invalidField(`passengers.${type}`);
  }
  const isVehicleKnown = catalogue.vehicleTypes.some((each) => each.code === query.vehicle_type);
  if (query.vehicle_type !== undefined && !isVehicleKnown) throw invalidField('vehicle_type');
  const usual = catalogue.passengerTypes.find((type) => type.isDefault) ?? catalogue.passengerTypes[0];
  const isAnyone = passengers.every(({ count }) => count === 0);
  const now = clock.now();
  const today = getLocalDay(now.getTime(), catalogue.feed.timeZone);
  return {
    party: {
      passengers: isAnyone && usual ? [{ type: usual.code, count: 1 }] : passengers,
      vehicle: query.vehicle_type === undefined ? null : { type: query.vehicle_type, ...pickSizes(query) },
      bicycles: query.bicycles ?? 0,
    },
    promo: await readPromo(db, query.promo_code, today),
    ...found,
    now,
  };
}

/**
 * A sailing with its availability and price for the party.
 * @throws {ApiError} invalid_input if the party's vehicle lacks a measure that its type requires
 */
export function offerSailing(sailing: SailingRecord, search: SearchContext): Sailing {
  const { party, phone, language, catalogue, now } = search;
  const { priced, reason, ...state } = checkSailing(sailing, search);
  const t = textsIn(language);
  const statusText = describeStatus(t, translateSailing(sailing, language));
  const refusal = priced.ok ? '' : t(apiErrors[priced.code].message);
  const text = describeAvailability(t, reason, { statusText, refusal, phone });
  const availability: Availability = { ...state, text, as_of: now.toISOString() };
  const canBeSold = priced.ok && availability.fits;
  return presentSailing(
    sailing,
    {
      availability,
      from_amount: canBeSold ? priced.total : null,
      currency: catalogue.feed.currency,
    },
    now,
    { hasVehicle: party.vehicle !== null, language },
  );
}

/**
 * Whether the party can buy a sailing, and its price.
 * @throws {ApiError} invalid_input if the party's vehicle lacks a measure that its type requires
 */
export function checkSailing(sailing: SailingRecord, search: SearchContext) {
  const { party, catalogue, now } = search;
  const priced = priceTrip([sailing], search);
  if (!priced.ok && priced.code === 'invalid_input')
    throw invalidField(QUERY_FIELDS[priced.field ?? ''] ?? '');
  const vehicleType = catalogue.vehicleTypes.find((type) => type.code === party.vehicle?.type) ?? null;
  const availability = getAvailability(
    {
      status: presentStatus(sailing, now, { hasVehicle: party.vehicle !== null }),
      salesCloseAt: getSalesEnd(sailing).getTime(),
      capacity: sailing.capacity,
      needs: getCapacityNeeded(party, isCarried(sailing, party) ? vehicleType : null, sailing.vessel),
      isRefused: !priced.ok,
      hasFare: priced.ok || priced.code !== 'no_fare',
    },
    now.getTime(),
  );
  return { ...availability, priced };
}

/**
 * The price of one journey in the cheapest fare class, or why it cannot be sold.
 * @param sailings the only boat, or both of a connection
 */
export function priceTrip(
  sailings: readonly TimetableRecord[],
  { party, promo, catalogue }: SearchContext,
): PricedParty | Refusal {
  const isPromoGood = promo && sailings.some(({ route }) => promo.routeCodes?.includes(route.code) ?? true);
  return priceCheapest({
    sailings: sailings.map(({ id, serviceDate, route, vessel }, index) => ({
      leg: index === 0 ? 'out' : 'out_onward',
      sailingId: id,
      ...{ serviceDate, route, vessel },
    })),
    party,
    book: createFareBook(catalogue),
    promo: isPromoGood ? promo : null,
  });
}

/**
 * Prices of the catalogue in the form that the domain's rules use.
 * @param maxParty most people in an order; absent: in one of the public
 */
export function createFareBook(
  catalogue: CatalogueRecord,
  maxParty: number = catalogue.feed.maxParty,
): FareBook {
  const { passengerTypes, vehicleTypes, fareClasses, fares, taxes } = catalogue;
  const { currency } = catalogue.feed;
  return { currency, maxParty, passengerTypes, vehicleTypes, fareClasses, fares, taxes };
}

/** A route without vehicles is reported as such, not as a full deck. */
function isCarried({ route }: SailingRecord, party: Party): boolean {
  return party.vehicle !== null && route.carriesVehicles;
}

function pickSizes(query: PartyQuery): { length_cm?: number; height_cm?: number; trailer_cm?: number } {
  return {
    ...(query.length_cm === undefined ? {} : { length_cm: query.length_cm }),
    ...(query.height_cm === undefined ? {} : { height_cm: query.height_cm }),
    ...(query.trailer_cm === undefined ? {} : { trailer_cm: query.trailer_cm }),
  };
}

async function readPromo(
  db: Context['db'],
  code: string | undefined,
  today: string,
): Promise<PromoTerms | null> {
  if (code === undefined || code === '') return null;
  const promo = await findPromoCode(db, code);
  const refusal = promo ? checkPromo(promo, today) : 'promo_invalid';
  if (refusal) throw new ApiError(refusal, { field: 'promo_code' });
  return promo;
}

/** Fields of a request by their names in a search query. */
const QUERY_FIELDS: Record<string, string> = {
  'vehicle.type': 'vehicle_type',
  'vehicle.length_cm': 'length_cm',
  'vehicle.height_cm': 'height_cm',
  'vehicle.trailer_cm': 'trailer_cm',
};

function invalidField(field: string): ApiError {
  return new ApiError('invalid_input', field === '' ? {} : { field });
}
