import { readLocalTime } from '#domain/format/dates.ts';
import { formatMoney } from '#domain/format/money.ts';
import { EVERY_DAY, formatWeekdays } from '#domain/time/days.ts';
import { COMMAND_LANGUAGE } from '#messages/text-locale.ts';
import type { NoticeReport } from '../notices/notice-report.ts';
import { describeRemedy, describeRisk, needsConfirmation } from './check-import.ts';
import type { DatedPrice, FareChange } from './compare-fares.ts';
import type { DatedShare, TaxChange } from './compare-taxes.ts';
import type { ImportPreview } from './preview-import.ts';
import type { SoldSailing } from './sold-sailings.ts';
import type { MovedSailing } from './survey-sailings.ts';

/** How many lines of a list are printed. */
const MAX_LINES = 20;

const MAX_FARES = 5;

/** A preview as text for the terminal. */
export function describePreview(preview: ImportPreview): string {
  const { ports, routes, until, sailings, fares, unsoldPairs, unreachedPorts, risk, skipped } = preview;
  const sections = [
    [`Preview: nothing was written. ${ports} ports, ${routes} routes, sailings until ${until}.`],
    countSailings(sailings),
    describeList('Sold sailings that would be canceled', sailings.canceled.map(canceledRow)),
    describeList('Sold sailings that would get new times', sailings.moved.map(movedRow)),
    describeNotices(preview.notices),
    [
      `Fares: ${fares.added} added, ${fares.removed} removed, ${fares.changed} changed.`,
      ...formatTable(fares.list.slice(0, MAX_FARES).map((change) => fareRow(change, preview.currency))),
    ],
    describeList('Changes of taxes', preview.taxes.map(taxRow)),
    describeList(
      'Port pairs that cannot be sold',
      unsoldPairs.map(({ route, reason }) => [route, reason]),
    ),
    describeList(
      'Ports that cannot be reached',
      unreachedPorts.map((name) => [name]),
    ),
    skipped.map((sentence) => `Note: ${sentence}`),
    needsConfirmation(risk)
      ? [`The import will be refused. ${describeRisk(risk).join(' ')}`, describeRemedy(risk)]
      : [],
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function describeNotices({ notified, unpaidNotified, unreachable }: NoticeReport): string[] {
  const counts: [string, number][] = [
    ['Orders that would be written to', notified],
    ['Unpaid orders that would be canceled, whose buyers would be written to', unpaidNotified],
    ['Orders that cannot be reached, to be called', unreachable.length],
  ];
  return counts.filter(([, count]) => count > 0).map(([what, count]) => `${what}: ${count}.`);
}

function countSailings(sailings: ImportPreview['sailings']): string[] {
  const { added, gone, retimed, otherwiseChanged, unchanged, canceled, moved } = sailings;
  return formatTable([
    ['Sailings', '', 'sold', 'tickets', 'orders'],
    ['added', `${added}`],
    ['gone', `${gone}`, ...countSold(canceled)],
    ['new times', `${retimed}`, ...countSold(moved)],
    ['other changes', `${otherwiseChanged}`],
    ['unchanged', `${unchanged}`],
  ]);
}

function countSold(sold: readonly SoldSailing[]): string[] {
  const tickets = sold.reduce((sum, sailing) => sum + sailing.tickets, 0);
  const orders = new Set(sold.flatMap(({ orderIds }) => orderIds)).size;
  return [`${sold.length}`, `${tickets}`, `${orders}`];
}

function canceledRow({ departsAt, timeZone, route, tickets, orderIds }: SoldSailing): string[] {
  const time = formatTime(departsAt, timeZone);
  return [time, route, formatCount(tickets, 'ticket'), formatCount(orderIds.length, 'order')];
}

function movedRow(sailing: MovedSailing): string[] {
  const [time = '', ...rest] = canceledRow(sailing);
  return [time, `to ${formatTime(sailing.newDepartsAt, sailing.timeZone)}`, ...rest];
}

function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** "2026-06-02 10:00" in the port's zone. */
function formatTime(instant: Date, timeZone: string): string {
  return readLocalTime(instant.getTime(), timeZone).replace('T', ' ');
}

function fareRow(change: FareChange, currency: string): string[] {
  const { route, fareClass, what, isNew, isGone } = change;
  const describe = (prices: readonly DatedPrice[]) =>
    prices.map((price) => describePrice(price, currency)).join(', ');
  const [before, after] = [describe(change.before), describe(change.after)];
  const label = [route, fareClass, what];
  if (before === after) return [...label, before, 'other terms'];
  if (before === '' && !isNew) return [...label, 'also', after];
  if (after === '' && !isGone) return [...label, before, 'ends'];
  return [...label, before || 'none', `to ${after || 'none'}`];
}

function taxRow({ route, product, before, after }: TaxChange): string[] {
  const describe = (shares: readonly DatedShare[]) =>
    shares.length === 0 ? 'rates of the fares' : shares.map(describeShare).join(', ');
  return [route, product, describe(before), `to ${describe(after)}`];
}

/** "70 % at 0 % (Outside the scope) from 2027-01-01". */
function describeShare({ shareBp, taxBp, name, validFrom, validUntil }: DatedShare): string {
  const percent = `${shareBp / 100} % at ${taxBp / 100} %`;
  return [percent, name === '' ? '' : `(${name})`, ...describeDays({ validFrom, validUntil })]
    .filter(Boolean)
    .join(' ');
}

/** "$18.50 from 2027-01-01 on sat sun". */
function describePrice({ amount, validFrom, validUntil, weekdays }: DatedPrice, currency: string): string {
  return [
    formatMoney(amount, currency, COMMAND_LANGUAGE),
    ...describeDays({ validFrom, validUntil }),
    weekdays === EVERY_DAY ? '' : `on ${formatWeekdays(weekdays)}`,
  ]
    .filter(Boolean)
    .join(' ');
}

function describeDays({ validFrom, validUntil }: Pick<DatedPrice, 'validFrom' | 'validUntil'>): string[] {
  return [
    ...(validFrom === null ? [] : [`from ${validFrom}`]),
    ...(validUntil === null ? [] : [`until ${validUntil}`]),
  ];
}

function describeList(title: string, rows: readonly string[][]): string[] {
  if (rows.length === 0) return [];
  const left = rows.length - MAX_LINES;
  const lines = formatTable(rows.slice(0, MAX_LINES));
  return [`${title} (${rows.length}):`, ...lines, ...(left > 0 ? [`  … and ${left} more`] : [])];
}

/** Aligns columns; those of numbers to the right. */
function formatTable(rows: readonly string[][]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  return rows.map((row) => {
    const cells = row.map((cell, index) => {
      const width = widths[index] ?? 0;
      return /^\d+$/.test(cell) ? cell.padStart(width) : cell.padEnd(width);
    });
    return `  ${cells.join('  ')}`.trimEnd();
  });
}
