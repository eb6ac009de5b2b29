import type Stripe from 'stripe';
import { loadLater } from '#server/core/load-later.ts';
import type { Log } from '#server/core/log.ts';
import { ApiError } from '#server/http/api-error.ts';
import { callProvider, isDecline, isInvalidRequest, orNull } from './call-provider.ts';
import type { CardCharge, IntentInput, PaymentProvider } from './payment-provider.ts';
import { toProviderMoney } from './provider-amounts.ts';
import { toEvent } from './stripe-events.ts';
import {
  PAID_INTENT_PARTS,
  toCard,
  toDispute,
  toIntent,
  toPaidIntent,
  toPayingCard,
  toRefund,
  toSetup,
} from './stripe-objects.ts';
import { PAYOUT_ITEM_PARTS, toPayout, toPayoutItem } from './stripe-payouts.ts';

/** Tickets do not wait longer than this for the name of a card. */
const PAYING_CARD_TIMEOUT_MS = 3000;
/** How far the provider's clock and ours may differ, either way; an older message may be a replay. */
const TOLERANCE_SECONDS = 300;

const SCRIPT_URL = 'https://js.stripe.com/endive/stripe.js';

type Keys = { secretKey: string; publishableKey: string; webhookSecret: string };
type Settings = Pick<PaymentProvider, 'publishableKey' | 'scriptUrl' | 'isTest'> & { webhookSecret: string };

type StandIn = { fetch: (request: Request) => Promise<Response>; scriptUrl: string };

/** @param options.standIn answers instead of the provider */
export function openStripe(
  { secretKey, ...keys }: Keys,
  { log, standIn }: { log: Log; standIn?: StandIn },
): PaymentProvider {
  const load = loadLater(async () => {
    const { default: Stripe } = await import('stripe');
    const options = { timeout: 10_000, maxNetworkRetries: 1 };
    const httpClient =
      standIn && Stripe.createFetchHttpClient((input, init) => standIn.fetch(new Request(input, init)));
    return new Stripe(secretKey, httpClient ? { ...options, httpClient } : options);
  });
  const isTest = secretKey.startsWith('sk_test_');
  return createStripeProvider(load, { ...keys, scriptUrl: standIn?.scriptUrl ?? SCRIPT_URL, isTest }, log);
}

