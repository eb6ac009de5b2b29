import * as z from 'zod/mini';
import { IdSchema, InstantSchema } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import * as endpoints from './endpoints.ts';

const PAYMENT_CARDS_PAGE_SIZE = 10;
/** Most cards an account can save. */
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
  /** The default card for payments. One of the cards that have not expired is primary, if there is any. */
  primary: z.boolean(),
  inserted_at: InstantSchema,
  status: z.enum(['active', 'expired', 'removed']),
  /** As printed on the card: `MM/YY`. */
  exp_date: z.string(),
  /** The last day of its month has passed in the operator's time zone. */
  expired: z.boolean(),
  /** Expires within 60 days. */
  expires_soon: z.boolean(),
});
export type PaymentCard = z.infer<typeof PaymentCardSchema>;

/** Body of `POST setup_intent`: empty, because the browser sends the card to the provider directly. */
const StartSetupSchema = z.strictObject({});

const SetupIntentSchema = z.object({ client_secret: z.string(), setup_intent_id: z.string() });
export type SetupIntent = z.infer<typeof SetupIntentSchema>;

/** Body of `POST payment_cards`: the provider's id of a finished setup, never card data. */
const AddPaymentCardSchema = z.strictObject({
  setup_intent_id: z.string().check(z.regex(/^seti_[A-Za-z0-9_]{1,200}$/)),
  primary: z._default(z.boolean(), false),
});
export type AddPaymentCard = z.infer<typeof AddPaymentCardSchema>;

/** Response to deleting a card: `promoted` is the new primary card. */
const RemovedPaymentCardSchema = z.object({ id: IdSchema, promoted: z.nullable(PaymentCardSchema) });
export type RemovedPaymentCard = z.infer<typeof RemovedPaymentCardSchema>;

export const paymentCardCalls = describeCalls(endpoints, {
  getPrimaryCard: {
    summary: 'Get the primary payment card; null if there is no valid card',
    response: z.nullable(PaymentCardSchema),
    isTopLevel: true,
  },
  listPaymentCards: {
    summary: 'List saved payment cards, the primary card first, then the newest',
    list: { fields: {}, pageSize: PAYMENT_CARDS_PAGE_SIZE },
    response: z.array(PaymentCardSchema),
  },
  startCardSetup: {
    summary: 'Start saving a payment card; the browser sends the card details to the card provider',
    body: StartSetupSchema,
    response: SetupIntentSchema,
    errors: ['too_many_cards', 'payment_unavailable', 'rate_limited'],
  },
  addPaymentCard: {
    summary: 'Save the card of a finished setup; a card that is already saved is updated',
    body: AddPaymentCardSchema,
    response: PaymentCardSchema,
    errors: ['setup_refused', 'setup_unfinished', 'payment_unavailable'],
  },
  makeCardPrimary: {
    summary: 'Make a payment card the primary card',
    response: PaymentCardSchema,
    errors: ['not_found', 'card_expired'],
  },
  removePaymentCard: {
    summary: 'Delete a payment card; if it was primary, the newest valid card becomes primary',
    response: RemovedPaymentCardSchema,
    errors: ['not_found'],
  },
});
