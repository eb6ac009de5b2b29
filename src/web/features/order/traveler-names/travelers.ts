import { listTravelers } from '#domain/orders/travelers.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import type { FieldError } from '#web/ui/form/error-summary.tsx';

type Lines = Parameters<typeof listTravelers>[0];

export type Traveler = {
  /** "Adult 2": the same person also after the rest of the party has changed. */
  key: string;
  /** "Adult 2", or "Adult" for the only one. */
  label: string;
  fieldId: string;
};

/** Those who travel, in the order of the fare lines. */
export function travelersOf(lines: Lines): Traveler[] {
  const types = listTravelers(lines);
  return types.map((type, index) => {
    const key = `${type} ${types.slice(0, index + 1).filter((each) => each === type).length}`;
    const isOnly = types.filter((each) => each === type).length === 1;
    return { key, label: isOnly ? type : key, fieldId: travelerField(index) };
  });
}

export function travelerField(index: number | string): string {
  return `traveler-${index}`;
}

/** The field that the server's `traveler_names.2` is about; null for any other. */
export function findTravelerField(field: string | undefined): string | null {
  const [, index] = /^traveler_names\.(\d+)$/.exec(field ?? '') ?? [];
  return index === undefined ? null : travelerField(index);
}

/** The names that the server refused, beside their fields; empty when the failure is about something else. */
export function findRefusedNames(failure: unknown): FieldError[] {
  const errors = failure instanceof ApiError ? failure.errors : [];
  return errors.flatMap(({ field, message }) => {
    const fieldId = findTravelerField(field);
    return fieldId === null ? [] : [{ fieldId, message }];
  });
}
