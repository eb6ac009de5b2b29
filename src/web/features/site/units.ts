import { formatInches, formatMetres, toInches, type Units } from './lengths.ts';

/**
 * Whole centimetres of a length as people write it: `18 ft 6 in`, `18'6"`, `222 in`, `5.64 m`, `5 m 64` or `564 cm`; a
 * number without a unit is in feet or metres, as `units` says. Null if it is not a length. An inch is 2.54 cm by
 * definition, so the result is exact but for the last rounding.
 */
export function parseLength(text: string, units: Units): number | null {
  const typed = text
    .trim()
    .toLowerCase()
    .replaceAll(',', '.')
    .replaceAll(/[’′]/g, "'")
    .replaceAll(/[”″]|''/g, '"');
  if (/^[\d. ]+$/.test(typed)) return units === 'imperial' ? parseFeet(typed) : parseMetres(typed);
  return parseFeet(typed) ?? parseMetres(typed);
}

/** The lengths up to which most cars are. */
export const USUAL_LENGTHS = { imperial: ['18 ft', '22 ft'], metric: ['5.5 m', '6.7 m'] } as const;

/** As a customer would type it: a usual length, or meters, which round no centimeters. */
export function writeLength(cm: number, units: Units): string {
  return USUAL_LENGTHS[units].find((length) => parseLength(length, units) === cm) ?? formatMetres(cm);
}

/** The largest length that, typed in this unit, is within the limit. */
export function formatLongest(cm: number, units: Units): string {
  return units === 'imperial' ? formatInches(Math.floor(toInches(cm + 0.5) - 1e-9)) : formatMetres(cm);
}

const FEET = /^(\d+(?:\.\d+)?)\s*(?:'|ft\.?|feet|foot)?(?:\s*(\d+(?:\.\d+)?)\s*(?:"|in\.?|inch|inches)?)?$/;
const INCHES = /^(\d+(?:\.\d+)?)\s*(?:"|in\.?|inch|inches)$/;
const METRES = /^(\d+(?:\.\d+)?)\s*(m|meters?|m[eè]tres?|cm)?$/;
const METRES_AND_CENTIMETRES = /^(\d+)\s*m\s*(\d{2})(?:\s*cm)?$/;

function parseFeet(typed: string): number | null {
  const alone = INCHES.exec(typed);
  if (alone) return inchesToCm(Number(alone[1]));
  const parts = FEET.exec(typed);
  return parts && inchesToCm(Number(parts[1]) * 12 + Number(parts[2] ?? 0));
}

function inchesToCm(inches: number): number {
  return Math.round(Math.round(inches * 25_400) / 10_000);
}

function parseMetres(typed: string): number | null {
  const both = METRES_AND_CENTIMETRES.exec(typed);
  if (both) return Number(both[1]) * 100 + Number(both[2]);
  const parts = METRES.exec(typed);
  if (!parts) return null;
  return Math.round(Number(parts[1]) * (parts[2] === 'cm' ? 1 : 100));
}
