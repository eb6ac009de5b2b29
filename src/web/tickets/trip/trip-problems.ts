import { partyErrors } from '#contract/checkout/party-errors.ts';
import type { Catalogue } from '#web/platform/api/types.ts';
import type { FieldError } from '#web/ui/form/error-summary.tsx';
import { findLegRoute, findRoute, findVehicleType, partySize, type Trip } from './trip.ts';
import { formatLongest, parseLength, type Units } from './units.ts';

/** Ids of the form's fields, for errors to point at. */
export const tripFields = {
  to: 'trip-to',
  outDate: 'trip-out-date',
  backDate: 'trip-back-date',
  passengers: 'trip-passengers',
  vehicle: 'trip-vehicle',
  length: 'trip-length',
  height: 'trip-height',
  trailer: 'trip-trailer',
  bicycles: 'trip-bicycles',
} as const;

/** What is wrong with the text in a date field, by the field's id; null if nothing is. */
export type DateProblems = Readonly<Record<string, string | null>>;

/** What stands in the way of asking for sailings; empty when nothing does. */
export function findTripProblems(
  catalogue: Catalogue,
  trip: Trip,
  units: Units,
  dateProblems: DateProblems = {},
): FieldError[] {
  return [
    ...wayProblems(catalogue, trip, dateProblems),
    ...partyProblems(catalogue, trip),
    ...vehicleProblems(catalogue, trip, units),
  ];
}

export function problemOf(problems: readonly FieldError[], fieldId: string): string | undefined {
  return problems.find((problem) => problem.fieldId === fieldId)?.message;
}

function wayProblems(catalogue: Catalogue, trip: Trip, dateProblems: DateProblems): FieldError[] {
  const missing = (fieldId: string, message: string) => ({
    fieldId,
    message: dateProblems[fieldId] ?? message,
  });
  if (findRoute(catalogue, trip.from, trip.to) === null) {
    return [{ fieldId: tripFields.to, message: 'Choose where you are going.' }];
  }
  const problems: FieldError[] = [];
  if (trip.outDate === '') {
    problems.push(missing(tripFields.outDate, 'Choose the day you leave.'));
  }
  if (trip.way === 'one-way') return problems;
  if (findLegRoute(catalogue, trip, 'back') === null) {
    problems.push({ fieldId: tripFields.to, message: 'This route has no return sailings. Choose one way.' });
  } else if (trip.backDate === '') {
    problems.push(missing(tripFields.backDate, 'Choose the day you return.'));
  } else if (trip.backDate < trip.outDate) {
    problems.push({ fieldId: tripFields.backDate, message: 'The return is before the day you leave.' });
  }
  return problems;
}

function partyProblems(catalogue: Catalogue, trip: Trip): FieldError[] {
  const fieldId = passengerFieldId(catalogue.passengerTypes[0]?.code ?? '');
  const size = partySize(trip);
  if (size === 0) return [{ fieldId, message: partyErrors.no_passengers.message }];
  if (size > catalogue.maxParty) return [{ fieldId, message: partyErrors.party_too_large.message }];
  const types = catalogue.passengerTypes.filter(({ code }) => (trip.passengers[code] ?? 0) > 0);
  return types.every(({ needsAdult }) => needsAdult)
    ? [{ fieldId, message: partyErrors.needs_adult.message }]
    : [];
}

export function passengerFieldId(code: string): string {
  return `${tripFields.passengers}-${code}`;
}

function vehicleProblems(catalogue: Catalogue, trip: Trip, units: Units): FieldError[] {
  const type = findVehicleType(catalogue, trip);
  const route = findRoute(catalogue, trip.from, trip.to);
  const problems: FieldError[] = [];
  if (type !== null && route?.carriesVehicles === false) {
    problems.push({ fieldId: tripFields.vehicle, message: partyErrors.vehicles_not_carried.message });
  }
  if (trip.bicycles > 0 && route?.carriesBicycles === false) {
    problems.push({ fieldId: tripFields.bicycles, message: partyErrors.bicycles_not_carried.message });
  }
  if (type === null) return problems;
  if (type.lengthRequired) {
    const max = smallest(type.maxLengthCm, route?.maxVehicleLengthCm ?? null);
    problems.push(
      ...sizeProblems(tripFields.length, 'length', trip.length, units, { min: type.minLengthCm, max }),
    );
  }
  if (type.heightRequired) {
    const max = smallest(type.maxHeightCm, route?.maxVehicleHeightCm ?? null);
    problems.push(...sizeProblems(tripFields.height, 'height', trip.height, units, { min: null, max }));
  }
  if (type.allowsTrailer && trip.hasTrailer) {
    problems.push(
      ...sizeProblems(tripFields.trailer, 'trailer’s length', trip.trailer, units, { min: null, max: null }),
    );
  }
  return problems;
}

function sizeProblems(
  fieldId: string,
  name: string,
  typed: string,
  units: Units,
  { min, max }: { min: number | null; max: number | null },
): FieldError[] {
  const cm = parseLength(typed, units);
  if (cm === null || cm === 0) {
    const example = units === 'imperial' ? '18 ft 6 in' : '5.6 m';
    return [{ fieldId, message: `Enter the ${name}, like ${example}.` }];
  }
  if (max !== null && cm > max) {
    return [{ fieldId, message: `The ${name} can be at most ${formatLongest(max, units)} on this route.` }];
  }
  if (min !== null && cm < min) {
    return [{ fieldId, message: `Check the ${name}. It is too small for this vehicle.` }];
  }
  return [];
}

/** Null if there is no limit. */
export function smallest(...limits: (number | null)[]): number | null {
  const known = limits.filter((limit) => limit !== null);
  return known.length === 0 ? null : Math.min(...known);
}