/** The provider behind the official SDK. */
export function createStripeProvider(
  load: () => Promise<Stripe>,
  { webhookSecret, ...settings }: Settings,
  log: Log,
): PaymentProvider {
  const call = <Answer>(work: (stripe: Stripe) => Promise<Answer>) =>
    callProvider({ log }, async () => work(await load()));

  return {
    ...settings,

    createIntent: (input) =>
      call(async ({ paymentIntents }) => {
        try {
          const { idempotencyKey } = input;
          return toIntent(await paymentIntents.create(intentParameters(input), { idempotencyKey }));
        } catch (error) {
          if (!isDecline(error) || !error.payment_intent) throw error;
          return toIntent(await paymentIntents.retrieve(error.payment_intent.id));
        }
      }),
    fetchIntent: (id) => call(async (stripe) => toIntent(await retrieveIntent(stripe, id))),
    findIntent: (id) => call((stripe) => orNull(async () => toIntent(await retrieveIntent(stripe, id)))),
    findCustomerIntent: (customer, { since, key, value }) =>
      call(async ({ paymentIntents }) => {
        const created = { gte: Math.floor(since.getTime() / 1000) };
        for await (const intent of paymentIntents.list({ customer, created, limit: 100 })) {
          if (intent.metadata[key] === value) return toIntent(intent);
        }
        return null;
      }),
    listPaidIntents: (since) =>
      call(async ({ paymentIntents }) => {
        const created = { gte: Math.floor(since.getTime() / 1000) };
        const expand = PAID_INTENT_PARTS.map((part) => `data.${part}`);
        return collect(paymentIntents.list({ created, expand, limit: 100 }), toPaidIntent);
      }),
    findPaidIntent: (id) =>
      call(({ paymentIntents }) =>
        orNull(async () => toPaidIntent(await paymentIntents.retrieve(id, { expand: PAID_INTENT_PARTS }))),
      ),
    updateIntent: (id, { savesCard, customerId, metadata }) =>
      call(async ({ paymentIntents }) => {
        try {
          return toIntent(
            await paymentIntents.update(id, {
              setup_future_usage: savesCard ? 'off_session' : '',
              ...(customerId === null ? {} : { customer: customerId }),
              metadata,
            }),
          );
        } catch (error) {
          const current = toIntent(await paymentIntents.retrieve(id));
          const isOver = current.status === 'succeeded' || current.status === 'processing';
          if (isInvalidRequest(error) && isOver) return current;
          throw error;
        }
      }),
    confirmIntent: (id, { cardId, returnUrl }) =>
      call(async ({ paymentIntents }) => {
        try {
          const charge = { payment_method: cardId, return_url: returnUrl, use_stripe_sdk: true };
          return toIntent(await paymentIntents.confirm(id, charge));
        } catch (error) {
          if (!isDecline(error) && !isInvalidRequest(error)) throw error;
          return toIntent(await paymentIntents.retrieve(id));
        }
      }),
    cancelIntent: (id) =>
      call(async ({ paymentIntents }) => {
        const intent = toIntent(await paymentIntents.retrieve(id));
        if (['succeeded', 'canceled', 'processing'].includes(intent.status)) return intent;
        const canceled = await orNull(() => paymentIntents.cancel(id));
        return toIntent(canceled ?? (await paymentIntents.retrieve(id)));
      }),
    tryToCancelIntent: (id) => ignoringFailure(async () => (await load()).paymentIntents.cancel(id)),
    async findPayingCard({ status, cardId, payingCard }) {
      if (status !== 'succeeded' || cardId === null || payingCard !== null) return payingCard;
      const options = { timeout: PAYING_CARD_TIMEOUT_MS, maxNetworkRetries: 0 };
      const { paymentMethods } = await load();
      return paymentMethods.retrieve(cardId, {}, options).then(toPayingCard, () => null);
    },

    createCustomer: (customerId) =>
      call(async ({ customers }) => {
        const metadata = { customer_id: customerId };
        const { id } = await customers.create({ metadata }, { idempotencyKey: `cus:${customerId}` });
        return id;
      }),
    // The next three are used by jobs, which log and repeat what fails.
    async deleteCustomer(id) {
      const { customers } = await load();
      await orNull(() => customers.del(id));
    },
    async setDefaultCard(id, cardId) {
      const { customers } = await load();
      await customers.update(id, { invoice_settings: { default_payment_method: cardId ?? '' } });
    },
    async detachCard(id) {
      const { paymentMethods } = await load();
      await orNull(() => paymentMethods.detach(id));
    },
    findCard: (id) =>
      call(({ paymentMethods }) => orNull(async () => toCard(await paymentMethods.retrieve(id)))),
    createSetup: (customer, metadata) =>
      call(async ({ setupIntents }) =>
        toSetup(
          await setupIntents.create({
            customer,
            usage: 'off_session',
            allowed_payment_method_types: ['card'],
            metadata,
          }),
        ),
      ),
    findSetup: (id) =>
      call(({ setupIntents }) =>
        orNull(async () => toSetup(await setupIntents.retrieve(id, { expand: ['payment_method'] }))),
      ),
    confirmSetup: (id, cardId) =>
      call(async ({ setupIntents }) => {
        await setupIntents.confirm(id, { payment_method: cardId });
      }),
    tryToCancelSetup: (id) => ignoringFailure(async () => (await load()).setupIntents.cancel(id)),

    createRefund: ({ intentId, money, metadata, idempotencyKey }) =>
      call(({ refunds }) =>
        orNull(async () => {
          const { amount } = toProviderMoney(money);
          const refund = { payment_intent: intentId, amount, metadata };
          return toRefund(await refunds.create(refund, { idempotencyKey }));
        }),
      ),
    fetchRefund: (id) => call(async ({ refunds }) => toRefund(await refunds.retrieve(id))),
    listRefunds: (intentId) =>
      call(async ({ refunds }) =>
        (await refunds.list({ payment_intent: intentId, limit: 100 })).data.map(toRefund),
      ),
    findDispute: (id) => call(({ disputes }) => orNull(async () => toDispute(await disputes.retrieve(id)))),

    listPayouts: (since) =>
      call(async ({ payouts }) => {
        const created = { gte: Math.floor(since.getTime() / 1000) };
        return collect(payouts.list({ created, limit: 100 }), toPayout);
      }),
    findPayout: (id) => call(({ payouts }) => orNull(async () => toPayout(await payouts.retrieve(id)))),
    listPayoutItems: (payout) =>
      call(({ balanceTransactions }) => {
        const transactions = balanceTransactions.list({ payout, expand: PAYOUT_ITEM_PARTS, limit: 100 });
        return collect(transactions, (transaction) => toPayoutItem(transaction, payout));
      }),

    async readEvent(body, headers, now) {
      const signature = headers.get('stripe-signature') ?? '';
      const message = await openSigned(await load(), webhookSecret, { body, signature, now: now.getTime() });
      try {
        return toEvent(message);
      } catch (error) {
        log.error('signed message is no event of the provider');
        throw error;
      }
    },
  };
}

/** The SDK checks that a message is not too old; that it is not from the future is checked here. */
async function openSigned(
  stripe: Stripe,
  secret: string,
  { body, signature, now }: { body: string; signature: string; now: number },
): Promise<unknown> {
  const signedAt = Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1]);
  if (!(signedAt * 1000 <= now + TOLERANCE_SECONDS * 1000)) throw new ApiError('webhook_rejected');
  try {
    return await stripe.webhooks.constructEventAsync(
      body,
      signature,
      secret,
      TOLERANCE_SECONDS,
      undefined,
      now,
    );
  } catch {
    throw new ApiError('webhook_rejected');
  }
}

function intentParameters({
  money,
  description,
  metadata,
  customerId = null,
  savesCard = false,
  charge,
}: IntentInput): Stripe.PaymentIntentCreateParams {
  return {
    ...toProviderMoney(money),
    allowed_payment_method_types: ['card'],
    description,
    metadata,
    ...(customerId === null ? {} : { customer: customerId }),
    ...(savesCard ? { setup_future_usage: 'off_session' } : {}),
    ...(charge ? chargeParameters(charge) : {}),
  };
}

function chargeParameters({ cardId, returnUrl }: CardCharge): Partial<Stripe.PaymentIntentCreateParams> {
  const charge = { payment_method: cardId, confirm: true };
  if (returnUrl === null) return { ...charge, off_session: true };
  return { ...charge, use_stripe_sdk: true, return_url: returnUrl };
}

function retrieveIntent({ paymentIntents }: Stripe, id: string): Promise<Stripe.PaymentIntent> {
  return paymentIntents.retrieve(id, { expand: ['payment_method'] });
}

/** All pages of a list, without what is translated to null. */
async function collect<Theirs, Ours>(
  list: AsyncIterable<Theirs>,
  translate: (theirs: Theirs) => Ours | null,
): Promise<Ours[]> {
  const collected: Ours[] = [];
  for await (const theirs of list) {
    const ours = translate(theirs);
    if (ours !== null) collected.push(ours);
  }
  return collected;
}

async function ignoringFailure(work: () => Promise<unknown>): Promise<void> {
  await work().catch(() => {});
}
