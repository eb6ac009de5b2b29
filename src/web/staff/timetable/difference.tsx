import type { ComponentProps } from 'react';
import { EVERY_DAY, formatWeekdays } from '#domain/time/days.ts';
import { formatList, getNumberFormat } from '#messages/intl.ts';
import { type Message, message } from '#messages/translate.ts';
import { formatClock, formatShortDay, localDay } from '#web/features/site/local-time.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import type { TimetableDifference } from '#web/platform/api/types.ts';
import { formatDay } from '#web/ui/calendar/calendar.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { type Column, Table } from '#web/ui/data/table.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Disclosure } from '#web/ui/layout/disclosure.tsx';
import { FirstRows } from '../first-rows.tsx';
import { askToCall, describeNotices } from '../notice-texts.ts';

type Props = { difference: TimetableDifference };
type FareChange = TimetableDifference['fares']['list'][number];
type Price = FareChange['before'][number];
type TaxChange = TimetableDifference['taxes']['list'][number];
type Share = TaxChange['before'][number];
type Day = TimetableDifference['days'][number];
type SoldSailing = TimetableDifference['soldSailings'][number];

/** What an upload would change, the prices first. */
export function Difference({ difference }: Props) {
  const { notified, unpaidNotified, unreachable, notes } = difference;
  return (
    <>
      <Files difference={difference} />
      {notified + unpaidNotified + unreachable > 0 && (
        <Notice type="warning">
          {[
            ...describeNotices(difference),
            ...(unreachable === 0
              ? []
              : [askToCall(unreachable), t('The pages of their boats list their phone numbers.')]),
          ].join(' ')}
        </Notice>
      )}
      <Fares difference={difference} />
      <Taxes difference={difference} />
      <PromoCodes difference={difference} />
      <Sailings difference={difference} />
      <SoldSailings difference={difference} />
      <Days difference={difference} />
      {notes.length > 0 && (
        <Disclosure
          summary={t('{count, plural, one {# note} other {# notes}} of the import', { count: notes.length })}
          open={difference.needsConfirmation}
        >
          <ul lang="en">
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </Disclosure>
      )}
    </>
  );
}

const FILE_STATES: Readonly<Record<TimetableDifference['files'][number]['state'], Message>> = {
  added: message('new|a file'),
  changed: message('changed|a file'),
  removed: message('removed|a file'),
};

export function nameFileState(state: keyof typeof FILE_STATES): string {
  return t(FILE_STATES[state]);
}

function Files({ difference: { files, keptFiles } }: Props) {
  const names = files.map(({ name, state }) => t('{name} ({state})', { name, state: nameFileState(state) }));
  return (
    <p>
      {t(
        'Files: {files}. {kept, plural, =0 {No other file stays.} one {# other stays as it is.} other {# others stay as they are.}}',
        { files: formatList(textLanguage(), names), kept: keptFiles },
      )}
    </p>
  );
}

function Fares({ difference: { fares, currency } }: Props) {
  const { added, removed, changed, list } = fares;
  if (list.length === 0) return <p>{t('No price changes.')}</p>;
  const describe = (prices: readonly Price[]) => (
    <Lines lines={prices.map((price) => describePrice(price, currency))} none={t('none|a value')} />
  );
  const columns: Column<FareChange>[] = [
    { id: 'what', header: t('Fare'), cell: ({ what, fareClass }) => `${what}, ${fareClass}` },
    { id: 'route', header: t('Route'), cell: ({ route }) => route },
    { id: 'before', header: t('Until now'), cell: ({ before }) => describe(before) },
    { id: 'after', header: t('Afterwards'), cell: ({ after }) => describe(after) },
  ];
  return (
    <LongTable
      caption={t('Prices: {changed} changed, {added} new, {removed} ended', { changed, added, removed })}
      columns={columns}
      rows={list}
      getKey={({ what, fareClass, route }) => `${route} ${fareClass} ${what}`}
      count={added + removed + changed}
    />
  );
}

function Lines({ lines, none }: { lines: readonly string[]; none: string }) {
  if (lines.length === 0) return none;
  return (
    <div>
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </div>
  );
}

/** "$9.50 from Jan 1, 2027, sat sun" */
function describePrice({ amount, validFrom, validUntil, weekdays }: Price, currency: string): string {
  const dated = datePrice(formatMoney(amount, currency), [validFrom, validUntil]);
  return weekdays === EVERY_DAY ? dated : `${dated}, ${formatWeekdays(weekdays)}`;
}

function datePrice(price: string, days: readonly [string | null, string | null]): string {
  const [from, until] = days.map((day) => (day === null ? null : formatDay(day, 'date')));
  if (from && until) return t('{price} from {from} until {until}', { price, from, until });
  if (from) return t('{price} from {from}', { price, from });
  return until ? t('{price} until {until}', { price, until }) : price;
}

const PRODUCTS: Readonly<Record<TaxChange['product'], Message>> = {
  passenger: message('Passengers'),
  vehicle: message('Vehicles'),
  bicycle: message('Bicycles'),
  fee: message('Fees'),
};

function Taxes({ difference: { taxes } }: Props) {
  const { count, list } = taxes;
  if (count === 0) return null;
  const describe = (shares: readonly Share[]) => (
    <Lines lines={shares.map(describeShare)} none={t('as in the fares|a tax rate')} />
  );
  const columns: Column<TaxChange>[] = [
    { id: 'what', header: t('Taxed'), cell: ({ product }) => t(PRODUCTS[product]) },
    { id: 'route', header: t('Route'), cell: ({ route }) => route },
    { id: 'before', header: t('Until now'), cell: ({ before }) => describe(before) },
    { id: 'after', header: t('Afterwards'), cell: ({ after }) => describe(after) },
  ];
  return (
    <LongTable
      caption={t('{count, plural, one {# tax change} other {# tax changes}}', { count })}
      columns={columns}
      rows={list}
      getKey={({ product, route }) => `${route} ${product}`}
      count={count}
    />
  );
}

