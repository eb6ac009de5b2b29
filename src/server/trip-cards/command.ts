import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { currencyExponent, formatMoney } from '#domain/money.ts';
import { systemClock } from '../clock.ts';
import { ConfigError, readConfig } from '../config.ts';
import { openDatabase } from '../database/database.ts';
import { FolderInUseError } from '../database/folder-lock.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { describeProblem, FeedError } from '../sailings/feed/problems.ts';
import { operatorOf } from '../sailings/operator.ts';
import { loadAppSecret } from '../secrets.ts';
import { createVault } from '../vault.ts';
import { adjustBalance, chargeBatch, issueCards, UnknownCardError } from './operator-commands.ts';
import { readGateBatch, readPrintedCards } from './operator-files.ts';

const USAGE = `What an operator does with trip cards, on the database the environment names.

  npm run trip-cards:issue -- FILE.csv
      Makes printed cards good. Columns: number, pin; name and amount (on the card from the start) if wanted.

  npm run trip-cards:adjust -- NUMBER AMOUNT REASON [--key TEXT]
      Corrects a balance, e.g. 9123456789012347 -4.50 "Charged twice at North Quay". With --key a repetition
      changes nothing.

  npm run trip-cards:charge -- FILE.csv|FILE.json
      Takes the fares a gate took. Columns: device_id, device_seq, number, amount, occurred_at, place. Batches may
      come late, twice and in any order. What a card cannot pay is owed, and paid by value that comes later.
`;

class UsageError extends Error {}

type Parts = Pick<Deps, 'db' | 'clock' | 'vault'>;
type Command = (deps: Parts) => Promise<string>;

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  try {
    const command = await readCommand(args);
    const config = readConfig();
    const database = await openDatabase({ url: config.databaseUrl, folder: config.dataDir });
    try {
      const vault = createVault(await loadAppSecret(database.db, config.appSecret));
      process.stdout.write(`${await command({ db: database.db, clock: systemClock, vault })}\n`);
    } finally {
      await database.close();
    }
    return 0;
  } catch (error) {
    const refusal = describeRefusal(error);
    if (refusal === null) throw error;
    process.stderr.write(refusal);
    return 1;
  }
}

async function readCommand(args: readonly string[]): Promise<Command> {
  const [name, ...rest] = args;
  switch (name) {
    case 'issue':
      return issue(...(await readOneFile(rest)));
    case 'charge':
      return charge(...(await readOneFile(rest)));
    case 'adjust':
      return adjust(rest);
    default:
      throw new UsageError('Name what to do: issue, adjust or charge.');
  }
}

async function readOneFile(args: readonly string[]): Promise<[file: string, contents: Uint8Array]> {
  const [path, ...more] = args;
  if (path === undefined || more.length > 0) throw new UsageError('Name one file.');
  try {
    return [basename(path), await readFile(path)];
  } catch {
    throw new UsageError(`${path} cannot be read.`);
  }
}

function issue(file: string, contents: Uint8Array): Command {
  return async (deps) => {
    const { currency } = await operatorOf(deps.db);
    const { issued, known } = await issueCards(deps, readPrintedCards(contents, file, currency));
    return `${issued} cards issued, ${known} there already.`;
  };
}

function charge(file: string, contents: Uint8Array): Command {
  return async (deps) => {
    const { currency } = await operatorOf(deps.db);
    const batch = readGateBatch(contents, file, { currency, now: deps.clock.now() });
    const report = await chargeBatch(deps, batch);
    const lines = [
      `${report.charged} fares charged, ${report.owed} owed in whole or in part, ${report.known} known already.`,
    ];
    if (report.conflict > 0) {
      lines.push(`${report.conflict} left out: their device used the same number for another fare before.`);
    }
    if (report.missing.length > 0) lines.push(`Still missing: ${report.missing.join(', ')}.`);
    return lines.join('\n');
  };
}

function adjust(args: readonly string[]): Command {
  // A negative amount is no option.
  const [number, amountText, ...more] = args;
  const { values, positionals } = parse(more);
  const [reason, ...rest] = positionals;
  if (number === undefined || amountText === undefined || !reason?.trim() || rest.length > 0) {
    throw new UsageError('Name the number, the amount, and the reason in quotes.');
  }
  if (reason.length > 120) throw new UsageError('A reason has 120 characters at most.');
  return async (deps) => {
    const { currency } = await operatorOf(deps.db);
    const amount = readAmount(amountText, currencyExponent(currency));
    const wish = { number, amount, reason: reason.trim(), key: values.key ?? randomUUID() };
    const entry = await adjustBalance(deps, wish);
    return `Entry ${entry.seq}: ${formatMoney(entry.amount, currency)}. Balance ${formatMoney(entry.balanceAfter, currency)}.`;
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: { key: { type: 'string' } } });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Decimal text to minor units by moving the point. */
function readAmount(text: string, exponent: number): number {
  const [, sign = '', units = '', fraction = ''] = /^([+-]?)(\d{1,6})(?:\.(\d+))?$/.exec(text) ?? [];
  const amount = Number(units + fraction.padEnd(exponent, '0'));
  if (units === '' || fraction.length > exponent || amount === 0) {
    throw new UsageError(`An amount has ${exponent} decimals at most and is not nothing.`);
  }
  return sign === '-' ? -amount : amount;
}

function describeRefusal(error: unknown): string | null {
  if (error instanceof UsageError) return `${error.message}\n\n${USAGE}`;
  if (error instanceof FeedError) {
    const count = `The file has ${error.count} problem${error.count === 1 ? '' : 's'}; nothing was done.`;
    return [count, ...error.problems.map(describeProblem), ''].join('\n');
  }
  const isSaid =
    error instanceof ApiError ||
    error instanceof UnknownCardError ||
    error instanceof ConfigError ||
    error instanceof FolderInUseError;
  return isSaid ? `${error.message}\n` : null;
}
