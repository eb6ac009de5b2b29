/**
 * The reports. `sales`: by day, route, product and tax rate. `money`: what came and went, by method. `deferred`: what is sold
 * and not yet traveled. `stored_value`: trip cards and passes. `open_items`: orders whose money and worth differ. `cash_up`:
 * what staff took and paid out. `drawers`: cash drawers as they were counted. `loads`: places and people of each sailing. `ledger`: debits and credits by day.
 */
export const REPORTS = [
  'sales',
  'money',
  'deferred',
  'stored_value',
  'open_items',
  'cash_up',
  'drawers',
  'loads',
  'ledger',
] as const;
export type ReportName = (typeof REPORTS)[number];

/** `money`: minor units of the row's `currency`; `percent`: basis points; `length`: centimeters; `month`: such as 2026-05. */
export const COLUMN_UNITS = ['text', 'day', 'month', 'time', 'count', 'money', 'percent', 'length'] as const;

/** The columns of all reports. A key means the same in each. */
export const REPORT_COLUMNS = {
  day: 'day',
  time: 'time',
  route: 'text',
  vessel: 'text',
  kind: 'text',
  product: 'text',
  tax_percent: 'percent',
  belongs_to: 'month',
  tickets: 'count',
  net: 'money',
  tax: 'money',
  gross: 'money',
  source: 'text',
  method: 'text',
  payments: 'money',
  refunds: 'money',
  unit: 'text',
  opening: 'money',
  sold: 'money',
  refunded: 'money',
  traveled: 'money',
  lapsed: 'money',
  top_ups: 'money',
  spent: 'money',
  returned: 'money',
  transferred: 'money',
  corrected: 'money',
  expired: 'money',
  closing: 'money',
  reference: 'text',
  sales: 'money',
  staff: 'text',
  taken: 'money',
  paid_out: 'money',
  expected: 'money',
  counted: 'money',
  difference: 'money',
  places: 'count',
  people: 'count',
  boarded: 'count',
  no_shows: 'count',
  left_behind: 'count',
  vehicles: 'count',
  vehicles_boarded: 'count',
  vehicles_no_shows: 'count',
  vehicles_left_behind: 'count',
  lane: 'length',
  lane_sold: 'length',
  lane_boarded: 'length',
  lane_no_shows: 'length',
  lane_left_behind: 'length',
  debit: 'text',
  credit: 'text',
  amount: 'money',
  currency: 'text',
} as const satisfies Readonly<Record<string, (typeof COLUMN_UNITS)[number]>>;
export type ReportColumn = keyof typeof REPORT_COLUMNS;

export const REPORT_COLUMN_KEYS = Object.keys(REPORT_COLUMNS) as readonly ReportColumn[];
