import { ACCOUNTS } from '#contract/reports/accounts.ts';
import { REPORT_COLUMNS, type ReportColumn, type ReportName } from '#contract/reports/columns.ts';
import { getNumberFormat } from '#messages/intl.ts';
import { type Message, message } from '#messages/translate.ts';
import { nameSetting } from '#sentences/settings/names.ts';
import { formatLane, type Units } from '#web/features/site/lengths.ts';
import { formatClock, formatShortDay } from '#web/features/site/local-time.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import { formatDay } from '#web/ui/calendar/calendar.ts';
import { formatMoney } from '#web/ui/data/money.tsx';

const REPORT_TEXTS: Readonly<Record<ReportName, { title: Message; about: Message }>> = {
  sales: {
    title: message('Sales'),
    about: message(
      'What was sold, by day, route, product and tax rate. What belongs to an order of an earlier month names that month.',
    ),
  },
  money: {
    title: message('Payments and refunds'),
    about: message('Money received and paid back, by method.'),
  },
  payouts: {
    title: message('Payouts'),
    about: message(
      'What the card provider sent to your bank account. Charges − refunds − disputes − fees + failed payouts + other = net.',
    ),
  },
  card_money: {
    title: message('Owed by the card provider'),
    about: message(
      'Opening + charges − refunds − disputes − fees − paid out + exchanged = closing. Closing is still to be paid out, held by banks or in failed payouts. What is not in your books is subtracted.',
    ),
  },
  deferred: {
    title: message('Sold, not yet traveled'),
    about: message('Opening + sold − refunded − traveled − did not come = closing.'),
  },
  stored_value: {
    title: message('Trip cards and passes'),
    about: message(
      'Value that customers have left. Opening + top-ups − spent + returned + transferred + corrected − became revenue = closing.',
    ),
  },
  open_items: {
    title: message('Open items'),
    about: message(
      'Orders whose payments do not match what was sold: opening + sales − payments + refunds = closing. A negative amount is owed to the customer.',
    ),
  },
  invoices: {
    title: message('Invoices|a report'),
    about: message(
      'What is owed on invoices, and by how long: opening + invoiced − credited − received = closing.',
    ),
  },
  cash_up: {
    title: message('Cash-up'),
    about: message(
      'What each person took and paid out in cash and at card terminals. “In no drawer” is cash while their drawer was closed.',
    ),
  },
  drawers: {
    title: message('Cash drawers'),
    about: message('What each person counted at the end of a shift, and what should have been there.'),
  },
  loads: {
    title: message('Loads'),
    about: message(
      'The load of each boat that ran: what was sold, came aboard, did not come and was left behind. Percentages are of the whole boat as it leaves the port. Who did not come is only known where a gate scanned tickets or closed check-in. Scans that an offline gate has not sent are missing. The CSV file has more.',
    ),
  },
  ledger: {
    title: message('General ledger'),
    about: message('Debits and credits by day, with the accounts of your settings.'),
  },
};

export function nameReport(report: ReportName): string {
  return t(REPORT_TEXTS[report].title);
}

export function explainReport(report: ReportName): string {
  return t(REPORT_TEXTS[report].about);
}

