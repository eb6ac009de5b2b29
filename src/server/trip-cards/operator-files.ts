import * as z from 'zod/mini';
import { InstantSchema } from '#contract/common.ts';
import { AMOUNT_LIMIT } from '#contract/limits.ts';
import { getCurrencyExponent } from '#domain/fares/money.ts';
import { DEFAULT_CARD_NAME } from '#domain/trip-cards/default-name.ts';
import { parseTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import { collectProblems, type FileInput, readJson } from '../csv/problems.ts';
import { type Row, readTable } from '../csv/table.ts';
import type { gateCharges } from '../database/schema/trip-cards.ts';

/** A fare that a gate charged, possibly long ago and offline. `amount` in minor units, or trips of a pass. */
export type GateCharge = Omit<typeof gateCharges.$inferInsert, 'tripCardId' | 'insertedAt'>;

/** A printed plastic card. */
export type PrintedCard = { number: string; pin: string; name: string; amount: number };

const DEVICE = /^[\w.-]{1,40}$/;
const PIN = /^[0-9]{4,8}$/;
const MAX_PLACE = 80;
/** A busy gate charges a million fares a year. */
const MAX_SEQ = 999_999_999;
/** A party that travels together. */
const MAX_TRIPS = 100;
const EITHER = 'A charge has either an amount or trips.';

/** A file of the operator, named in problems. */
type CardFile = { file: string; contents: Uint8Array; currency: string };

/**
 * Reads cards to issue: `number`, `pin`, and optionally `name` and `amount` (decimal, the initial balance).
 * @throws {FileError} listing every problem; nothing is issued
 */
export function readPrintedCards({ currency, ...file }: CardFile): PrintedCard[] {
  const problems = collectProblems();
  const seen = new Set<string>();
  const rows = readTable({ ...file, problems }, { required: ['number', 'pin'] });
  const cards = rows.map((row) => {
    const number = readNumber(row);
    if (number && seen.has(number)) row.problem('number', 'This card is in the file twice.');
    seen.add(number);
    const pin = row.required('pin');
    if (pin !== '' && !PIN.test(pin)) row.problem('pin', 'A PIN is 4 to 8 digits.');
    const name = row.text('name') || DEFAULT_CARD_NAME;
    if (name.length > 60) row.problem('name', 'A name has 60 characters at most.');
    return { number, pin, name, amount: row.amount('amount', getCurrencyExponent(currency)) ?? 0 };
  });
  problems.throwIfAny();
  return cards;
}

/**
 * Reads a batch of a gate's charges: `device_id`, `device_seq`, `number`, `amount` or for a pass `trips`, `occurred_at`
 * and `place`. In CSV the amount is decimal, in JSON (a list of objects) an integer of minor units.
 * @throws {FileError} listing every problem; nothing is charged
 */
export function readGateBatch({ now, ...input }: CardFile & { now: Date }): GateCharge[] {
  const { file } = input;
  const problems = collectProblems();
  const charges = /\.json$/i.test(file)
    ? readJsonBatch({ ...input, problems })
    : readCsvBatch({ ...input, problems });
  for (const { occurredAt, deviceId, deviceSeq } of charges) {
    // With a clock that runs ahead, a ride before a freeze would look like one after it.
    if (occurredAt.getTime() > now.getTime() + CLOCK_SLACK_MS) {
      problems.add(file, null, 'occurred_at', `Number ${deviceSeq} of ${deviceId} lies in the future.`);
    }
  }
  problems.throwIfAny();
  return charges;
}

const CLOCK_SLACK_MS = 10 * 60_000;
const ChargeSchema = z
  .strictObject({
    device_id: z.string().check(z.regex(DEVICE)),
    device_seq: z.int().check(z.gte(1), z.lte(MAX_SEQ)),
    number: z.string().check(z.refine((text) => parseTripCardNumber(text) !== null)),
    amount: z.optional(z.int().check(z.gte(1), z.lte(AMOUNT_LIMIT))),
    trips: z.optional(z.int().check(z.gte(1), z.lte(MAX_TRIPS))),
    occurred_at: InstantSchema.check(z.refine((text) => !Number.isNaN(Date.parse(text)))),
    place: z.optional(z.string().check(z.maxLength(MAX_PLACE))),
  })
  .check(
    z.refine(({ amount, trips }) => (amount === undefined) !== (trips === undefined), { error: EITHER }),
  );

function readJsonBatch(source: FileInput): GateCharge[] {
  const { file, problems } = source;
  const value = readJson(source);
  if (value === undefined) return [];
  const parsed = z.array(ChargeSchema).safeParse(value);
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) problems.add(file, null, path.join('.'), message);
    return [];
  }
  return parsed.data.map((row) => ({
    deviceId: row.device_id,
    deviceSeq: row.device_seq,
    number: parseTripCardNumber(row.number) ?? '',
    ...(row.trips === undefined ? money(row.amount ?? 0) : trips(row.trips)),
    occurredAt: new Date(row.occurred_at),
    place: row.place ?? '',
  }));
}

function readCsvBatch({ currency, ...source }: FileInput & { currency: string }): GateCharge[] {
  const required = ['device_id', 'device_seq', 'number', 'occurred_at'];
  return readTable(source, { required }).map((row) => {
    const deviceId = row.required('device_id');
    if (deviceId !== '' && !DEVICE.test(deviceId))
      row.problem('device_id', 'This is not the name of a device.');
    const occurredAt = row.required('occurred_at');
    const isInstant = InstantSchema.safeParse(occurredAt).success && !Number.isNaN(Date.parse(occurredAt));
    if (occurredAt !== '' && !isInstant)
      row.problem('occurred_at', 'A time is written 2026-06-01T15:04:05Z.');
    const place = row.text('place');
    if (place.length > MAX_PLACE) row.problem('place', `A place has ${MAX_PLACE} characters at most.`);
    row.required('device_seq');
    return {
      deviceId,
      deviceSeq: row.int('device_seq', { min: 1, max: MAX_SEQ }) ?? 1,
      number: readNumber(row),
      ...readCharged(row, currency),
      occurredAt: new Date(isInstant ? occurredAt : 0),
      place,
    };
  });
}

/** A charge: an amount of money, or trips of a pass. */
type Charged = Required<Pick<GateCharge, 'unit'>> & Pick<GateCharge, 'amount'>;

function readCharged(row: Row, currency: string): Charged {
  const isTrips = row.text('trips') !== '';
  if (isTrips === (row.text('amount') !== '')) row.problem('amount', EITHER);
  if (isTrips) return trips(row.int('trips', { min: 1, max: MAX_TRIPS }) ?? 1);
  const amount = row.amount('amount', getCurrencyExponent(currency));
  if (amount === 0) row.problem('amount', 'A fare is more than nothing.');
  return money(amount ?? 0);
}

function money(amount: number): Charged {
  return { unit: 'money', amount };
}

function trips(amount: number): Charged {
  return { unit: 'trips', amount };
}

function readNumber(row: Row): string {
  const text = row.required('number');
  const number = parseTripCardNumber(text);
  if (text !== '' && number === null)
    row.problem('number', 'This is not a card number: 16 digits, the last a check digit.');
  return number ?? '';
}
