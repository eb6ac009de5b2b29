import { randomUUID } from 'node:crypto';
import { getCurrencyExponent, parseDecimal } from '#domain/fares/money.ts';
import { parseTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import { COMMAND_LANGUAGE } from '#messages/text-locale.ts';
import { formatCardAmount } from '#sentences/card-amounts.ts';
import { describeCount } from '#server/core/describe-count.ts';
import { textsIn } from '#server/core/texts.ts';
import type { AuditActor } from '../audit/record-audit.ts';
import type { CommandContext } from '../context.ts';
import { getOperator } from '../database/operator.ts';
import { adjustBalance, chargeBatch, issueCards, UnknownCardError } from '../trip-cards/operator-commands.ts';
import { readGateBatch, readPrintedCards } from '../trip-cards/operator-files.ts';
import { findCardByNumber } from '../trip-cards/queries.ts';
import {
  type Command,
  type NamedFile,
  readArguments,
  readCommandActor,
  readOneFile,
  UsageError,
} from './command.ts';
import { runCommand } from './run-command.ts';

const usage = `Manages trip cards in the configured database.

  npm run trip-cards:issue -- FILE.csv
      Issues printed cards. Columns: number, pin; optionally name and amount (the initial balance).

  npm run trip-cards:adjust -- NUMBER AMOUNT REASON [--key TEXT]
      Corrects a balance, e.g. 9123456789012347 -4.50 "Charged twice at North Quay". Of a pass, AMOUNT is a number of
      trips. With --key a repetition changes nothing. The audit log says who did it.

  npm run trip-cards:charge -- FILE.csv|FILE.json
      Charges fares that a gate collected. Columns: device_id, device_seq, number, amount (or trips, of a pass),
      occurred_at, place. Batches may arrive late, twice and in any order. What a card cannot pay is owed and paid by
      later value. The audit log says who did it.
`;

type FileInput = NamedFile & { kind: 'issue' | 'charge'; actor: AuditActor };
type AdjustInput = {
  kind: 'adjust';
  number: string;
  amount: string;
  reason: string;
  key: string;
  actor: AuditActor;
};

export const tripCardsCommand: Command<FileInput | AdjustInput> = {
  name: 'trip-cards',
  usage,
  refusals: [UnknownCardError],
  async read(args) {
    const [name, ...rest] = args;
    if (name === 'adjust') return readAdjustArguments(rest);
    if (name === 'issue' || name === 'charge') {
      return { kind: name, ...(await readOneFile(rest)), actor: readCommandActor() };
    }
    throw new UsageError('Name what to do: issue, adjust or charge.');
  },
  async run(context, input) {
    const { currency } = await getOperator(context.db);
    if (input.kind === 'adjust') return adjust(context, input, currency);
    return input.kind === 'issue' ? issue(context, input, currency) : charge(context, input, currency);
  },
};

if (import.meta.main) await runCommand(tripCardsCommand);

function readAdjustArguments(args: readonly string[]): AdjustInput {
  // A negative amount must not be read as an option.
  const [number, amount, ...more] = args;
  const { values, positionals } = readArguments(more, { key: { type: 'string' } });
  const [reason, ...rest] = positionals;
  if (number === undefined || amount === undefined || !reason?.trim() || rest.length > 0) {
    throw new UsageError('Name the number, the amount, and the reason in quotes.');
  }
  if (reason.length > 120) throw new UsageError('A reason has 120 characters at most.');
  const key = values.key ?? randomUUID();
  return { kind: 'adjust', number, amount, reason: reason.trim(), key, actor: readCommandActor() };
}

async function issue(
  context: CommandContext,
  { file, contents }: FileInput,
  currency: string,
): Promise<string> {
  const { issued, existing } = await issueCards(context, readPrintedCards({ file, contents, currency }));
  return `${describeCount(issued, 'card')} issued, ${existing} there already.`;
}

async function charge(
  context: CommandContext,
  { file, contents, actor }: FileInput,
  currency: string,
): Promise<string> {
  const charges = readGateBatch({ file, contents, currency, now: context.clock.now() });
  const report = await chargeBatch(context, { charges, actor });
  const lines = [
    `${describeCount(report.charged, 'fare')} charged, ${report.owed} owed in whole or in part, ${report.repeated} known already.`,
  ];
  if (report.conflict > 0) {
    lines.push(`${report.conflict} left out: their device used the same number for another fare before.`);
  }
  if (report.missing.length > 0) lines.push(`Still missing: ${report.missing.join(', ')}.`);
  return lines.join('\n');
}

async function adjust(context: CommandContext, input: AdjustInput, currency: string): Promise<string> {
  const card = await findCardByNumber(context.db, parseTripCardNumber(input.number) ?? '');
  const unit = card ?? { currency };
  const isPass = card?.unit === 'trips';
  const amount = isPass ? readTrips(input.amount) : readAmount(input.amount, currency);
  const entry = await adjustBalance(context, { ...input, amount });
  const format = (value: number) =>
    formatCardAmount(textsIn(COMMAND_LANGUAGE), value, unit, COMMAND_LANGUAGE);
  return `Entry ${entry.seq}: ${format(entry.amount)}. Balance ${format(entry.balanceAfter)}.`;
}

function readTrips(text: string): number {
  const trips = /^[+-]?\d{1,4}$/.test(text) ? Number(text) : 0;
  if (trips !== 0) return trips;
  throw new UsageError('A pass is corrected by a whole number of trips that is not zero.');
}

/** Parses a decimal amount into minor units. */
function readAmount(text: string, currency: string): number {
  const amount = parseDecimal(text, currency);
  if (amount !== null && amount !== 0) return amount;
  throw new UsageError(`An amount has ${getCurrencyExponent(currency)} decimals at most and is not zero.`);
}
