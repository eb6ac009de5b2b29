import { ACCOUNTS } from '#contract/reports/accounts.ts';
import type { WebSettings } from '#contract/settings/schemas.ts';
import { getCurrencyExponent, toDecimal } from '#domain/fares/money.ts';
import { getNumberFormat } from '#messages/intl.ts';
import type { Translate } from '#messages/translate.ts';
import { nameSetting } from '#sentences/settings/names.ts';
import { type AuditActor, recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { textsIn } from '../core/texts.ts';
import { getOperator } from '../database/operator.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { DATEV_COLUMNS } from './datev-columns.ts';
import { getMonthDays } from './months.ts';
import type { ReportRows } from './report-query.ts';
import { readReport } from './reports.ts';

/** DATEV's version of the header, category and version of a booking batch. */
const HEADER_VERSION = 700;
const CATEGORY = 21;
const FORMAT_VERSION = 13;
/** The longest text of a booking. */
const TEXT_LENGTH = 60;

/** A debit and a credit of one amount. */
type Booking = {
  day: string;
  debit: string;
  credit: string;
  amount: number;
  currency: string;
  text: string;
};
type DatevSettings = {
  [Name in keyof NonNullable<WebSettings['datev']>]-?: NonNullable<NonNullable<WebSettings['datev']>[Name]>;
};
/** `createdAt`: local time of the operator. */
type Batch = {
  month: string;
  currency: string;
  settings: DatevSettings;
  createdAt: Temporal.PlainDateTime;
  bookings: readonly Booking[];
};

type DatevExport = {
  /** Such as 2026-05. */
  month: string;
  /** Of a batch, which has one; null: that of the month, which then has no other. */
  currency: string | null;
  zone: string;
  actor: AuditActor;
};

/**
 * The general ledger of a month in one currency as a booking batch for DATEV, in Windows-1252. The audit log records it.
 * @throws {ApiError} not_found if the month has nothing in the currency; datev_incomplete with the settings that are missing,
 *   the account that is no number, or the currencies of the month
 */
export async function exportDatev(
  context: Pick<Context, 'db' | 'clock'>,
  { month, currency: chosen, zone, actor }: DatevExport,
): Promise<Uint8Array> {
  return inTransaction(context.db, async (tx) => {
    const webSettings = await loadWebSettings({ db: tx });
    const t = textsIn(webSettings.language);
    const settings = requireSettings(webSettings);
    const period = { ...getMonthDays(month), zone, now: context.clock.now() };
    const ledger = await readReport(tx, { report: 'ledger', period });
    const all = readBookings(ledger, webSettings, t);
    const { currency } = await getOperator(tx);
    const batchCurrency = requireCurrency(all, { chosen, operator: currency });
    const bookings = all.filter((booking) => booking.currency === batchCurrency);
    for (const booking of bookings) requireAccounts(booking, settings);
    await recordAudit(tx, context, {
      ...{ actor, action: 'report_exported', objectKind: 'report', objectId: 'datev' },
      ...{ before: {}, after: { month, currency: batchCurrency, rows: bookings.length }, reason: null },
    });
    const createdAt = Temporal.Instant.fromEpochMilliseconds(context.clock.now().getTime())
      .toZonedDateTimeISO(zone)
      .toPlainDateTime();
    return encodeWindows1252(formatBatch({ month, currency: batchCurrency, settings, createdAt, bookings }));
  });
}

/** A booking batch as DATEV describes it (developer.datev.de, DATEV-Format, Buchungsstapel). */
export function formatBatch({ month, currency, settings, createdAt, bookings }: Batch): string {
  const { from, until } = getMonthDays(month);
  const header = [
    ...[quote('EXTF'), HEADER_VERSION, CATEGORY, quote('Buchungsstapel'), FORMAT_VERSION],
    ...[
      toDigits(createdAt.toString({ smallestUnit: 'millisecond' })),
      '',
      quote(''),
      quote('Gangway'),
      quote(''),
    ],
    ...[settings.consultant_number, settings.client_number],
    ...[toDigits(findFiscalYearStart(from, settings.fiscal_year_start)), settings.account_length],
    ...[toDigits(from), toDigits(until), quote(`Gangway ${month}`), quote('')],
    // A booking batch of the financial accounts for all purposes, which the tax adviser can still change.
    ...[1, 0, 0, quote(currency)],
    ...['', quote(''), '', '', quote(''), '', '', quote(''), quote('')],
  ];
  const lines = [header, DATEV_COLUMNS.map(([name]) => name), ...bookings.map(formatBooking)];
  return lines.map((fields) => `${fields.join(';')}\r\n`).join('');
}

function formatBooking({ day, debit, credit, amount, currency, text }: Booking): string[] {
  const values: Readonly<Record<string, string>> = {
    'Umsatz (ohne Soll/Haben-Kz)': toDecimal(amount, currency).replace('.', ','),
    'Soll/Haben-Kennzeichen': 'S',
    'WKZ Umsatz': currency,
    Konto: debit,
    'Gegenkonto (ohne BU-Schlüssel)': credit,
    Belegdatum: `${day.slice(8)}${day.slice(5, 7)}`,
    Buchungstext: text,
  };
  return DATEV_COLUMNS.map(([name, type]) =>
    type === 'text' ? quote(values[name] ?? '') : (values[name] ?? ''),
  );
}

function requireSettings({ datev = {} }: WebSettings): DatevSettings {
  const names = ['consultant_number', 'client_number', 'fiscal_year_start', 'account_length'] as const;
  const missing = names.filter((name) => datev[name] === undefined);
  if (missing.length > 0) {
    const params = (t: Translate) => ({
      settings: missing.map((name) => nameSetting(t, `datev.${name}`)).join(', '),
    });
    throw new ApiError('datev_incomplete', { reason: 'datev_settings_missing', params });
  }
  return datev as DatevSettings;
}

/** A batch has one currency, with two decimals. A month without bookings has that of the operator. */
function requireCurrency(
  bookings: readonly Booking[],
  { chosen, operator }: { chosen: string | null; operator: string },
): string {
  const currencies = [...new Set(bookings.map(({ currency }) => currency))].sort();
  if (chosen !== null && !currencies.includes(chosen)) throw notFound();
  const [currency = operator, ...others] = chosen === null ? currencies : [chosen];
  if (others.length > 0) {
    const params = { currencies: currencies.join(', ') };
    throw new ApiError('datev_incomplete', { reason: 'datev_several_currencies', params });
  }
  if (getCurrencyExponent(currency) === 2) return currency;
  throw new ApiError('datev_incomplete', { reason: 'datev_currency_refused', params: { currency } });
}

/** Accounts have as many digits as the settings say, accounts of persons one more. */
function requireAccounts({ debit, credit }: Booking, { account_length: length }: DatevSettings): void {
  for (const account of [debit, credit]) {
    if (/^\d+$/.test(account) && [length, length + 1].includes(account.length)) continue;
    throw new ApiError('datev_incomplete', { reason: 'datev_account_refused', params: { account } });
  }
}

/** A month that was closed before its accounts were set has them as this product calls them. */
function readBookings(
  { columns, rows }: ReportRows,
  { accounts = {}, language }: WebSettings,
  t: Translate,
): Booking[] {
  const names: Readonly<Record<string, string | undefined>> = accounts;
  const describe = (account: string) => {
    const kind = ACCOUNTS.find((each) => each === account || names[each] === account);
    return kind ? nameSetting(t, `accounts.${kind}`) : account;
  };
  return rows.map((row) => {
    const read = (column: (typeof columns)[number]) => row[columns.indexOf(column)] ?? '';
    const [debit, credit] = [String(read('debit')), String(read('credit'))];
    const taxBp = Number(read('tax_percent'));
    const rate = getNumberFormat(language, { style: 'percent', maximumFractionDigits: 2 }).format(
      taxBp / 10_000,
    );
    const text = [describe(debit), describe(credit)].join(' / ') + (taxBp === 0 ? '' : ` ${rate}`);
    return {
      ...{ day: String(read('day')), debit: names[debit] ?? debit, credit: names[credit] ?? credit },
      ...{ amount: Number(read('amount')), currency: String(read('currency')), text },
    };
  });
}

/** The fiscal year that has begun last on a day. `start`: month and day. */
function findFiscalYearStart(day: string, start: string): string {
  const year = Number(day.slice(0, 4));
  return `${start <= day.slice(5) ? year : year - 1}-${start}`;
}

function toDigits(text: string): string {
  return text.replace(/\D/g, '');
}

/** Control characters are not allowed in texts. */
function quote(text: string): string {
  return `"${text
    .replace(/\p{Cc}/gu, ' ')
    .slice(0, TEXT_LENGTH)
    .replaceAll('"', '""')}"`;
}

const BYTES: ReadonlyMap<string, number> = new Map(
  Array.from({ length: 256 }, (_, byte) => [
    new TextDecoder('windows-1252').decode(Uint8Array.of(byte)),
    byte,
  ]),
);

/** What Windows-1252 lacks becomes a question mark. */
function encodeWindows1252(text: string): Uint8Array {
  return Uint8Array.from([...text.normalize('NFC')], (character) => BYTES.get(character) ?? 0x3f);
}