/** "30% at 10%, Domestic waters, from Jan 1, 2027" */
function describeShare({ shareBp, taxBp, name, validFrom, validUntil }: Share): string {
  const [share, rate] = [shareBp, taxBp].map((bp) =>
    getNumberFormat(textLanguage(), { style: 'percent', maximumFractionDigits: 2 }).format(bp / 10_000),
  );
  const taxed = t('{share} of the price at {rate}', { share: share ?? '', rate: rate ?? '' });
  return datePrice(name === '' ? taxed : `${taxed}, ${name}`, [validFrom, validUntil]);
}

function PromoCodes({ difference: { promoCodes } }: Props) {
  const { added, changed, removed } = promoCodes;
  if (added.length + changed.length + removed.length === 0) return null;
  const list = (codes: readonly string[]) =>
    codes.length === 0 ? t('none|a value') : formatList(textLanguage(), codes);
  return (
    <p>
      {t('Promo codes. New: {added}. Changed: {changed}. Ended: {removed}.', {
        added: list(added),
        changed: list(changed),
        removed: list(removed),
      })}
    </p>
  );
}

type SailingRow = { name: string; count: number; sold?: TimetableDifference['canceled'] };

function Sailings({ difference: { sailings, canceled, moved, until } }: Props) {
  const { added, gone, moved: movedCount, otherwiseChanged, unchanged } = sailings;
  if (added + gone + movedCount + otherwiseChanged === 0) {
    return <p>{t('No sailing changes. They are on sale until {day}.', { day: formatDay(until, 'date') })}</p>;
  }
  const rows: SailingRow[] = [
    { name: t('Added|sailings'), count: added },
    { name: t('Gone|sailings'), count: gone, sold: canceled },
    { name: t('With new times|sailings'), count: movedCount, sold: moved },
    { name: t('Changed otherwise|sailings'), count: otherwiseChanged },
    { name: t('Unchanged|sailings'), count: unchanged },
  ];
  const columns: Column<SailingRow>[] = [
    { id: 'name', header: t('Sailings'), cell: ({ name }) => name },
    { id: 'count', header: t('All|sailings'), cell: ({ count }) => count, isFigure: true },
    {
      id: 'sold',
      header: t('With tickets|sailings'),
      cell: ({ sold }) => sold?.sailings ?? '–',
      isFigure: true,
    },
    { id: 'tickets', header: t('Tickets'), cell: ({ sold }) => sold?.tickets ?? '–', isFigure: true },
    { id: 'orders', header: t('Orders'), cell: ({ sold }) => sold?.orders ?? '–', isFigure: true },
  ];
  return (
    <Table
      caption={t('Sailings until {day}', { day: formatDay(until, 'date') })}
      columns={columns}
      rows={rows}
      getKey={({ name }) => name}
    />
  );
}

function SoldSailings({ difference: { soldSailings, canceled, moved } }: Props) {
  if (soldSailings.length === 0) return null;
  const when = (local: string) => `${formatShortDay(localDay(local))}, ${formatClock(local)}`;
  const columns: Column<SoldSailing>[] = [
    { id: 'departs', header: t('Departure|a time'), cell: ({ departsLocal }) => when(departsLocal) },
    {
      id: 'new',
      header: t('Becomes'),
      cell: ({ newDepartsLocal }) =>
        newDepartsLocal === null ? t('Canceled|a sailing') : when(newDepartsLocal),
    },
    { id: 'route', header: t('Route'), cell: ({ route }) => route },
    { id: 'tickets', header: t('Tickets'), cell: ({ tickets }) => tickets, isFigure: true },
    { id: 'orders', header: t('Orders'), cell: ({ orders }) => orders, isFigure: true },
  ];
  return (
    <LongTable
      caption={t('Sailings with tickets that change')}
      columns={columns}
      rows={soldSailings}
      getKey={({ departsLocal, route }) => `${departsLocal} ${route}`}
      count={canceled.sailings + moved.sailings}
    />
  );
}

function Days({ difference: { days, dayCount } }: Props) {
  if (days.length === 0) return null;
  const columns: Column<Day>[] = [
    { id: 'day', header: t('Day'), cell: ({ day }) => formatDay(day, 'date') },
    { id: 'route', header: t('Route'), cell: ({ route }) => route },
    { id: 'added', header: t('Added|sailings'), cell: ({ added }) => added, isFigure: true },
    { id: 'gone', header: t('Gone|sailings'), cell: ({ gone }) => gone, isFigure: true },
    { id: 'moved', header: t('With new times|sailings'), cell: ({ moved }) => moved, isFigure: true },
  ];
  return (
    <Disclosure summary={t('By day and route')}>
      <LongTable
        caption={t('By day and route')}
        isCaptionHidden
        columns={columns}
        rows={days}
        getKey={({ day, route }) => `${day} ${route}`}
        count={dayCount}
      />
    </Disclosure>
  );
}

/** Rows of a list that are shown before the rest is asked for. */
const ROWS_AT_FIRST = 20;

type LongTableProps<Row> = ComponentProps<typeof Table<Row>> & {
  /** Of all rows, also of those that the server did not answer. */
  count: number;
};

function LongTable<Row>({ count, rows, ...table }: LongTableProps<Row>) {
  return (
    <FirstRows
      rows={rows}
      most={ROWS_AT_FIRST}
      end={count > rows.length && <p>{t('And {count} more.', { count: count - rows.length })}</p>}
    >
      {(shown) => <Table {...table} rows={shown} />}
    </FirstRows>
  );
}
