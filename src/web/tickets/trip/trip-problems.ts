import { partyErrorTexts } from '#contract/orders/buy/party-errors.ts';
import type { Catalogue, Route, VehicleType } from '#web/platform/api/types.ts';
import { canTravel, findRoute, findVehicleType, partySize, type TripSearch } from './trip-search.ts';
import { formatLongest, parseLength, type Units } from './units.ts';

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
  if (!canTravel(catalogue, trip.from, trip.to)) return { [to]: 'Choose where you are going.' };
  const problems: Record<string, string> = {};
  if (trip.outDate === '') problems[outDate] = dateProblems.outDate ?? 'Choose the day you leave.';
  if (trip.tripType === 'one-way') return problems;
  if (!canTravel(catalogue, trip.to, trip.from)) {
    problems[to] = 'This route has no return sailings. Choose one way.';
  } else if (trip.backDate === '') {
    problems[backDate] = dateProblems.backDate ?? 'Choose the day you return.';
  } else if (trip.backDate < trip.outDate) {
    problems[backDate] = 'The return is before the day you leave.';
  }
  return problems;
}

function findPartyProblems(catalogue: Catalogue, trip: TripSearch): TripProblems {
  const fieldId = passengerFieldId(catalogue.passengerTypes[0]?.code ?? '');
  const size = partySize(trip);
  if (size === 0) return { [fieldId]: partyErrorTexts.no_passengers };
  if (size > catalogue.maxParty) return { [fieldId]: partyErrorTexts.party_too_large };
  const types = catalogue.passengerTypes.filter(({ code }) => (trip.passengers[code] ?? 0) > 0);
  const hasAdult = types.some(({ needsAdult }) => !needsAdult);
  return hasAdult ? {} : { [fieldId]: partyErrorTexts.needs_adult };
}

function findVehicleProblems(catalogue: Catalogue, trip: TripSearch, units: Units): TripProblems {
  const type = findVehicleType(catalogue, trip);
  const route = findRoute(catalogue, trip.from, trip.to);
  const problems: Record<string, string> = {};
  if (type !== null && route?.carriesVehicles === false) {
    problems[tripFields.vehicle] = partyErrorTexts.vehicles_not_carried;
  }
  if (trip.bicycles > 0 && route?.carriesBicycles === false) {
    problems[tripFields.bicycles] = partyErrorTexts.bicycles_not_carried;
  }
  if (type === null) return problems;
  const limits = findSizeLimits(type, route);
  function check(size: keyof typeof limits, name: string = size): void {
    const problem = findSizeProblem(name, trip[size], units, limits[size]);
    if (problem !== null) problems[tripFields[size]] = problem;
  }
  if (type.lengthRequired) check('length');
  if (type.heightRequired) check('height');
  if (type.allowsTrailer && trip.hasTrailer) check('trailer', 'trailer’s length');
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

function findSizeProblem(name: string, typed: string, units: Units, { min, max }: Limits): string | null {
  const cm = parseLength(typed, units);
  if (cm === null || cm === 0) {
    return `Enter the ${name}, like ${units === 'imperial' ? '18 ft 6 in' : '5.6 m'}.`;
  }
  if (max !== null && cm > max) {
    return `The ${name} can be at most ${formatLongest(max, units)} on this route.`;
  }
  return min !== null && cm < min ? `Check the ${name}. It is too small for this vehicle.` : null;
}

function findSmallest(...limits: (number | null | undefined)[]): number | null {
  const given = limits.filter((limit) => limit != null);
  return given.length === 0 ? null : Math.min(...given);
}
