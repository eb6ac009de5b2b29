import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { currencyExponent, formatMoney } from '#domain/money.ts';
import { readArguments, runCommand, UsageError, type Work } from '../command.ts';
import { operatorOf } from '../sailings/operator.ts';
import { adjustBalance, chargeBatch, issueCards, UnknownCardError } from './operator-commands.ts';
import { readGateBatch, readPrintedCards } from './operator-files.ts';

const usage = `What an operator does with trip cards, on the database the environment names.

  npm run trip-cards:issue -- FILE.csv
      Makes printed cards good. Columns: number, pin; name and amount (on the card from the start) if wanted.

  npm run trip-cards:adjust -- NUMBER AMOUNT REASON [--key TEXT]
      Corrects a balance, e.g. 9123456789012347 -4.50 "Charged twice at North Quay". With --key a repetition
      changes nothing.

  npm run trip-cards:charge -- FILE.csv|FILE.json
      Takes the fares a gate took. Columns: device_id, device_seq, number, amount, occurred_at, place. Batches may
      come late, twice and in any order. What a card cannot pay is owed, and paid by value that comes later.
`;

await runCommand({ usage, refusals: [UnknownCardError], read: readCommand });

async function readCommand(args: readonly string[]): Promise<Work> {
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

function issue(file: string, contents: Uint8Array): Work {
  return async (deps) => {
    const { currency } = await operatorOf(deps.db);
    const { issued, known } = await issueCards(deps, readPrintedCards(contents, file, currency));
    return `${issued} cards issued, ${known} there already.`;
  };
}

function charge(file: string, contents: Uint8Array): Work {
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

function adjust(args: readonly string[]): Work {
  // A negative amount is no option.
  const [number, amountText, ...more] = args;
  const { values, positionals } = readArguments(more, { key: { type: 'string' } });
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

/** Decimal text to minor units by moving the point. */
function readAmount(text: string, exponent: number): number {
  const [, sign = '', units = '', fraction = ''] = /^([+-]?)(\d{1,6})(?:\.(\d+))?$/.exec(text) ?? [];
  const amount = Number(units + fraction.padEnd(exponent, '0'));
  if (units === '' || fraction.length > exponent || amount === 0) {
    throw new UsageError(`An amount has ${exponent} decimals at most and is not nothing.`);
  }
  return sign === '-' ? -amount : amount;
}
