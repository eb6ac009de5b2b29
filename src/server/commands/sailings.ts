import { HELD_BACK_LIMIT, HELD_BACK_REASON_LENGTH } from '#contract/desk/limits.ts';
import { EXCEPTION_REASONS } from '#contract/sailings/exceptions.ts';
import type { CapacityItem } from '#domain/fares/capacity.ts';
import { isDay } from '#domain/time/days.ts';
import { getLocalDay } from '#domain/time/port-time.ts';
import { listOfferedLanguages, type OfferedLanguage } from '#messages/languages.ts';
import { translationKey } from '#messages/translations.ts';
import type { AuditActor } from '../audit/record-audit.ts';
import type { CommandContext } from '../context.ts';
import { formatCsv, formatTable, type Table } from '../csv/format-table.ts';
import { RESOURCES } from '../database/schema/timetable.ts';
import { inTransaction } from '../database/transactions.ts';
import {
  applyExceptionsFile,
  describeOutcome,
  type ExceptionInput,
  listActiveExceptions,
  recordException,
  type Said,
  undoExceptions,
} from '../operations/change-sailings.ts';
import {
  type BoatName,
  findSailingId,
  findVoyage,
  type VoyageName,
  VoyageNotFound,
} from '../operations/find-voyage.ts';
import {
  describeSellable,
  type HoldBackInput,
  holdBackPlaces,
  releaseHeldBackPlaces,
  type SellableState,
  tabulateHeldBackPlaces,
} from '../operations/hold-back.ts';
import { listDepartures } from '../operations/list-sailings.ts';
import { countByStretch, listPassengers } from '../operations/manifest.ts';
import { listRevokedTickets } from '../operations/revoked-tickets.ts';
import { reportSales } from '../operations/sales-report.ts';
import { parseClockTime } from '../sailings/exceptions/read-exceptions.ts';
import { loadCatalogue } from '../sailings/queries.ts';
import {
  type Command,
  type NamedFile,
  readArguments,
  readCommandActor,
  readOneFile,
  UsageError,
} from './command.ts';
import { runCommand } from './run-command.ts';

const usage = `Shows sailings and what was sold for them, and changes single sailings beside the timetable.

  npm run sailings -- list [--date DAY] [--port CODE]     departures with places and vehicles
      --from DAY [--to DAY]: of several days
  npm run sailings -- manifest SAILING                    passengers, vehicles, and counts by stretch
  npm run sailings -- revoked                             canceled and replaced tickets, for gates
  npm run sailings -- sales --from DAY [--to DAY]         what was sold, by day
      With --csv: as CSV.

  npm run sailings -- add SAILING TIME [--date DAY] [--boat CODE]
      one more sailing like SAILING, at TIME from its port; undo ends it
  npm run sailings -- cancel SAILING
  npm run sailings -- suspend SAILING
  npm run sailings -- delay SAILING MINUTES
  npm run sailings -- vessel SAILING CODE
  npm run sailings -- notice SAILING --text TEXT
  npm run sailings -- close-sales SAILING
  npm run sailings -- open-sales SAILING
  npm run sailings -- close-port CODE --from DAY [--to DAY]
      --reason: ${EXCEPTION_REASONS.join(', ')}. --text: one or two sentences for passengers;
      --text@de and so on: the same in another language.
      A delay replaces the one before; 0 ends it.

  npm run sailings -- cancel --boat CODE --from "DAY TIME" [--to DAY]
  npm run sailings -- vessel OTHER --boat CODE --from "DAY TIME" [--to DAY]
      the same for all sailings of a boat from that time on, such as "2026-06-01 14:00", to the end of the day;
      also suspend, delay, notice, close-sales and open-sales

  npm run sailings -- hold-back SAILING [--people N] [--bicycles N] [--lane-cm N] [--tall-lane-cm N] --reason TEXT
      keeps places from sale online; the desk and the ramp sell them. --reason: any text, for staff only
  npm run sailings -- held-back                           what is held back on sailings ahead
  npm run sailings -- release ID [ID ...]                 puts it on sale online again

  npm run sailings -- exceptions                          what differs from the timetable from today on
  npm run sailings -- undo ID [ID ...]                    ends some of them
  npm run sailings -- apply FILE                          replaces those that came from a file by exceptions.csv

SAILING is an id that "list" prints, or a departure: DAY PORT TIME, such as 2026-06-01 MAD 12:20; with --line ROUTE_ID
where several boats depart at that time. A change survives every import of the timetable.
`;

