import * as z from 'zod/mini';
import {
  AmountSchema,
  CodeSchema,
  CurrencySchema,
  DaySchema,
  IdSchema,
  InstantSchema,
  PositiveAmountSchema,
  plainText,
} from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { INVOICE_STATES } from '#contract/invoices/states.ts';
import { CARD_CODE_LENGTH, CardSalePaymentSchema } from '#contract/payments/in-person-schemas.ts';
import { TRIP_CARD_STATUSES, TRIP_CARD_UNITS } from '#contract/trip-cards/schemas.ts';
import { CARD_SALE_LIMIT } from '../limits.ts';
import * as endpoints from './endpoints.ts';
import { CARD_PROBLEMS, CARD_SALE_METHODS } from './kinds.ts';

/** What each card gets, and which cards. */
const ITEMS = {
  /** A pass on sale, or an amount of money. */
  product: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('pass'), code: CodeSchema }),
    z.strictObject({ kind: z.literal('money'), amount: PositiveAmountSchema }),
  ]),
  /** Plastic cards, by their numbers or codes; or as many new numbers. */
  cards: z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('numbers'),
      numbers: z
        .array(plainText(1, CARD_CODE_LENGTH))
        .check(z.minLength(1), z.maxLength(2 * CARD_SALE_LIMIT)),
    }),
    z.strictObject({ kind: z.literal('new'), count: z.int().check(z.gte(1), z.lte(CARD_SALE_LIMIT)) }),
  ]),
};
const CardSaleItemsSchema = z.strictObject(ITEMS);
export type CardSaleItems = z.infer<typeof CardSaleItemsSchema>;

const SellCardsSchema = z.strictObject({
  ...ITEMS,
  payment: CardSalePaymentSchema,
  /** What the person has seen; another total is refused. */
  total: PositiveAmountSchema,
});
export type SellCards = z.infer<typeof SellCardsSchema>;

const CardSalePreviewSchema = z.object({
  /** How many cards get it. */
  cards: z.int(),
  /** The price of each. */
  amount: AmountSchema,
  total: AmountSchema,
  currency: CurrencySchema,
  /** Null: money. */
  pass_name: z.nullable(z.string()),
  /** Numbers that were given more than once, and count once. */
  repeated: z.int(),
  /** Nothing is sold while there is one. `line`: from 1, in the list of numbers. */
  problems: z.array(z.object({ line: z.int(), text: z.string(), problem: z.enum(CARD_PROBLEMS) })),
  /** Until when an invoice of today is to be paid; null: nothing can be sold on an invoice. */
  due_on: z.nullable(DaySchema),
});
export type CardSalePreview = z.infer<typeof CardSalePreviewSchema>;

const SUMMARY = {
  id: IdSchema,
  sold_at: InstantSchema,
  cards: z.int(),
  amount: AmountSchema,
  total: AmountSchema,
  currency: CurrencySchema,
  pass_name: z.nullable(z.string()),
  method: z.enum(CARD_SALE_METHODS),
  /** Null: the person was removed. */
  staff_name: z.nullable(z.string()),
  /** Of its receipt; null: a simplified one, or none. */
  recipient: z.nullable(z.string()),
  /** Opens the PDF of its receipt or invoice; null: none was issued. */
  receipt_id: z.nullable(IdSchema),
  /** Null: it was paid in person. */
  invoice: z.nullable(z.object({ number: z.string(), state: z.enum(INVOICE_STATES) })),
  taken_back_at: z.nullable(InstantSchema),
};
const CardSaleSummarySchema = z.object(SUMMARY);
export type CardSaleSummary = z.infer<typeof CardSaleSummarySchema>;

const CardSaleSchema = z.object({
  ...SUMMARY,
  /** Those that were lost are replaced by the cards that have their value. */
  items: z.array(
    z.object({
      id: IdSchema,
      number: z.string(),
      /** Of the balance now: minor units of the currency, or trips of a pass. */
      unit: z.enum(TRIP_CARD_UNITS),
      balance: AmountSchema,
      status: z.enum(TRIP_CARD_STATUSES),
    }),
  ),
  /** Nothing of it was used or transferred, and it was sold on an invoice. */
  can_be_taken_back: z.boolean(),
});
export type CardSale = z.infer<typeof CardSaleSchema>;

/** Codes are longer than numbers. */
const BODY_LIMIT = 4 * CARD_SALE_LIMIT * CARD_CODE_LENGTH;

export const cardSaleCalls = describeCalls(endpoints, {
  listCardSales: {
    summary:
      'List the last sales of passes or value on several trip cards, or find them by recipient, invoice or the number of a card',
    query: z.object({ q: z.optional(plainText(0, 100)) }),
    response: z.object({ sales: z.array(CardSaleSummarySchema), currency: CurrencySchema }),
  },
  getCardSale: {
    summary: 'Get a sale of several trip cards with their numbers and what is left on them',
    response: CardSaleSchema,
    errors: ['not_found'],
  },
  previewCardSale: {
    summary: 'Tell what passes or value on several trip cards cost, and which cards cannot get it',
    body: CardSaleItemsSchema,
    bodyLimit: BODY_LIMIT,
    response: CardSalePreviewSchema,
    errors: ['not_found', 'top_up_amount'],
  },
  sellCards: {
    summary: 'Sell passes or value on several trip cards, all or none, on one invoice or paid in person',
    body: SellCardsSchema,
    bodyLimit: BODY_LIMIT,
    response: CardSaleSchema,
    errors: [
      'not_found',
      'top_up_amount',
      'price_changed',
      'cards_refused',
      'no_invoices',
      'step_up_required',
    ],
  },
  takeBackCardSale: {
    summary: 'Take back a sale on an invoice of which nothing was used or transferred, with a credit note',
    response: CardSaleSchema,
    errors: ['not_found', 'card_sale_stays', 'step_up_required'],
  },
  replaceSoldCard: {
    summary: 'Block a lost card of a sale for good, and move its value to a new number',
    response: CardSaleSchema,
    errors: ['not_found', 'step_up_required'],
  },
});
