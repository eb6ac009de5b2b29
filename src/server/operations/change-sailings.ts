import { inArray } from 'drizzle-orm';
import type { ExceptionKind, ExceptionReason } from '#contract/sailings/exceptions.ts';
import { type DoubleBooking, describeDoubleBooking } from '#domain/sailings/double-bookings.ts';
import type { Translations } from '#messages/translations.ts';
import { describeCount } from '#server/core/describe-count.ts';
import { type AuditActor, recordAudit } from '../audit/record-audit.ts';
import type { NamedFile } from '../commands/command.ts';
import type { CommandContext } from '../context.ts';
import type { Table } from '../csv/format-table.ts';
import { collectProblems } from '../csv/problems.ts';
import type { Database } from '../database/database.ts';
import { ports, routes, vessels, voyages } from '../database/schema/timetable.ts';
import { inTransaction } from '../database/transactions.ts';
import { findDoubleBookings } from '../sailings/double-bookings.ts';
import { type AppliedExceptions, applyExceptions } from '../sailings/exceptions/apply-exceptions.ts';
import { describeWithoutModel } from '../sailings/exceptions/extra-sailings.ts';
import type { ExceptionRow } from '../sailings/exceptions/match-exception.ts';
import {
  EXCEPTIONS_FILE,
  type ExceptionNames,
  readExceptions,
} from '../sailings/exceptions/read-exceptions.ts';
import { endExceptions, stateExceptions } from '../sailings/exceptions/staff-exceptions.ts';
import {
  LAST_DAY,
  listExceptions,
  type NewException,
  replaceExceptions,
  spanDays,
} from '../sailings/exceptions/store-exceptions.ts';
import { describeOtherNotices, NO_NOTICES } from '../sailings/notices/notice-report.ts';
import { loadCatalogue } from '../sailings/queries.ts';
import {
  type BoatName,
  findPort,
  findVessel,
  findVoyage,
  findVoyagesOfBoat,
  type NamedVoyage,
  type VoyageName,
  VoyageNotFound,
} from './find-voyage.ts';
import { recordEndedExceptions, recordStatedExceptions } from './record-sailing-changes.ts';

/** `translations`: of the text. */
export type Said = { reason: ExceptionReason | null; text: string; translations: Translations };

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
        sailings: VoyageName | BoatName;
        minutes: number;
        vessel: string | null;
      }
    | ExtraInput
    | { kind: 'port_closed'; port: string; from: string; until: string }
  );

/** What a command did, beside what it did to sailings. */
export type Recorded = AppliedExceptions & {
  /** Of several exceptions, the ids that end them. */
  recorded: string[];
  /** Voyages of the boat that are under way at the time from which its sailings change, and do not change. */
  underWay: NamedVoyage[];
  /** What still applies to the same sailings after an exception of them has ended. */
  remaining: ExceptionRow[];
  /** On the days of another boat or an extra sailing. */
  doubleBookings?: DoubleBooking[];
};

/**
 * Stores an exception, or one for each sailing of a boat, and puts it into effect. It replaces what was said before about
 * the same sailing on the same subject.
 * @throws {VoyageNotFound} if no or several voyages match, there is no such port or vessel, or an extra sailing would
 * be like one that the timetable has withdrawn, or depart in the past or on a day that is not on sale yet
 */
export async function recordException(
  context: CommandContext,
  input: ExceptionInput & { actor: AuditActor },
): Promise<Recorded> {
  return inTransaction(context.db, async (tx) => {
    const { exceptions, underWay } = await resolveInput(tx, input);
    const { added, replaced } = await stateExceptions(tx, context, exceptions);
    const days = spanDays([...added, ...replaced]);
    const applied = days === null ? NOTHING : await applyExceptions(tx, context, days);
    if (applied.withoutModel.some(({ id }) => added.some((each) => each.id === id))) {
      throw new VoyageNotFound('The sailing named is no longer in the timetable. Name one that is on sale.');
    }
    if (input.kind === 'extra' && applied.sailings === 0) {
      throw new VoyageNotFound(
        `A sailing cannot depart at ${input.time} on ${exceptions[0]?.fromDay}: it is past.`,
      );
    }
    const doubleBookings = await findNewDoubleBookings(tx, added);
    await recordStatedExceptions(tx, context, { actor: input.actor, added, replaced });
    return { ...applied, recorded: added.map(({ id }) => id), underWay, remaining: [], doubleBookings };
  });
}

async function findNewDoubleBookings(tx: Database, added: readonly ExceptionRow[]): Promise<DoubleBooking[]> {
  const days = spanDays(added.filter(({ kind, vesselId }) => kind === 'extra' || vesselId !== null));
  return days === null ? [] : findDoubleBookings(tx, days);
}

/**
 * Ends exceptions.
 * @throws {VoyageNotFound} if one of the ids is unknown; nothing changes then
 */
export async function undoExceptions(
  context: CommandContext,
  { ids, actor }: { ids: readonly string[]; actor: AuditActor },
): Promise<Recorded> {
  return inTransaction(context.db, async (tx) => {
    const { ended, remaining } = await endExceptions(tx, ids);
    const missing = ids.find((id) => !ended.some((each) => each.id === id));
    const days = spanDays(ended);
    if (missing !== undefined || days === null) throw new VoyageNotFound(`There is no exception ${missing}.`);
    const applied = await applyExceptions(tx, context, days);
    await recordEndedExceptions(tx, context, { actor, ended });
    return { ...applied, recorded: [], underWay: [], remaining };
  });
}

