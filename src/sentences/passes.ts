import { formatList } from '#messages/intl.ts';
import type { Translate } from '#messages/translate.ts';

/** The terms of a pass, as screens have them. */
type PassConditions = {
  trips: number;
  /** Null: every line. */
  lines: readonly string[] | null;
  lineNames: readonly string[];
  /** Null: everyone; empty: only the driver of the vehicle. */
  passengerTypes: readonly string[] | null;
  passengerNames: readonly string[];
  vehicleName: string | null;
  /** Null: without an end. */
  validDays: number | null;
  validFrom: 'purchase' | 'first_use';
};

/** The conditions of a pass in sentences, shown before the purchase and with the pass. */
export function describePass(t: Translate, language: string, terms: PassConditions): string[] {
  return [
    `${t('{trips, plural, one {# trip} other {# trips}}.', terms)} ${describeCovered(t, language, terms)}`,
    terms.lines === null
      ? t('Valid on every line.')
      : t('Valid on: {lines}.', { lines: terms.lineNames.join('; ') }),
    describeValidity(t, terms),
  ];
}

function describeCovered(
  t: Translate,
  language: string,
  { passengerTypes, passengerNames, vehicleName: vehicle }: PassConditions,
): string {
  const passengers = formatList(language, passengerNames, { type: 'unit' });
  if (vehicle === null) {
    return passengerTypes === null
      ? t('One trip pays for one person on one way, also with a change of boats.')
      : t('One trip pays for one person ({passengers}) on one way, also with a change of boats.', {
          passengers,
        });
  }
  if (passengerTypes?.length === 0) {
    return t(
      'One trip pays for one vehicle ({vehicle}) with its driver on one way, also with a change of boats.',
      { vehicle },
    );
  }
  return passengerTypes === null
    ? t(
        'One trip pays for one person or one vehicle ({vehicle}) with its driver on one way, also with a change of boats.',
        { vehicle },
      )
    : t(
        'One trip pays for one person ({passengers}) or one vehicle ({vehicle}) with its driver on one way, also with a change of boats.',
        { passengers, vehicle },
      );
}

function describeValidity(t: Translate, { validDays: days, validFrom }: PassConditions): string {
  if (days === null) return t('It does not expire.');
  return validFrom === 'purchase'
    ? t(
        'Travel must begin within {days, plural, one {# day} other {# days}} after you buy it. Buying it again extends this.',
        { days },
      )
    : t(
        'Travel must begin within {days, plural, one {# day} other {# days}} after you first use it. Buying it again extends this.',
        { days },
      );
}