const OPTIONS = {
  csv: { type: 'boolean' },
  date: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  port: { type: 'string' },
  line: { type: 'string' },
  boat: { type: 'string' },
  reason: { type: 'string' },
  text: { type: 'string' },
  people: { type: 'string' },
  bicycles: { type: 'string' },
  'lane-cm': { type: 'string' },
  'tall-lane-cm': { type: 'string' },
  ...(Object.fromEntries(
    listOfferedLanguages().map((language) => [translationKey('text', language), { type: 'string' }]),
  ) as Record<`text@${OfferedLanguage}`, { type: 'string' }>),
} as const;

const CHANGES = {
  cancel: 'canceled',
  suspend: 'suspended',
  delay: 'delayed',
  vessel: 'vessel',
  notice: 'notice',
  'close-sales': 'sales_closed',
  'open-sales': 'sales_open',
} as const;

type SailingsInput =
  | { kind: 'list'; from: string | null; until: string | null; port: string | null; asCsv: boolean }
  | { kind: 'manifest'; voyage: VoyageName; asCsv: boolean }
  | { kind: 'sales'; from: string; until: string; asCsv: boolean }
  | { kind: 'change'; change: ExceptionInput; actor: AuditActor }
  | { kind: 'exceptions' | 'revoked' | 'held-back'; asCsv: boolean }
  | { kind: 'undo' | 'release'; ids: string[]; actor: AuditActor }
  | ({ kind: 'hold-back'; voyage: VoyageName } & Omit<HoldBackInput, 'sailingId'>)
  | ({ kind: 'apply'; actor: AuditActor } & NamedFile);

export const sailingsCommand: Command<SailingsInput> = {
  name: 'sailings',
  usage,
  refusals: [VoyageNotFound],
  read: readSailingsArguments,
  run: runSailingsCommand,
};

if (import.meta.main) await runCommand(sailingsCommand);

async function runSailingsCommand(context: CommandContext, input: SailingsInput): Promise<string> {
  const { db, clock } = context;
  const { feed } = await loadCatalogue(db);
  const today = getLocalDay(clock.now().getTime(), feed.timeZone);
  switch (input.kind) {
    case 'list': {
      const { from, until, port } = input;
      return print(await listDepartures(db, { from: from ?? today, until: until ?? today, port }), input);
    }
    case 'manifest':
      return printManifest(context, input);
    case 'sales':
      return print(await reportSales(db, { ...input, zone: feed.timeZone }), input);
    case 'revoked':
      return print(await listRevokedTickets(db, clock.now()), input);
    case 'change':
      return describeOutcome(await recordException(context, { ...input.change, actor: input.actor }));
    case 'exceptions':
      return print(await listActiveExceptions(context, today), input);
    case 'undo':
      return describeOutcome(await undoExceptions(context, input));
    case 'hold-back': {
      const sailingId = await findSailingId(db, input.voyage);
      const { id, resources } = await holdBackPlaces(context, { ...input, sailingId });
      return `${describeSellable(resources)}\nTo end it: npm run sailings -- release ${id}`;
    }
    case 'held-back':
      return print(await tabulateHeldBackPlaces(context), input);
    case 'release':
      return describeSellable(await releaseAll(context, input));
    case 'apply':
      return describeOutcome(await applyExceptionsFile(context, input));
  }
}

async function releaseAll(
  context: CommandContext,
  { ids, actor }: { ids: readonly string[]; actor: AuditActor },
): Promise<SellableState[]> {
  return inTransaction(context.db, async (tx) => {
    const states: SellableState[] = [];
    for (const id of ids)
      states.push(...(await releaseHeldBackPlaces({ ...context, db: tx }, { id, actor })));
    return states;
  });
}

async function printManifest(
  { db }: CommandContext,
  input: Extract<SailingsInput, { kind: 'manifest' }>,
): Promise<string> {
  const voyage = await findVoyage(db, input.voyage);
  const passengers = print(await listPassengers(db, voyage), input);
  if (input.asCsv) return passengers;
  return `${passengers}\n\n${formatTable(await countByStretch(db, voyage))}`;
}

