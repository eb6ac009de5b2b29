import { inArray } from 'drizzle-orm';
import { describeCount } from '#domain/fares/party.ts';
import type { ExceptionKind, ExceptionReason } from '#domain/sailings/exceptions.ts';
import type { CommandContext, NamedFile } from '../command.ts';
import type { Table } from '../csv/format-table.ts';
import { collectProblems } from '../csv/problems.ts';
import type { Database } from '../database/database.ts';
import { ports, routes, vessels, voyages } from '../database/schema/timetable.ts';
import { inTransaction } from '../database/transactions.ts';
import { type AppliedExceptions, applyExceptions } from '../sailings/exceptions/apply-exceptions.ts';
import { describeWithoutModel } from '../sailings/exceptions/extra-sailings.ts';
import {
  EXCEPTIONS_FILE,
  type ExceptionNames,
  readExceptions,
} from '../sailings/exceptions/read-exceptions.ts';
import {
  addException,
  listExceptions,
  type NewException,
  removeExceptions,
  replaceExceptions,
  spanDays,
} from '../sailings/exceptions/store-exceptions.ts';
import { loadCatalogue } from '../sailings/queries.ts';
import { findPort, findVoyage, type NamedVoyage, type VoyageName, VoyageNotFound } from './find-voyage.ts';

type Said = { reason: ExceptionReason | null; text: string };

/** `voyage`: the one that the extra sailing is like. `time`: when it departs from the same port, `HH:MM`. */
type ExtraInput = {
  kind: 'extra';
  voyage: VoyageName;
  /** Null: the day of that voyage. */
  day: string | null;
  time: string;
  /** Null: that of the voyage. */
  vessel: string | null;
};

export type ExceptionInput = Said &
  (
    | {
        kind: Exclude<ExceptionKind, 'port_closed' | 'extra'>;
        voyage: VoyageName;
        minutes: number;
        vessel: string | null;
      }
    | ExtraInput
    | { kind: 'port_closed'; port: string; from: string; until: string }
  );

const LAST_DAY = '2999-12-31';

/**
 * Stores an exception and puts it into effect.
 * @throws {VoyageNotFound} if no or several voyages match, there is no such port or vessel, or an extra sailing would
 * be like one that the timetable has withdrawn, or depart in the past or on a day that is not on sale yet
 */
export async function recordException(
  context: CommandContext,
  input: ExceptionInput,
): Promise<AppliedExceptions> {
  return inTransaction(context.db, async (tx) => {
    const exception = await addException(tx, context, await resolveInput(tx, input));
    const applied = await applyExceptions(tx, context, {
      from: exception.fromDay,
      until: exception.untilDay,
    });
    if (applied.withoutModel.some(({ id }) => id === exception.id)) {
      throw new VoyageNotFound('The sailing named is no longer in the timetable. Name one that is on sale.');
    }
    if (input.kind === 'extra' && applied.sailings === 0) {
      throw new VoyageNotFound(
        `A sailing cannot depart at ${input.time} on ${exception.fromDay}: it is past.`,
      );
    }
    return applied;
  });
}

/**
 * Ends an exception.
 * @throws {VoyageNotFound} if there is none with this id
 */
export async function undoException(context: CommandContext, id: string): Promise<AppliedExceptions> {
  return inTransaction(context.db, async (tx) => {
    const days = spanDays(await removeExceptions(tx, [id]));
    if (days === null) throw new VoyageNotFound(`There is no exception ${id}.`);
    return applyExceptions(tx, context, days);
  });
}

/**
 * Replaces the exceptions that came from a file.
 * @throws {FileError} naming every problem; nothing changes then
 */
export async function applyExceptionsFile(
  context: CommandContext,
  { contents }: NamedFile,
): Promise<AppliedExceptions> {
  return inTransaction(context.db, async (tx) => {
    const problems = collectProblems();
    const files = new Map([[EXCEPTIONS_FILE, contents]]);
    const exceptions = readExceptions({ files, problems }, await loadNames(tx));
    problems.refuse();
    const days = await replaceExceptions(tx, context, { source: 'file', exceptions });
    return days === null ? NOTHING : applyExceptions(tx, context, days);
  });
}

