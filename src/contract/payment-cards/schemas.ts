import * as z from 'zod/mini';
import { IdSchema, InstantSchema } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import * as endpoints from './endpoints.ts';

/** Cards in one answer of the list. */
export const PAYMENT_CARDS_PAGE_SIZE = 10;
/** Cards an account keeps at most. */
export const MAX_PAYMENT_CARDS = 20;

export const PaymentCardSchema = z.object({
  id: IdSchema,
  last_four: z.string(),
  exp_month: z.int(),
  exp_year: z.int(),
  /** As the provider names it: `visa`, `mastercard`, `american_express`. */
  network: z.string(),
  /** `credit`, `debit`, `prepaid` or `unknown`. */
  funding: z.string(),
  /** What is paid with unless another card is chosen; one card that has not expired, where there is one. */
  primary: z.boolean(),
  inserted_at: InstantSchema,
  status: z.enum(['active', 'expired', 'removed']),
  /** As printed on the card: `MM/YY`. */
  exp_date: z.string(),
  /** The last day of its month is over where the operator is. */
  expired: z.boolean(),
  /** Not expired, and in 60 days it will be. */
  expires_soon: z.boolean(),
});
export type PaymentCard = z.infer<typeof PaymentCardSchema>;

/** `POST setup_intent`: nothing to say; the card goes from the browser to the provider. */
export const StartSetupSchema = z.strictObject({});

export const SetupIntentSchema = z.object({ client_secret: z.string(), setup_intent_id: z.string() });
export type SetupIntent = z.infer<typeof SetupIntentSchema>;

/** `POST payment_cards`: the provider's name of a finished setup, never anything of the card itself. */
export const AddPaymentCardSchema = z.strictObject({
  setup_intent_id: z.string().check(z.regex(/^seti_[A-Za-z0-9_]{1,200}$/)),
  primary: z._default(z.boolean(), false),
});
export type AddPaymentCard = z.infer<typeof AddPaymentCardSchema>;

/** What deleting a card left: `promoted` is the card that took its place as the primary one. */
export const RemovedPaymentCardSchema = z.object({ id: IdSchema, promoted: z.nullable(PaymentCardSchema) });
export type RemovedPaymentCard = z.infer<typeof RemovedPaymentCardSchema>;

/** The calls of this feature. */
export const paymentCardCalls = describeCalls(endpoints, {
  getPrimaryCard: {
    summary: 'The card that is paid with unless another is chosen; null while there is none that is good',
    response: z.nullable(PaymentCardSchema),
    isTopLevel: true,
    errors: [],
  },
  listPaymentCards: {
    summary: 'The saved cards, the primary one first, then the newest; paged',
    list: { fields: {}, pageSize: PAYMENT_CARDS_PAGE_SIZE },
    response: z.array(PaymentCardSchema),
    errors: [],
  },
  startCardSetup: {
    summary: 'Starts saving a card; the card itself goes from the browser to the provider',
    body: StartSetupSchema,
    response: SetupIntentSchema,
    errors: ['too_many_cards', 'payment_unavailable', 'rate_limited'],
  },
  addPaymentCard: {
    summary: 'Adds the card of a finished setup; one that is there already is brought up to date',
    body: AddPaymentCardSchema,
    response: PaymentCardSchema,
    errors: ['setup_refused', 'setup_unfinished', 'payment_unavailable'],
  },
  makeCardPrimary: {
    summary: 'Makes a card the primary one',
    response: PaymentCardSchema,
    errors: ['not_found', 'card_expired'],
  },
  removePaymentCard: {
    summary: 'Deletes a card; the newest that has not expired takes its place as the primary one',
    response: RemovedPaymentCardSchema,
    errors: ['not_found'],
  },
});