/**
 * Replaces the exceptions that came from a file.
 * @throws {FileError} naming every problem; nothing changes then
 */
export async function applyExceptionsFile(
  context: CommandContext,
  { file, contents, actor }: NamedFile & { actor: AuditActor },
): Promise<AppliedExceptions> {
  return inTransaction(context.db, async (tx) => {
    const problems = collectProblems();
    const files = new Map([[EXCEPTIONS_FILE, contents]]);
    const exceptions = readExceptions({ files, problems }, await loadNames(tx));
    problems.throwIfAny();
    const days = await replaceExceptions(tx, context, { source: 'file', exceptions });
    if (days === null) return NOTHING;
    const applied = await applyExceptions(tx, context, days);
    await recordAudit(tx, context, {
      ...{ actor, action: 'sailings_file_applied', objectKind: 'exceptions_file', objectId: file },
      ...{ before: {}, after: { sailings: applied.sailings }, reason: null },
    });
    return applied;
  });
}

/** The exceptions from a day on. */
export async function listActiveExceptions({ db }: CommandContext, from: string): Promise<Table> {
  const rows = await listExceptions(db, { from, until: LAST_DAY });
  const codes = new Map((await db.select().from(ports)).map(({ id, code }) => [id, code]));
  const named = rows.flatMap(({ voyageId }) => voyageId ?? []);
  const namedVoyages = await db.select().from(voyages).where(inArray(voyages.id, named));
  const trips = new Map(namedVoyages.map(({ id, gtfsTripKey }) => [id, gtfsTripKey]));
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
export function describeOutcome({
  sailings,
  notices,
  overbooked,
  withoutModel,
  recorded = [],
  underWay = [],
  remaining = [],
  doubleBookings = [],
}: AppliedExceptions & Partial<Recorded>): string {
  const lines = [
    `${describeCount(sailings, 'sailing')} changed. Orders written to: ${notices.notified}.`,
    ...describeOtherNotices(notices),
  ];
  if (overbooked.length > 0) {
    lines.push('Orders that no longer fit, whose buyers may choose another sailing or the refund:');
    lines.push(...overbooked.map(({ reference, contactName }) => `  ${reference}  ${contactName}`));
  }
  lines.push(...withoutModel.map((each) => `Note: ${describeWithoutModel(each)}`));
  lines.push(
    ...underWay.map(
      ({ gtfsRouteId, departsDay, departsLocal }) =>
        `Note: under way then, and not changed: line ${gtfsRouteId}, the sailing of ${departsDay} ${departsLocal}.`,
    ),
  );
  lines.push(...remaining.map((each) => `Note: still in effect: ${describeRemaining(each)}`));
  if (recorded.length > 1) lines.push(`To end this: npm run sailings -- undo ${recorded.join(' ')}`);
  lines.push(...doubleBookings.map((each) => `Note: ${describeDoubleBooking(each)}.`));
  return lines.join('\n');
}

const SOURCES: Readonly<Record<ExceptionRow['source'], string>> = {
  file: 'from exceptions.csv',
  realtime: 'from live data',
  staff: 'made by command',
};

function describeRemaining({ id, kind, minutes, source }: ExceptionRow): string {
  const what = kind === 'delayed' ? `late by ${describeCount(minutes, 'minute')}` : kind.replace('_', ' ');
  return `${what}, ${SOURCES[source]} (${id}).`;
}

const NOTHING: AppliedExceptions = { sailings: 0, notices: NO_NOTICES, overbooked: [], withoutModel: [] };

type Resolved = { exceptions: NewException[]; underWay: NamedVoyage[] };

async function resolveInput(tx: Database, input: ExceptionInput): Promise<Resolved> {
  const { kind, reason, text, translations } = input;
  const said = { reason, text, translations };
  if (kind === 'port_closed') {
    const { id } = await findPort(tx, input.port);
    const days = { fromDay: input.from, untilDay: input.until };
    return { exceptions: [{ source: 'staff', kind, ...days, portId: id, ...said }], underWay: [] };
  }
  if (kind === 'extra') {
    return { exceptions: [await resolveExtra(tx, input, await findVoyage(tx, input.voyage))], underWay: [] };
  }
  const { sailings, minutes, vessel } = input;
  const { voyages: matches, underWay } =
    'boat' in sailings
      ? await findVoyagesOfBoat(tx, sailings)
      : { voyages: [await findVoyage(tx, sailings)], underWay: [] };
  const vesselId = vessel === null ? null : (await findVessel(tx, vessel)).id;
  const exceptions = matches.map(
    (voyage): NewException => ({
      source: 'staff',
      kind,
      fromDay: voyage.serviceDate,
      untilDay: voyage.serviceDate,
      line: voyage.gtfsRouteId,
      portId: voyage.portId,
      departsLocal: voyage.departsLocal,
      voyageId: voyage.id,
      minutes,
      vesselId,
      ...said,
    }),
  );
  return { exceptions, underWay };
}

async function resolveExtra(
  tx: Database,
  { day, time, vessel, reason, text, translations }: ExtraInput & Said,
  like: NamedVoyage,
): Promise<NewException> {
  const onDay = day ?? like.departsDay;
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
    vesselId: vessel === null ? null : (await findVessel(tx, vessel)).id,
    reason,
    text,
    translations,
  };
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
