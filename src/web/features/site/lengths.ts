import { getNumberFormat } from '#messages/intl.ts';
import { textLanguage } from '#web/language/page-language.ts';

export type Units = 'imperial' | 'metric';

/** "18 ft 6 in", "5.64 m" or "5,64 m", to the nearest inch or centimetre. */
export function formatLength(cm: number, units: Units): string {
  return units === 'imperial' ? formatInches(Math.round(toInches(cm))) : formatMetres(cm);
}

/** "360 m", "1,181 ft": lanes are long, so centimeters do not matter. Rounded down, because a part of a foot is no room. */
export function formatLane(cm: number, units: Units): string {
  const [length, unit] = units === 'imperial' ? [toInches(cm) / 12, 'foot'] : [cm / 100, 'meter'];
  const format = { style: 'unit', unit, maximumFractionDigits: 0 } as const;
  return getNumberFormat(textLanguage(), format).format(Math.floor(length));
}

export function toInches(cm: number): number {
  return (cm * 100) / 254;
}

export function formatInches(inches: number): string {
  const feet = Math.floor(inches / 12);
  const rest = inches % 12;
  return rest === 0 ? `${feet} ft` : `${feet} ft ${rest} in`;
}

export function formatMetres(cm: number): string {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 2, useGrouping: false };
  return `${getNumberFormat(textLanguage(), digits).format(cm / 100)} m`;
}
