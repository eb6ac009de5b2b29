import { isDeepStrictEqual } from 'node:util';
import { CARD_NAME_LENGTH, PASS_TRIPS_LIMIT } from '#contract/limits.ts';
import { PASS_STARTS, type PassTerms } from '#contract/passes/pass-terms.ts';
import { getChargeRules } from '#domain/trip-cards/card-charges.ts';
import { listOfferedLanguages } from '#messages/languages.ts';
import {
  type Translation,
  type Translations,
  translateTexts,
  translationKey,
} from '#messages/translations.ts';
import type { Row } from '#server/csv/table.ts';
import { type FeedInput, readFeedTable } from '../feed-tables.ts';
import { requireShortNames, typeCode } from '../keyed-rows.ts';
import type { OperatorFiles } from '../operator-files.ts';
import { readMoney } from './read-money.ts';
import { listWords, type ParsedFeed, readRouteIds } from './route-columns.ts';

export type PlannedPass = { code: string; terms: PassTerms; sort: number };

/** In `passenger_types`: the pass pays for vehicles with their drivers only. */
const NO_PASSENGERS = 'none';

/** Parses passes.csv, as docs/timetable.md describes it. */
export function readPasses(source: FeedInput, feed: ParsedFeed): PlannedPass[] {
  const { operator } = feed;
  const codes = new Set<string>();
  return readFeedTable(source, 'passes.csv').map((row, sort) => {
    const code = typeCode(row);
    if (codes.has(code)) row.problem('code', `${code} is there twice.`);
    codes.add(code);
    const terms: PassTerms = {
      code,
      name: row.required('name'),
      summary: row.text('summary'),
      trips: readTrips(row),
      price: readPrice(row, operator.currency),
      currency: operator.currency,
      ...readLines(row, feed),
      ...readCovered(row, operator),
      valid_days: row.int('valid_days', { min: 1, max: 3660 }),
      valid_from: row.oneOf('valid_from', PASS_STARTS, 'purchase'),
    };
    const translations = row.translations();
    // The name of a sold pass is the name of its trip card.
    requireShortNames(row, { name: terms.name, translations }, CARD_NAME_LENGTH);
    return {
      code,
      terms: { ...terms, translations: { ...translations, ...translateCovered(terms, feed) } },
      sort,
    };
  });
}

/** The names of what a pass covers, in each language that has one of them. */
function translateCovered(terms: PassTerms, { gtfs, operator }: ParsedFeed): Translations {
  const translated = listOfferedLanguages().flatMap((language) => {
    const nameIn = (named: { name: string; translations: Translations } | undefined, code: string) =>
      named ? translateTexts(named, language).name : code;
    const names: [string, Translation | null][] = [
      ['line_names', terms.lines?.map((id) => nameIn(gtfs.routes.get(id), id)) ?? []],
      [
        'passenger_names',
        terms.passenger_types?.map((code) => nameIn(operator.passengerTypes.get(code), code)) ?? [],
      ],
      [
        'vehicle_name',
        terms.vehicle_type && nameIn(operator.vehicleTypes.get(terms.vehicle_type), terms.vehicle_type),
      ],
    ];
    return names
      .filter(([field, name]) => !isDeepStrictEqual(name, terms[field as keyof PassTerms]))
      .map(([field, name]) => [translationKey(field, language), name]);
  });
  return Object.fromEntries(translated) as Translations;
}

function readTrips(row: Row): number {
  row.required('trips');
  return row.int('trips', { min: 1, max: PASS_TRIPS_LIMIT }) ?? 1;
}

function readPrice(row: Row, currency: string): number {
  row.required('price');
  const price = readMoney(row, 'price', currency);
  if (price !== null && price < getChargeRules(currency).smallest) {
    row.problem('price', 'That is less than a payment card can be charged.');
  }
  return price ?? 0;
}

function readLines(row: Row, { gtfs }: ParsedFeed) {
  const ids = readRouteIds(row, gtfs);
  const names = ids.map((id) => gtfs.routes.get(id)?.name ?? id);
  return { lines: ids.length === 0 ? null : ids, line_names: names };
}

function readCovered(row: Row, { passengerTypes, vehicleTypes }: OperatorFiles) {
  const words = listWords(row, 'passenger_types');
  const codes = words.filter((code) => code !== NO_PASSENGERS);
  for (const code of codes) {
    if (!passengerTypes.has(code)) row.problem('passenger_types', `There is no passenger type ${code}.`);
  }
  const vehicle = row.text('vehicle_type') || null;
  if (vehicle !== null && !vehicleTypes.has(vehicle)) {
    row.problem('vehicle_type', `There is no vehicle type ${vehicle}.`);
  }
  if (words.length > 0 && codes.length === 0 && vehicle === null) {
    row.problem('passenger_types', 'A pass pays for passengers or for a vehicle.');
  }
  return {
    passenger_types: words.length === 0 ? null : codes,
    passenger_names: codes.map((code) => passengerTypes.get(code)?.name ?? code),
    vehicle_type: vehicle,
    vehicle_name: vehicle && (vehicleTypes.get(vehicle)?.name ?? vehicle),
  };
}