const HEADERS: Readonly<Record<ReportColumn, Message>> = {
  day: message('Day'),
  time: message('Time'),
  route: message('Route'),
  vessel: message('Vessel'),
  kind: message('Kind'),
  product: message('Product'),
  tax_percent: message('Tax rate'),
  tax_name: message('Taxed as'),
  belongs_to: message('Sold in'),
  tickets: message('Tickets'),
  net: message('Net'),
  tax: message('Tax'),
  gross: message('Gross'),
  source: message('For|what money was paid'),
  method: message('Method'),
  payments: message('Payments'),
  refunds: message('Refunds'),
  unit: message('Unit'),
  opening: message('Opening|balance'),
  sold: message('Sold'),
  refunded: message('Refunded|an amount'),
  traveled: message('Traveled'),
  lapsed: message('Did not come'),
  top_ups: message('Top-ups'),
  spent: message('Spent'),
  returned: message('Returned|value'),
  transferred: message('Transferred'),
  corrected: message('Corrected'),
  breakage: message('Became revenue'),
  expired: message('Of it expired'),
  closing: message('Closing|balance'),
  invoiced: message('Invoiced'),
  credited: message('Credited'),
  received: message('Received|by bank transfer'),
  not_due: message('Not due yet'),
  overdue_30: message('1 to 30 days late'),
  overdue_60: message('31 to 60 days late'),
  overdue_longer: message('More than 60 days late'),
  reference: message('Order'),
  sales: message('Sales'),
  staff: message('Person'),
  taken: message('Taken|money'),
  paid_out: message('Paid out'),
  no_drawer: message('In no drawer|money'),
  expected: message('Expected|an amount'),
  counted: message('Counted'),
  difference: message('Difference|an amount'),
  payout: message('Payout'),
  status: message('Status'),
  charges: message('Charges|of payment cards'),
  disputes: message('Disputes'),
  fees: message('Fees'),
  failed_payouts: message('Failed payouts'),
  other: message('Other|amounts'),
  unmatched: message('Items not in the books'),
  exchanged: message('Exchanged'),
  waiting: message('Not paid out yet'),
  disputed: message('Held by banks'),
  not_in_books: message('Not in the books'),
  charged: message('Charged|an amount'),
  match: message('Match'),
  provider_reference: message('At the card provider'),
  places: message('Places'),
  people: message('People'),
  people_percent: message('Places sold on average'),
  gate: message('Gate'),
  boarded: message('Aboard|people'),
  no_shows: message('Did not come'),
  left_behind: message('Left behind'),
  vehicles: message('Vehicles'),
  vehicles_boarded: message('Vehicles aboard'),
  vehicles_no_shows: message('Vehicles that did not come'),
  vehicles_left_behind: message('Vehicles left behind'),
  lane: message('Lane'),
  lane_sold: message('Lane sold'),
  lane_percent: message('Lane'),
  tall_lane_percent: message('Tall lane'),
  lane_boarded: message('Lane taken by vehicles aboard'),
  lane_no_shows: message('Lane of vehicles that did not come'),
  lane_left_behind: message('Lane of vehicles left behind'),
  debit: message('Debit'),
  credit: message('Credit'),
  amount: message('Amount'),
  currency: message('Currency'),
};

export function nameColumn(column: ReportColumn): string {
  return t(HEADERS[column]);
}

/** Codes of the columns `kind`, `method`, `source`, `unit`, `status` and `match`. */
const CODES: Readonly<Record<string, Message>> = {
  passenger: message('Passengers'),
  vehicle: message('Vehicles'),
  bicycle: message('Bicycles'),
  fee: message('Fees'),
  discount: message('Discounts'),
  goodwill: message('Goodwill'),
  gate_fare: message('Fares charged at gates'),
  card: message('Payment card'),
  trip_card: message('Trip card'),
  pass: message('Pass'),
  cash: message('Cash'),
  terminal: message('Card terminal'),
  dispute: message('Taken back by a bank'),
  invoice: message('Invoice'),
  bank: message('Bank transfer'),
  order: message('Orders'),
  top_up: message('Top-ups and passes'),
  money: message('Money'),
  trips: message('Trips'),
  charge: message('Charge|of a payment card'),
  refund: message('Refund'),
  failed_payout: message('Failed payout'),
  other: message('Other|an amount'),
  not_in_books: message('Not in the books'),
  pending: message('Pending'),
  in_transit: message('On its way'),
  paid: message('Arrived|a payout'),
  failed: message('Returned by the bank'),
};

export function nameCode(code: string): string {
  const name = CODES[code];
  return name ? t(name) : code;
}

const CODED: readonly ReportColumn[] = ['kind', 'method', 'source', 'unit', 'status', 'match'];

/** `isTrips`: the amounts of the row count trips. */
export type ValueContext = { currency: string; isTrips: boolean; units: Units };

/** A value of a report for people. */
export function formatValue(
  column: ReportColumn,
  value: string | number,
  { currency, isTrips, units }: ValueContext,
): string {
  if (value === '') return '';
  switch (REPORT_COLUMNS[column]) {
    case 'money':
      return isTrips ? formatNumber(Number(value)) : formatMoney(Number(value), currency);
    case 'count':
      return formatNumber(Number(value));
    case 'percent':
      return formatNumber(Number(value) / 10_000, { style: 'percent', maximumFractionDigits: 2 });
    case 'length':
      return formatLane(Number(value), units);
    case 'day':
      return formatShortDay(String(value));
    case 'time':
      return formatClock(`1970-01-01T${value}`);
    case 'month':
      return formatDay(`${value}-01`, 'monthOfYear');
    default: {
      if (column === 'debit' || column === 'credit') return nameAccount(String(value));
      return CODED.includes(column) ? nameCode(String(value)) : String(value);
    }
  }
}

function formatNumber(value: number, options: Intl.NumberFormatOptions = {}): string {
  return getNumberFormat(textLanguage(), options).format(value);
}

/** An account as the settings name it; otherwise by what it is. */
function nameAccount(name: string): string {
  return ACCOUNTS.some((account) => account === name) ? nameSetting(t, `accounts.${name}`) : name;
}