function print(table: Table, { asCsv }: { asCsv: boolean }): string {
  if (asCsv) return formatCsv(table);
  return table.rows.length === 0 ? 'None.' : formatTable(table);
}

type Values = ReturnType<typeof readArguments<typeof OPTIONS>>['values'];

async function readSailingsArguments(args: readonly string[]): Promise<SailingsInput> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const [kind = '', ...rest] = positionals;
  const asCsv = values.csv ?? false;
  switch (kind) {
    case 'list': {
      if (rest.length > 0) throw new UsageError('list takes options only.');
      return { kind, ...readDays(values), port: values.port ?? null, asCsv };
    }
    case 'manifest':
      return { kind, voyage: readVoyage(rest, values), asCsv };
    case 'sales': {
      const from = requireDay(values.from, 'from');
      return { kind, from, until: readDay(values.to, 'to') ?? from, asCsv };
    }
    case 'exceptions':
    case 'revoked':
    case 'held-back':
      return { kind, asCsv };
    case 'hold-back':
      return { kind, actor: readCommandActor(), ...readHeldBack(rest, values) };
    case 'undo':
    case 'release':
      if (rest.length === 0) throw new UsageError('Name the id of what ends.');
      return { kind, ids: rest, actor: readCommandActor() };
    case 'apply':
      return { kind, ...(await readOneFile(rest)), actor: readCommandActor() };
    case 'add':
      return { kind: 'change', actor: readCommandActor(), change: readExtra(rest, values) };
    case 'close-port':
      return { kind: 'change', actor: readCommandActor(), change: readPortClosure(rest, values) };
    default:
      return { kind: 'change', actor: readCommandActor(), change: readChange(kind, rest, values) };
  }
}

function readChange(kind: string, rest: readonly string[], values: Values): ExceptionInput {
  const change = Object.hasOwn(CHANGES, kind) ? CHANGES[kind as keyof typeof CHANGES] : null;
  if (change === null)
    throw new UsageError(kind === '' ? 'Name what to do.' : `There is no command ${kind}.`);
  const said = readReason(values);
  if (change === 'notice' && said.text === '') throw new UsageError('A notice needs --text.');
  if (change !== 'delayed' && change !== 'vessel') {
    return { kind: change, sailings: readSailings(rest, values), minutes: 0, vessel: null, ...said };
  }
  const value = rest.at(-1) ?? '';
  const sailings = readSailings(rest.slice(0, -1), values);
  if (change === 'vessel') {
    if (value === '' || value === values.boat) throw new UsageError('Name the boat that runs instead.');
    return { kind: change, sailings, minutes: 0, vessel: value, ...said };
  }
  const minutes = Number(value);
  if (value === '' || !Number.isInteger(minutes) || minutes < 0 || minutes > 1440) {
    throw new UsageError('A delay is 1 to 1440 minutes, or 0 if the sailing is on time.');
  }
  if (minutes === 0 && (said.reason !== null || said.text !== '')) {
    throw new UsageError('A sailing on time has no --reason and no --text. For a text use notice.');
  }
  return { kind: change, sailings, minutes, vessel: null, ...said };
}

/** A sailing, or those of a boat. */
function readSailings(args: readonly string[], values: Values): VoyageName | BoatName {
  const { boat, from, to } = values;
  if (boat === undefined) return readVoyage(args, values);
  if (args.length > 0) throw new UsageError('Name a sailing, or a boat with --boat, not both.');
  const [day = '', clock = '0:00', ...more] = (from ?? '').trim().split(/\s+/);
  const time = parseClockTime(clock);
  if (!isDay(day) || time === null || more.length > 0) {
    throw new UsageError('Name a day and time with --from, such as --from "2026-06-01 14:00".');
  }
  const until = readDay(to, 'to') ?? day;
  if (until < day) throw new UsageError('--to is before --from.');
  return { boat, from: day, time, until };
}

function readExtra(rest: readonly string[], values: Values): ExceptionInput {
  const time = parseClockTime(rest.at(-1) ?? '');
  if (rest.length < 2 || time === null)
    throw new UsageError('Name a sailing, and the time of the extra one.');
  const voyage = readVoyage(rest.slice(0, -1), values);
  const day = readDay(values.date, 'date');
  return { kind: 'extra', voyage, day, time, vessel: values.boat ?? null, ...readReason(values) };
}