/** The exceptions from a day on. */
export async function listActiveExceptions({ db }: CommandContext, from: string): Promise<Table> {
  const rows = await listExceptions(db, { from, until: LAST_DAY });
  const codes = new Map((await db.select().from(ports)).map(({ id, code }) => [id, code]));
  const named = rows.flatMap(({ voyageId }) => voyageId ?? []);
  const found = await db.select().from(voyages).where(inArray(voyages.id, named));
  const trips = new Map(found.map(({ id, gtfsTripKey }) => [id, gtfsTripKey]));
  const boats = new Map((await db.select().from(vessels)).map(({ id, code }) => [id, code]));
  return {
    columns: [
      'id',
      'source',
      'from',
      'until',
      'what',
      'line',
      'trip',
      'port',
      'time',
      'like',
      'minutes',
      'boat',
      'reason',
      'text',
    ],
    rows: rows.map((row) => [
      row.id,
      row.source,
      row.fromDay,
      row.untilDay,
      row.kind,
      row.line ?? '',
      row.tripKey ?? trips.get(row.voyageId ?? '') ?? '',
      codes.get(row.portId ?? '') ?? '',
      row.departsLocal ?? '',
      [row.likeDay, row.likeLocal].filter(Boolean).join(' '),
      row.minutes || '',
      boats.get(row.vesselId ?? '') ?? '',
      row.reason ?? '',
      row.text,
    ]),
  };
}

/** What a change did, for the operator. */
export function describeOutcome({ sailings, notified, overbooked, withoutModel }: AppliedExceptions): string {
  const lines = [`${describeCount(sailings, 'sailing')} changed. Orders written to: ${notified}.`];
  if (overbooked.length > 0) {
    lines.push('Orders that no longer fit, whose buyers may choose another sailing or the refund:');
    lines.push(...overbooked.map(({ reference, contactName }) => `  ${reference}  ${contactName}`));
  }
  lines.push(...withoutModel.map((each) => `Note: ${describeWithoutModel(each)}`));
  return lines.join('\n');
}

const NOTHING: AppliedExceptions = { sailings: 0, notified: 0, overbooked: [], withoutModel: [] };

async function resolveInput(tx: Database, input: ExceptionInput): Promise<NewException> {
  const { kind, reason, text } = input;
  if (kind === 'port_closed') {
    const { id } = await findPort(tx, input.port);
    return { source: 'staff', kind, fromDay: input.from, untilDay: input.until, portId: id, reason, text };
  }
  const voyage = await findVoyage(tx, input.voyage);
  if (kind === 'extra') return resolveExtra(tx, input, voyage);
  return {
    source: 'staff',
    kind,
    fromDay: voyage.serviceDate,
    untilDay: voyage.serviceDate,
    line: voyage.gtfsRouteId,
    portId: voyage.portId,
    departsLocal: voyage.departsLocal,
    voyageId: voyage.id,
    minutes: input.minutes,
    vesselId: input.vessel === null ? null : await findVessel(tx, input.vessel),
    reason,
    text,
  };
}

async function resolveExtra(
  tx: Database,
  { day, time, vessel, reason, text }: ExtraInput & Said,
  like: NamedVoyage,
): Promise<NewException> {
  const onDay = day ?? like.serviceDate;
  const { feed } = await loadCatalogue(tx);
  if (onDay > feed.windowUntil) throw new VoyageNotFound(`Sailings are on sale until ${feed.windowUntil}.`);
  return {
    source: 'staff',
    kind: 'extra',
    fromDay: onDay,
    untilDay: onDay,
    line: like.gtfsRouteId,
    portId: like.portId,
    departsLocal: time,
    likeLocal: like.departsLocal,
    likeDay: like.serviceDate,
    vesselId: vessel === null ? null : await findVessel(tx, vessel),
    reason,
    text,
  };
}

async function findVessel(tx: Database, code: string): Promise<string> {
  const all = await tx.select().from(vessels);
  const vessel = all.find((each) => each.code === code && each.active);
  if (vessel) return vessel.id;
  throw new VoyageNotFound(
    `There is no boat ${code}. The boats are ${all.map((each) => each.code).join(', ')}.`,
  );
}

async function loadNames(tx: Database): Promise<ExceptionNames> {
  const stops = await tx.select().from(ports);
  return {
    lines: new Set((await tx.select().from(routes)).map(({ gtfsRouteId }) => gtfsRouteId)),
    ports: new Map(
      stops.flatMap(({ id, code, gtfsStopId }) => [[code, id] as const, [gtfsStopId, id] as const]),
    ),
    vessels: new Map((await tx.select().from(vessels)).map(({ id, code }) => [code, id])),
  };
}
