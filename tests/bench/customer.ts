import type { BrowserContext } from '@playwright/test';
import { api } from '#contract/api.ts';
import type { Product } from './product.ts';

/** The account every empty installation on test payments has. */
const DEMO = { email: 'demo@harborline.example', password: 'by ferry across the sound' };
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The state of a signed-in customer in a browser. */
export type Customer = {
  cookies: Parameters<BrowserContext['addCookies']>[0];
  localStorage: Record<string, string>;
  headers: { authorization: string };
};

/** The data of a busy customer: the demo's orders and cards, repeated as often as necessary. */
export type Belongings = {
  orders: unknown[];
  tripCards: unknown[];
  /** Of the first order with tickets. */
  reference: string;
  /** Of the first order whose tickets are used as bought: for a canceled sailing, choices come before the tickets. */
  referenceOfTickets: string;
};

export async function signIn(product: Product): Promise<Customer> {
  const { status, data } = await product.call('POST', api.signIn.path, { body: DEMO });
  if (status !== 200) throw new Error(`The demo customer could not sign in: ${JSON.stringify(data)}`);
  const { token } = data as { token: string };
  // Kept over the end of the browser, as the product's own cookie is.
  const expires = Math.floor(Date.now() / 1000) + YEAR_SECONDS;
  return {
    cookies: [
      { name: 'my-session', value: token, domain: '.ferry.localhost', path: '/', sameSite: 'Lax', expires },
    ],
    localStorage: { 'is-authenticated': 'true' },
    headers: { authorization: `Bearer ${token}` },
  };
}

export async function holdSession(context: BrowserContext, customer: Customer): Promise<void> {
  await context.addCookies(customer.cookies);
  await context.addInitScript((items) => {
    for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value);
  }, customer.localStorage);
}

/** Reads the demo customer's orders, and sees to it that there is a trip card. */
export async function readBelongings(product: Product, { headers }: Customer): Promise<Belongings> {
  const read = async (path: string) => {
    const { status, data } = await product.call('GET', path, { headers });
    if (status !== 200) throw new Error(`${path} answered ${status}.`);
    return data as Record<string, unknown>[];
  };
  if ((await read(api.listTripCards.path)).length === 0) {
    await product.call('POST', api.listTripCards.path, {
      headers: { ...headers, 'idempotency-key': crypto.randomUUID() },
      body: { name: 'Commute' },
    });
  }
  const orders = await read(api.listOrders.path);
  const confirmed = orders.filter(({ status }) => status === 'confirmed');
  const unaffected = confirmed.find(({ display_status: shown }) => shown !== 'action_needed');
  if (!confirmed[0] || !unaffected) throw new Error('The demo customer has no order with tickets.');
  return {
    orders,
    tripCards: await read(api.listTripCards.path),
    reference: String(confirmed[0].reference),
    referenceOfTickets: String(unaffected.reference),
  };
}

/** From now on the context's pages see a customer with this many orders and cards. */
export async function multiply(context: BrowserContext, belongings: Belongings): Promise<void> {
  const many = (items: unknown[], count: number) =>
    Array.from({ length: count }, (_, index) => {
      const item = items[index % items.length] as { id: string; reference?: string };
      return index < items.length
        ? item
        : { ...item, id: `${item.id.slice(0, -3)}${String(index).padStart(3, '0')}` };
    });
  const answers = [
    { path: api.listOrders.path, data: many(belongings.orders, ORDERS) },
    { path: api.listTripCards.path, data: many(belongings.tripCards, TRIP_CARDS) },
  ];
  for (const { path, data } of answers) {
    await context.route(
      (url) => url.pathname === path,
      (route) =>
        route.fulfill({
          json: {
            success: true,
            data,
            errors: [],
            status_code: 200,
            meta: { page: 1, page_size: data.length, total_pages: 1, total_count: data.length },
          },
        }),
    );
  }
}

const ORDERS = 50;
const TRIP_CARDS = 20;
