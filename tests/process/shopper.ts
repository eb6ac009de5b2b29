import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { demoSettings } from '#tests/factories/settings.ts';
import type { Reply, RequestOptions } from './http-client.ts';

export type Send = (path: string, options?: RequestOptions) => Promise<Reply>;

/** The result of one buyer. */
export type Outcome = {
  email: string;
  orderId: string | null;
  reference: string | null;
  clientSecret: string | null;
  result: 'confirmed' | 'sold_out' | 'canceled';
};

export type Purchase = {
  sailing: string;
  email: string;
  /** `Ada Lovelace` by default. */
  name?: string;
  publishableKey: string;
  /** How many adults travel; 1 by default. */
  adults?: number;
  /** `flex` by default. */
  fareClass?: string;
  phone?: string;
  vehicle?: { type: string; length_cm: number; plate: string };
  promoCode?: string;
  /** Called after the order is created and before it is paid. */
  beforePaying?: (orderId: string) => Promise<void>;
  /** Of a signed-in customer, who then owns the order. */
  token?: string;
  /** A signed-in customer's trip card that pays instead of a payment card. */
  tripCard?: { id: string; token: string };
  /** How long the buyer retries failed requests, in milliseconds. */
  patienceMs?: number;
};

export const KEEP_TRYING_MS = 90_000;
export const RETRY_MS = 100;
const VISA = {
  type: 'card',
  'card[number]': '4242424242424242',
  'card[exp_month]': '12',
  'card[exp_year]': '2034',
  'card[cvc]': '123',
};

/** The publishable key in this server's pages. */
export async function publishableKeyOf(send: Send): Promise<string> {
  const { text } = await send('/');
  const [, json = '{}'] =
    /<script type="application\/json" id="page-config">(.*?)<\/script>/s.exec(text) ?? [];
  return JSON.parse(json).provider.publishable_key;
}

/** The sailings of a route in about a week, all on sale, earliest first. */
export async function sailingsOf(send: Send, routeCode = 'MAD-HER'): Promise<string[]> {
  const routes = (await send('/api/routes')).json().data as { id: string; code: string }[];
  const route = routes.find(({ code }) => code === routeCode);
  const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  const sailings = (await send(`/api/sailings?route_id=${route?.id}&date=${day}&passengers[adult]=1`)).json()
    .data;
  return (sailings as { id: string; availability: { state: string } }[])
    .filter(({ availability }) => availability.state === 'on_sale')
    .map(({ id }) => id);
}

/**
 * Buys tickets for adults like a browser and retries: a failed request is sent again with the same idempotency key.
 * `send` may wait while no server is available.
 */
export async function buyTicket(
  send: Send,
  {
    sailing,
    email,
    name = 'Ada Lovelace',
    publishableKey,
    adults = 1,
    fareClass = 'flex',
    phone = '',
    vehicle,
    promoCode,
    beforePaying,
    token,
    tripCard,
    patienceMs = KEEP_TRYING_MS,
  }: Purchase,
): Promise<Outcome> {
  const deadline = performance.now() + patienceMs;
  const outcome: Outcome = {
    email,
    orderId: null,
    reference: null,
    clientSecret: null,
    result: 'confirmed',
  };
  const persist = async (path: string, body: object) => {
    const idempotencyKey = randomUUID();
    const options = { body, idempotencyKey, ...(token === undefined ? {} : { token }) };
    return insist(() => send(path, options), deadline);
  };
  const quote = await persist('/api/quotes', {
    legs: [{ sailing_id: sailing }],
    passengers: [{ type: 'adult', count: adults }],
    fare_class: fareClass,
    ...(vehicle === undefined ? {} : { vehicle: { type: vehicle.type, length_cm: vehicle.length_cm } }),
    ...(promoCode === undefined ? {} : { promo_code: promoCode }),
  });
  const { id: quoteId } = dataOf(quote);
  const hold = await persist('/api/holds', { quote_id: quoteId });
  if (hold.status === 409 || hold.status === 422) {
    if (hold.json().errors[0].code !== 'sold_out') throw new Error(hold.text);
    return { ...outcome, result: 'sold_out' };
  }
  const order = dataOf(
    await persist('/api/orders', {
      hold_id: dataOf(hold).id,
      quote_id: quoteId,
      contact: { name, email, phone },
      traveler_names: ['Augusta Quackenbush'],
      ...(vehicle === undefined ? {} : { plate: vehicle.plate }),
      terms_version: demoSettings.terms.version,
    }),
  );
  if (tripCard) {
    const idempotencyKey = randomUUID();
    const body = { method: 'trip_card', trip_card_id: tripCard.id };
    const path = `/api/orders/${order.id}/payments`;
    const paid = await insist(() => send(path, { body, idempotencyKey, token: tripCard.token }), deadline);
    // An earlier response may have been lost.
    if (paid.status !== 422 || paid.json().errors[0].code !== 'already_paid') dataOf(paid);
    const { status } = dataOf(await insist(() => send(`/api/orders/${order.id}`), deadline));
    return { ...outcome, orderId: order.id, reference: order.reference, result: status };
  }
  const payment = dataOf(await persist(`/api/orders/${order.id}/payments`, { method: 'card' }));
  await beforePaying?.(order.id);
  await payAtProvider(send, { secret: payment.client_secret, publishableKey, deadline });
  const paths = {
    payment: `/api/orders/${order.id}/payments/${payment.id}`,
    order: `/api/orders/${order.id}`,
  };
  const status = await untilSettled(send, paths, deadline);
  return {
    ...outcome,
    orderId: order.id,
    reference: order.reference,
    clientSecret: payment.client_secret,
    result: status,
  };
}

