import * as z from 'zod/mini';
import { AmountSchema, CurrencySchema, DaySchema, InstantSchema, plainText } from '#contract/common.ts';
import { SETTLED_NOTE_LENGTH } from '#contract/desk/limits.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { REPORT_COLUMN_KEYS, REPORTS } from './columns.ts';
import * as endpoints from './endpoints.ts';
import { PAYOUT_STATUSES } from './payouts.ts';

const ReportNameSchema = z.enum(REPORTS);
const MonthSchema = z.string().check(z.regex(/^\d{4}-(0[1-9]|1[0-2])$/));

/** Calendar days in the operator's zone, both inclusive. */
const PeriodSchema = z.object({ from: DaySchema, until: DaySchema });

const Rows = {
  columns: z.array(z.enum(REPORT_COLUMN_KEYS)),
  /** One value per column; money in minor units of the row's currency, percentages in basis points, lengths in centimeters. */
  rows: z.array(z.array(z.union([z.string(), z.number()]))),
};

const ReportSchema = z.object({
  report: ReportNameSchema,
  from: DaySchema,
  until: DaySchema,
  /** The month as it was closed; null: as of now. */
  closed_at: z.nullable(InstantSchema),
  ...Rows,
});
export type Report = z.infer<typeof ReportSchema>;

/** A payout of the card provider with each of its items. */
const PayoutSchema = z.object({
  /** The provider's. */
  id: z.string(),
  status: z.enum(PAYOUT_STATUSES),
  arrives_on: DaySchema,
  amount: AmountSchema,
  currency: CurrencySchema,
  /** Why the bank returned it, as the provider names it; null: it did not, or the provider does not tell. */
  failure_code: z.nullable(z.string()),
  /** Only of automatic payouts the provider tells what they consist of. */
  is_automatic: z.boolean(),
  /** When staff noted what became of its items that are not in the books; null: they have not, or there are none. */
  settled_at: z.nullable(InstantSchema),
  ...Rows,
});
export type Payout = z.infer<typeof PayoutSchema>;

const MonthStateSchema = z.object({
  month: MonthSchema,
  from: DaySchema,
  until: DaySchema,
  /** Null: open. */
  closed_at: z.nullable(InstantSchema),
  /** The name of the person who closed it; null: open, or the account is gone. */
  closed_by: z.nullable(z.string()),
  /** It is over, and all months before it are closed. */
  can_close: z.boolean(),
});
export type MonthState = z.infer<typeof MonthStateSchema>;

export const reportCalls = describeCalls(endpoints, {
  getReport: {
    summary: 'Read a report of some days, or of a closed month as it was closed',
    query: PeriodSchema,
    response: ReportSchema,
    errors: ['not_found'],
  },
  exportReport: {
    summary: 'Download a report as CSV; the log records it',
    query: PeriodSchema,
    response: { mediaType: 'text/csv' },
    errors: ['not_found', 'step_up_required'],
  },
  getPayout: {
    summary: 'Read a payout of the card provider with what each of its items belongs to',
    response: PayoutSchema,
    errors: ['not_found'],
  },
  settlePayout: {
    summary:
      'Take a payout off the list of what needs a person, with a note. Its items stay as not in the books',
    body: z.strictObject({ note: plainText(1, SETTLED_NOTE_LENGTH) }),
    response: z.object({ payout_id: z.string() }),
    errors: ['not_found'],
  },
  exportPayout: {
    summary: 'Download the items of a payout as CSV; the log records it',
    response: { mediaType: 'text/csv' },
    errors: ['not_found', 'step_up_required'],
  },
  listMonths: {
    summary: 'List the months since the first sale or payment, newest first, and which are closed',
    response: z.array(MonthStateSchema),
  },
  closeMonth: {
    summary: 'Close a month: its reports stay as they are, and later corrections count in the next months',
    response: z.array(MonthStateSchema),
    errors: ['not_found', 'step_up_required', 'month_open'],
  },
  exportDatev: {
    summary:
      'Download the general ledger of a month in one currency as a booking batch for DATEV; the log records it',
    /** Of a month that has several. */
    query: z.object({ currency: z.optional(CurrencySchema) }),
    response: { mediaType: 'text/csv' },
    errors: ['not_found', 'step_up_required', 'datev_incomplete'],
  },
});
