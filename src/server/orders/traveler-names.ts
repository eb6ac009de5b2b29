import { ApiError } from '../http/api-error.ts';

/**
 * Refuses more names than travelers.
 * @throws {ApiError} invalid_input
 */
export function requireTravelers(names: readonly string[] = [], travelers: number): void {
  if (names.length <= travelers) return;
  throw new ApiError('invalid_input', {
    field: 'traveler_names',
    reason: 'too_many_names',
  });
}
