import { PGlite } from '@electric-sql/pglite';
import Stripe from 'stripe';
import { type CardProvider, createCardProvider } from '#sandbox/card-provider/card-provider.ts';
import type { Knobs } from '#sandbox/card-provider/knobs.ts';
import type { SqlStore } from '#sandbox/sql-store.ts';

export const payOrigin = 'http://pay.ferry.localhost:8080';
export const shopOrigin = 'http://tickets.ferry.localhost:8080';

export type Webhook = { event: Stripe.Event; body: string; signature: string };

/** The parts of a browser's response that tests check. */
export type BrowserAnswer = {
  id: string;
  status: string;
  card: object;
  next_action: { use_stripe_sdk: { source: string; stripe_js: string } } | null;
  error?: { type: string; code?: string; decline_code?: string; message: string; payment_intent?: object };
};

export const cardsOnly = { allowed_payment_method_types: ['card' as const] };

export type OpenProvider = {
  provider: CardProvider;
  stripe: Stripe;
  store: SqlStore;
  /** Webhooks as they arrived; every one passed the SDK's own signature check. */
  webhooks: Webhook[];
  /** Statuses of the merchant's next responses to webhooks; 200 when empty. */
  answers: number[];
  /** Pays €50 with a payment method at once. */
  pay(
    method: string,
    more?: Partial<Stripe.PaymentIntentCreateParams>,
  ): Promise<Stripe.Response<Stripe.PaymentIntent>>;
  turn(knobs: Partial<Record<keyof Knobs, unknown>>): Promise<Response>;
  passTime(milliseconds: number): void;
  /** A call of the card frame: publishable key, form body. */
  callAsBrowser(
    path: string,
    form: Record<string, string>,
    init?: RequestInit,
  ): Promise<{ status: number; body: BrowserAnswer }>;
  /** Deletes everything except the keys. */
  reset(): Promise<void>;
  close(): Promise<void>;
};

export function storeOf(database: PGlite): SqlStore {
  return {
    async query<Row>(sql: string, params: unknown[]) {
      const { rows } = await database.query<Row>(sql, params);
      return rows;
    },
  };
}

/** The sandbox on a separate database, and the official SDK connected to it without a network. */
export async function openProvider(): Promise<OpenProvider> {
  const database = await PGlite.create();
  const store = storeOf(database);
  const webhooks: Webhook[] = [];
  const answers: number[] = [];
  let shift = 0;
  const clock = () => new Date(Date.UTC(2026, 10, 21, 12, 0, 0) + shift);
  const provider = createCardProvider({
    store,
    origin: payOrigin,
    merchantOrigins: [shopOrigin],
    webhookUrl: `${shopOrigin}/api/webhooks`,
    clock,
    async deliverWebhook(request) {
      const body = await request.text();
      const signature = request.headers.get('stripe-signature') ?? '';
      const { webhookSecret } = provider.keys;
      const now = clock().getTime();
      const event = stripe.webhooks.constructEvent(body, signature, webhookSecret, undefined, undefined, now);
      webhooks.push({ event, body, signature });
      return new Response(null, { status: answers.shift() ?? 200 });
    },
  });
  await provider.start();
  await provider.stop();
  const stripe = new Stripe(provider.keys.secretKey, {
    httpClient: Stripe.createFetchHttpClient((url, init) => provider.fetch(new Request(url as string, init))),
    telemetry: false,
    maxNetworkRetries: 0,
  });
  return {
    provider,
    stripe,
    store,
    webhooks,
    answers,
    pay: (method, more) =>
      stripe.paymentIntents.create({
        amount: 5000,
        currency: 'eur',
        payment_method: method,
        confirm: true,
        ...cardsOnly,
        ...more,
      }),
    turn: (knobs) =>
      provider.fetch(
        new Request(`${payOrigin}/sandbox/knobs`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(knobs),
        }),
      ),
    passTime(milliseconds) {
      shift += milliseconds;
    },
    async callAsBrowser(path, form, init = {}) {
      const response = await provider.fetch(
        new Request(`${payOrigin}${path}`, {
          method: 'POST',
          body: new URLSearchParams({ key: provider.keys.publishableKey, ...form }),
          ...init,
        }),
      );
      return { status: response.status, body: await response.json() };
    },
    async reset() {
      for (const table of ['objects', 'deliveries', 'idempotency', "config where key = 'knobs'"]) {
        await store.query(`delete from sandbox.${table}`, []);
      }
      webhooks.length = 0;
      answers.length = 0;
    },
    close: () => database.close(),
  };
}

/** Card details as a form field group, such as `payment_method_data[card][number]`. */
export function cardFields(prefix: string, number: string): Record<string, string> {
  const code = number.startsWith('37') ? '1234' : '123';
  return {
    [`${prefix}[card][number]`]: number,
    [`${prefix}[card][exp_month]`]: '12',
    [`${prefix}[card][exp_year]`]: '30',
    [`${prefix}[card][cvc]`]: code,
    [`${prefix}[type]`]: 'card',
  };
}

/** The SDK's error; a call that works fails the test. */
export async function failure(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error;
    throw error;
  }
  throw new Error('The call was expected to fail.');
}
