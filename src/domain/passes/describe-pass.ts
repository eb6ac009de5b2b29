import { describeCount } from '../fares/party.ts';

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
export function describePass(terms: PassConditions): string[] {
  return [
    `${describeCount(terms.trips, 'trip')}. One trip pays for ${describeCovered(terms)} on one way, also with a change of boats.`,
    terms.lines === null ? 'Valid on every line.' : `Valid on: ${terms.lineNames.join('; ')}.`,
    describeValidity(terms),
  ];
}

function describeCovered({ passengerTypes, passengerNames, vehicleName }: PassConditions): string {
  const person = passengerTypes === null ? 'one person' : `one person (${passengerNames.join(', ')})`;
  if (vehicleName === null) return person;
  const vehicle = `one vehicle (${vehicleName}) with its driver`;
  return passengerTypes?.length === 0 ? vehicle : `${person} or ${vehicle}`;
}

function describeValidity({ validDays: days, validFrom }: PassConditions): string {
  if (days === null) return 'It does not expire.';
  const start = validFrom === 'purchase' ? 'after you buy it' : 'after you first use it';
  return `Travel must begin within ${describeCount(days, 'day')} ${start}. Buying it again extends this.`;
}