/** Sends the card frame's request. A card charged by a try whose response was lost is not charged again. */
export async function payAtProvider(
  send: Send,
  { secret, publishableKey, deadline }: { secret: string; publishableKey: string; deadline: number },
): Promise<void> {
  const [intent = ''] = secret.split('_secret_');
  const body = new URLSearchParams({ client_secret: secret });
  for (const [name, value] of Object.entries(VISA)) body.set(pathOf(name), value);
  const headers = {
    authorization: `Bearer ${publishableKey}`,
    'content-type': 'application/x-www-form-urlencoded',
  };
  const reply = await insist(
    () => send(`/v1/payment_intents/${intent}/confirm`, { host: 'pay', headers, body: body.toString() }),
    deadline,
    ({ status }) => status >= 500,
  );
  const paid = reply.status === 200 ? reply.json() : reply.json().error.payment_intent;
  if (paid?.status !== 'succeeded') throw new Error(`The card was not charged: ${reply.text}`);
}

async function untilSettled(
  send: Send,
  paths: { payment: string; order: string },
  deadline: number,
): Promise<'confirmed' | 'canceled'> {
  for (;;) {
    await insist(() => send(paths.payment), deadline);
    const { status } = dataOf(await insist(() => send(paths.order), deadline));
    if (status === 'confirmed' || status === 'canceled') return status;
    if (performance.now() > deadline) throw new Error(`The order is still ${status}.`);
    await delay(RETRY_MS);
  }
}

/** Retries until a response is final. */
export async function insist(
  send: () => Promise<Reply>,
  deadline: number,
  isWorthRepeating: (reply: Reply) => boolean = isPassing,
): Promise<Reply> {
  for (;;) {
    const reply = await send().catch((error: NodeJS.ErrnoException) => {
      // Only broken and refused connections are retried; other errors are defects.
      const isNetwork = ['ECONNRESET', 'ECONNREFUSED', 'EPIPE'].includes(error.code ?? '');
      if (!isNetwork || performance.now() > deadline) throw error;
      return null;
    });
    if (reply && !isWorthRepeating(reply)) return reply;
    if (performance.now() > deadline) throw new Error(`No end in sight: ${reply?.status} ${reply?.text}`);
    await delay(reply?.status === 429 ? Number(reply.headers['retry-after']) * 1000 : RETRY_MS);
  }
}

/** The first try is still in progress, a rate limit applies, or the server is temporarily unavailable. */
function isPassing({ status, text }: Reply): boolean {
  return (status === 409 && text.includes('request_in_progress')) || status === 429 || status === 503;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read field by field
export function dataOf(reply: Reply): any {
  const body = reply.json();
  if (!body.success) throw new Error(`${reply.status}: ${reply.text}`);
  return body.data;
}

/** `card[number]` of the payment method's data. */
function pathOf(name: string): string {
  const [head, rest = ''] = name.split(/(?=\[)/, 2);
  return `payment_method_data[${head}]${rest}`;
}
