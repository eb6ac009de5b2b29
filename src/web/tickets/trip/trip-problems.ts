import { partyErrorTexts } from '#contract/orders/buy/party-errors.ts';
import { formatLength, type Units } from '#web/features/site/lengths.ts';
import { formatLongest, parseLength } from '#web/features/site/units.ts';
import { t } from '#web/language/texts.ts';
import type { Catalogue, Route, VehicleType } from '#web/platform/api/types.ts';
import { canTravel, findRoute, findVehicleType, partySize, type TripSearch } from './trip-search.ts';

/** Ids of the form's fields. */
export const tripFields = {
  to: 'trip-to',
  outDate: 'trip-out-date',
  backDate: 'trip-back-date',
  vehicle: 'trip-vehicle',
  length: 'trip-length',
  height: 'trip-height',
  trailer: 'trip-trailer',
  bicycles: 'trip-bicycles',
} as const;

export function passengerFieldId(code: string): string {
  return `trip-passengers-${code}`;
}

/** Messages by the field's id. */
export type TripProblems = Readonly<Record<string, string>>;

/** Errors of the text in the date fields. */
export type DateProblems = { outDate?: string | null; backDate?: string | null };

export function findTripProblems(
  catalogue: Catalogue,
  trip: TripSearch,
  units: Units,
  dateProblems: DateProblems = {},
): TripProblems {
  return {
    ...findRouteProblems(catalogue, trip, dateProblems),
    ...findPartyProblems(catalogue, trip),
    ...findVehicleProblems(catalogue, trip, units),
  };
}

function findRouteProblems(catalogue: Catalogue, trip: TripSearch, dateProblems: DateProblems): TripProblems {
  const { to, outDate, backDate } = tripFields;
  if (!canTravel(catalogue, trip.from, trip.to)) return { [to]: t('Choose where you are going.') };
  const problems: Record<string, string> = {};
  if (trip.outDate === '') problems[outDate] = dateProblems.outDate ?? t('Choose the day you leave.');
  if (trip.tripType === 'one-way') return problems;
  if (!canTravel(catalogue, trip.to, trip.from)) {
    problems[to] = t('This route has no return sailings. Choose one way.');
  } else if (trip.backDate === '') {
    problems[backDate] = dateProblems.backDate ?? t('Choose the day you return.');
  } else if (trip.backDate < trip.outDate) {
    problems[backDate] = t('The return is before the day you leave.');
  }
  return problems;
}

function findPartyProblems(catalogue: Catalogue, trip: TripSearch): TripProblems {
  const fieldId = passengerFieldId(catalogue.passengerTypes[0]?.code ?? '');
  const size = partySize(trip);
  if (size === 0) return { [fieldId]: t(partyErrorTexts.no_passengers) };
  if (size > catalogue.maxParty) return { [fieldId]: t(partyErrorTexts.party_too_large) };
  const types = catalogue.passengerTypes.filter(({ code }) => (trip.passengers[code] ?? 0) > 0);
  const hasAdult = types.some(({ needsAdult }) => !needsAdult);
  return hasAdult ? {} : { [fieldId]: t(partyErrorTexts.needs_adult) };
}

function findVehicleProblems(catalogue: Catalogue, trip: TripSearch, units: Units): TripProblems {
  const type = findVehicleType(catalogue, trip);
  const route = findRoute(catalogue, trip.from, trip.to);
  const problems: Record<string, string> = {};
  if (type !== null && route?.carriesVehicles === false) {
    problems[tripFields.vehicle] = t(partyErrorTexts.vehicles_not_carried);
  }
  if (trip.bicycles > 0 && route?.carriesBicycles === false) {
    problems[tripFields.bicycles] = t(partyErrorTexts.bicycles_not_carried);
  }
  if (type === null) return problems;
  const limits = findSizeLimits(type, route);
  function check(size: keyof typeof limits): void {
    const problem = findSizeProblem(size, trip[size], units, limits[size]);
    if (problem !== null) problems[tripFields[size]] = problem;
  }
  if (type.lengthRequired) check('length');
  if (type.heightRequired) check('height');
  if (type.allowsTrailer && trip.hasTrailer) check('trailer');
  return problems;
}

export type Limits = { min: number | null; max: number | null };

/** In centimetres; null if there is no limit. */
export function findSizeLimits(type: VehicleType, route: Route | null) {
  return {
    length: { min: type.minLengthCm, max: findSmallest(type.maxLengthCm, route?.maxVehicleLengthCm) },
    height: { min: null, max: findSmallest(type.maxHeightCm, route?.maxVehicleHeightCm) },
    trailer: { min: null, max: null },
  } satisfies Record<string, Limits>;
}

function findSizeProblem(
  size: 'length' | 'height' | 'trailer',
  typed: string,
  units: Units,
  { min, max }: Limits,
): string | null {
  const cm = parseLength(typed, units);
  if (size === 'length' && typed.trim() === '') return t('Choose the length of your vehicle, or enter it.');
  if (cm === null || cm === 0) {
    return t(
      '{size, select, height {Enter the height, like {example}.} trailer {Enter the trailer’s length, like {example}.} other {Enter the length, like {example}.}}',
      { size, example: units === 'imperial' ? '18 ft 6 in' : formatLength(560, units) },
    );
  }
  if (max !== null && cm > max) {
    return t(
      '{size, select, height {The height can be at most {longest} on this route.} trailer {The trailer’s length can be at most {longest} on this route.} other {The length can be at most {longest} on this route.}}',
      { size, longest: formatLongest(max, units) },
    );
  }
  if (min === null || cm >= min) return null;
  return t(
    '{size, select, height {Check the height. It is too small for this vehicle.} trailer {Check the trailer’s length. It is too small for this vehicle.} other {Check the length. It is too small for this vehicle.}}',
    { size },
  );
}

function findSmallest(...limits: (number | null | undefined)[]): number | null {
  const given = limits.filter((limit) => limit != null);
  return given.length === 0 ? null : Math.min(...given);
}