function readHeldBack(rest: readonly string[], values: Values) {
  const { reason, ...amounts } = values;
  const options = {
    ...{ passenger: amounts.people, bicycle: amounts.bicycles },
    ...{ lane_cm: amounts['lane-cm'], tall_lane_cm: amounts['tall-lane-cm'] },
  };
  const places = RESOURCES.flatMap((resource): CapacityItem[] => {
    const given = options[resource];
    if (given === undefined) return [];
    const amount = Number(given);
    if (!Number.isInteger(amount) || amount < 1 || amount > HELD_BACK_LIMIT) {
      throw new UsageError('Places are held back in whole numbers from 1 on.');
    }
    return [{ resource, amount }];
  });
  if (places.length === 0) throw new UsageError('Name what is held back, such as --people 12.');
  const text = reason?.trim() ?? '';
  if (text === '' || text.length > HELD_BACK_REASON_LENGTH) {
    throw new UsageError(`Name why with --reason, in at most ${HELD_BACK_REASON_LENGTH} characters.`);
  }
  return { voyage: readVoyage(rest, values), places, reason: text };
}

function readPortClosure(rest: readonly string[], values: Values): ExceptionInput {
  const port = requireOne(rest, 'Name the code of one port.');
  const from = requireDay(values.from, 'from');
  const until = readDay(values.to, 'to') ?? from;
  if (until < from) throw new UsageError('--to is before --from.');
  return { kind: 'port_closed', port, from, until, ...readReason(values) };
}

/** A departure in quotes is one argument. */
function readVoyage(args: readonly string[], { line }: Values): VoyageName {
  const [first, port, time, ...more] = args.flatMap((each) => each.trim().split(/\s+/));
  if (first !== undefined && port === undefined && !isDay(first)) return { sailingId: first };
  const clock = parseClockTime(time ?? '');
  if (first === undefined || port === undefined || clock === null || !isDay(first) || more.length > 0) {
    throw new UsageError('Name one sailing: its id, or its day, port and time.');
  }
  return { day: first, port, time: clock, line: line ?? null };
}

function readReason({ reason, text, ...values }: Values): Said {
  const exceptionReason = EXCEPTION_REASONS.find((each) => each === reason) ?? null;
  if (reason !== undefined && exceptionReason === null) {
    throw new UsageError(`--reason is one of ${EXCEPTION_REASONS.join(', ')}.`);
  }
  const translations = listOfferedLanguages().flatMap((language): [string, string][] => {
    const translated = readText(`text@${language}`, values[`text@${language}`]);
    return translated === '' ? [] : [[translationKey('text', language), translated]];
  });
  const said = {
    reason: exceptionReason,
    text: readText('text', text),
    translations: Object.fromEntries(translations),
  };
  if (said.text === '' && translations.length > 0) {
    throw new UsageError('A text in another language needs --text too, in the language of your settings.');
  }
  return said;
}

function readText(option: string, text = ''): string {
  if (text.length > 300) throw new UsageError(`--${option} is at most 300 characters.`);
  return text.trim();
}

function readDay(text: string | undefined, option: string): string | null {
  if (text === undefined) return null;
  if (!isDay(text)) throw new UsageError(`--${option} is a day, YYYY-MM-DD.`);
  return text;
}

/** --date, or --from with --to; null: today. */
function readDays({ date, from, to }: Values): { from: string | null; until: string | null } {
  if (date !== undefined && (from ?? to) !== undefined)
    throw new UsageError('Name one day with --date, or several with --from and --to.');
  const first =
    readDay(date, 'date') ?? (to === undefined ? readDay(from, 'from') : requireDay(from, 'from'));
  const last = readDay(to, 'to') ?? first;
  if (first !== null && last !== null && last < first) throw new UsageError('--to is before --from.');
  return { from: first, until: last };
}

function requireDay(text: string | undefined, option: string): string {
  const day = readDay(text, option);
  if (day === null) throw new UsageError(`Name a day with --${option}.`);
  return day;
}

function requireOne([first, ...more]: readonly string[], message: string): string {
  if (first === undefined || more.length > 0) throw new UsageError(message);
  return first;
}
