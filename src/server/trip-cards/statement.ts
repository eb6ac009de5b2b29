import { and, asc, desc, eq, gte, lt } from 'drizzle-orm';
import type * as z from 'zod/mini';
import type { StatementQuerySchema } from '#contract/trip-cards/schemas.ts';
import { toDecimal } from '#domain/fares/money.ts';
import { formatInstant, readLocalTime } from '#domain/format/dates.ts';
import { addDays, countDays, isDay } from '#domain/time/days.ts';
import { getDayStart, getLocalDay } from '#domain/time/port-time.ts';
import { formatTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import { formatCardAmount } from '#sentences/card-amounts.ts';
import { textsIn } from '#server/core/texts.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { getOperator } from '../database/operator.ts';
import { tripCardEntries } from '../database/schema/trip-cards.ts';
import type { StatementSheet } from '../documents/statement-pdf.ts';
import { ApiError } from '../http/api-error.ts';
import type { EntryRow } from './post-entry.ts';
import { writeDescription } from './presenter.ts';
import { type CardRequest, requireHeldCard, type TripCardRow } from './queries.ts';

const MAX_DAYS = 366;
const DEFAULT_DAYS = 30;
/** About sixty pages; longer statements are for spreadsheets. */
const MAX_PRINTED = 2000;

/** A card's entries in a range of days, oldest first. */
type Statement = {
  card: TripCardRow;
  /** Only the owner may see the whole number. */
  isOwner: boolean;
  from: string;
  to: string;
  timeZone: string;
  /** Before the first entry. */
  before: number;
  entries: readonly EntryRow[];
};

/**
 * The entries written on these days of the operator's calendar.
 * @throws {ApiError} not_found, invalid_input
 */
export async function readStatement(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  input: CardRequest & z.infer<typeof StatementQuerySchema>,
): Promise<Statement> {
  const { card, role } = await requireHeldCard(db, input, 'view_history');
  const { timeZone } = await getOperator(db);
  const to = requireDay(input.to ?? getLocalDay(clock.now().getTime(), timeZone), 'to');
  const from = requireDay(input.from ?? addDays(to, 1 - DEFAULT_DAYS), 'from');
  const days = countDays(from, to) + 1;
  if (days < 1 || days > MAX_DAYS) throw new ApiError('invalid_input', { field: 'from' });
  const entries = await db
    .select()
    .from(tripCardEntries)
    .where(
      and(
        eq(tripCardEntries.tripCardId, card.id),
        gte(tripCardEntries.insertedAt, getStart(from, timeZone)),
        lt(tripCardEntries.insertedAt, getStart(addDays(to, 1), timeZone)),
      ),
    )
    .orderBy(asc(tripCardEntries.seq));
  const before = await balanceAt(db, card.id, getStart(from, timeZone));
  return { card, isOwner: role === 'owner', from, to, timeZone, before, entries };
}

/** The balance at the start of a day. */
async function balanceAt(db: Database, cardId: string, instant: Date): Promise<number> {
  const [last] = await db
    .select({ balance: tripCardEntries.balanceAfter })
    .from(tripCardEntries)
    .where(and(eq(tripCardEntries.tripCardId, cardId), lt(tripCardEntries.insertedAt, instant)))
    .orderBy(desc(tripCardEntries.seq))
    .limit(1);
  return last?.balance ?? 0;
}

/**
 * The statement for spreadsheets: UTF-8 with a byte order mark, CRLF, amounts as decimal numbers. Of a pass, amounts are
 * numbers of trips.
 */
export function statementCsv({ card, timeZone, entries }: Statement, language: string): string {
  const isPass = card.unit === 'trips';
  const number = (amount: number) => (isPass ? String(amount) : toDecimal(amount, card.currency));
  const lines = [
    ['Number', 'Date', 'Kind', 'Description', 'Place', 'Amount', 'Balance', isPass ? 'Unit' : 'Currency'],
    ...entries.map((entry) => [
      String(entry.seq),
      readLocalTime(entry.occurredAt.getTime(), timeZone).replace('T', ' '),
      entry.kind,
      asText(writeDescription(entry, language)),
      asText(entry.place ?? ''),
      number(entry.amount),
      number(entry.balanceAfter),
      isPass ? 'trips' : card.currency,
    ]),
  ];
  return `\ufeff${lines.map((cells) => cells.map(cell).join(',')).join('\r\n')}\r\n`;
}

/**
 * The printed statement's content, with every value formatted.
 * @throws {ApiError} invalid_input if it is too long to print
 */
export function statementSheet(
  { card, isOwner, from, to, timeZone, before, entries }: Statement,
  language: string,
): StatementSheet {
  if (entries.length > MAX_PRINTED) throw new ApiError('invalid_input', { field: 'from' });
  const t = textsIn(language);
  const format = (amount: number) => formatCardAmount(t, amount, card, language);
  const region = { language, zone: timeZone };
  const formatDay = (day: string) => formatInstant('date', getDayStart(day, timeZone), region);
  return {
    cardName: card.name,
    number: isOwner
      ? formatTripCardNumber(card.number)
      : t('ending {digits}', { digits: card.number.slice(-4) }),
    period: t('{from} to {until}', { from: formatDay(from), until: formatDay(to) }),
    lastDay: to,
    opening: format(before),
    closing: format(entries.at(-1)?.balanceAfter ?? before),
    lines: entries.map((entry) => ({
      date: formatInstant('dateAndClock', entry.occurredAt.getTime(), region),
      text: [writeDescription(entry, language), entry.place].filter(Boolean).join(' · '),
      amount: format(entry.amount),
      balance: format(entry.balanceAfter),
    })),
  };
}

/** Spreadsheets run a cell that starts like a formula. */
function asText(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

function cell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function getStart(day: string, timeZone: string): Date {
  return new Date(getDayStart(day, timeZone));
}

function requireDay(day: string, field: string): string {
  if (!isDay(day) || day < '2000-01-01' || day > '2200-01-01') throw new ApiError('invalid_input', { field });
  return day;
}
