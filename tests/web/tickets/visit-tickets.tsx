import { render } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import type { Catalogue } from '#contract/catalogue/schemas.ts';
import type { Hold, Quote, QuoteRequest } from '#contract/orders/buy/schemas.ts';
import type { Order } from '#contract/orders/schemas.ts';
import type { Sailing, SailingDay } from '#contract/sailings/schemas.ts';
import { addDays, countDays } from '#domain/time/days.ts';
import { App } from '#web/app/app.tsx';
import { withRoot } from '#web/app/root.tsx';
import type { Customer } from '#web/platform/api/types.ts';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { whenReady } from '#web/platform/router/app-router.ts';
import {
  type Draft,
  openPurchase,
  type Purchase,
  PurchaseContext,
  storePurchase,
} from '#web/tickets/purchase.ts';
import { routes } from '#web/tickets/routes.tsx';
import { buildOrder } from '../features/orders.ts';
import { json, success } from '../platform/page.ts';
import { createTestRouter } from '../test-router.ts';

const AS_OF = '2026-06-01T12:00:00Z';
const zone = 'America/Los_Angeles';

function port(id: string, name: string) {
  return {
    id,
    code: id,
    name,
    time_zone: zone,
    lat: null,
    lon: null,
    address: '',
    step_free: 'yes' as const,
    transfer_minutes: 20,
  };
}

function route(id: string, from: string, to: string, back: string | null) {
  return {
    id,
    code: id,
    name: id,
    origin_port_id: from,
    destination_port_id: to,
    return_route_id: back,
    crossing_minutes: 35,
    carries_vehicles: true,
    carries_bicycles: true,
    max_vehicle_length_cm: 2400,
    max_vehicle_height_cm: 457,
    from_amount: 925,
  };
}

function passenger(code: string, name: string, over: object = {}) {
  return {
    id: `pty_${code}`,
    code,
    name,
    age_min: null,
    age_max: null,
    requires_proof: false,
    needs_adult: false,
    is_default: false,
    ...over,
  };
}

const policy = {
  change: { allowed: true, fee: 0, until_minutes: 60 },
  cancel: [],
  no_show: 'forfeit' as const,
};

export function buildCatalogue(over: Partial<Catalogue> = {}): Catalogue {
  return {
    ports: [port('prt_a', 'Port Madrona'), port('prt_b', 'Heron Island'), port('prt_c', 'Fairwater')],
    routes: [
      route('rte_ab', 'prt_a', 'prt_b', 'rte_ba'),
      route('rte_ba', 'prt_b', 'prt_a', 'rte_ab'),
      { ...route('rte_ac', 'prt_a', 'prt_c', null), carries_vehicles: false, carries_bicycles: false },
    ],
    passenger_types: [
      passenger('adult', 'Adult', { age_min: 19, is_default: true }),
      passenger('child', 'Child', { age_min: 5, age_max: 11, needs_adult: true }),
    ],
    vehicle_types: [
      {
        id: 'vty_car',
        code: 'car',
        name: 'Car',
        length_required: true,
        min_length_cm: 250,
        max_length_cm: 671,
        max_height_cm: 213,
        height_required: false,
        includes_driver: true,
        plate_required: true,
        allows_trailer: true,
      },
    ],
    fare_classes: [
      { id: 'fcl_saver', code: 'saver', name: 'Saver', summary: 'Lowest price.', policy },
      { id: 'fcl_flex', code: 'flex', name: 'Flexible', summary: 'Change for free.', policy },
    ],
    currency: 'USD',
    on_sale_from: '2026-06-01',
    on_sale_until: '2027-06-01',
    max_party: 9,
    terms_version: '1',
    as_of: AS_OF,
    ...over,
  };
}

export function buildSailing(id: string, over: Partial<Sailing> = {}): Sailing {
  return {
    id,
    route_id: 'rte_ab',
    service_date: '2026-06-05',
    status: 'scheduled',
    delay_minutes: 0,
    status_text: '',
    departs_at: '2026-06-05T15:40:00Z',
    arrives_at: '2026-06-05T16:15:00Z',
    departs_local: '2026-06-05T08:40:00-07:00',
    arrives_local: '2026-06-05T09:15:00-07:00',
    departs_zone: zone,
    arrives_zone: zone,
    departs_zone_label: 'PDT',
    arrives_zone_label: 'PDT',
    duration_minutes: 35,
    stops_between: [],
    line_name: 'Islands',
    vessel: { id: 'ves_1', name: 'MV Tidewater', accessibility_notes: '' },
    check_in_closes_at: '2026-06-05T15:20:00Z',
    check_in_closes_local: '2026-06-05T08:20:00-07:00',
    sales_close_at: '2026-06-05T15:10:00Z',
    availability: {
      state: 'on_sale',
      fits: true,
      left: 9,
      fullness_percent: 20,
      text: 'Places available.',
      as_of: AS_OF,
    },
    from_amount: 1850,
    currency: 'USD',
    version: 1,
    as_of: AS_OF,
    ...over,
  };
}

export function buildQuote(over: Partial<Quote> = {}): Quote {
  return {
    id: 'quote-000000000000000000001',
    lines: [
      {
        leg: 'out',
        kind: 'passenger',
        description: 'Adult',
        quantity: 1,
        unit_amount: 1850,
        amount: 1850,
      },
    ],
    subtotal: 1850,
    discount: 0,
    tax: 0,
    total: 1850,
    currency: 'USD',
    promo_code: null,
    fare_class: { code: 'saver', name: 'Saver', summary: 'Lowest price.' },
    policy,
    policy_text: ['No refund.'],
    expires_at: '2099-01-01T00:00:00Z',
    ...over,
  };
}

export function buildHold(over: Partial<Hold> = {}): Hold {
  const now = Date.now();
  return {
    id: 'hld_1',
    status: 'active',
    expires_at: new Date(now + 600_000).toISOString(),
    expires_at_max: new Date(now + 1_200_000).toISOString(),
    can_extend: true,
    order_id: null,
    as_of: new Date(now).toISOString(),
    ...over,
  };
}

export function buildUnpaidOrder(over: Partial<Order> = {}): Order {
  return buildOrder({
    status: 'held',
    payment_status: 'none',
    display_status: 'paying',
    paid: 0,
    tickets: [],
    confirmed_at: null,
    ...over,
  });
}

export function buildCustomer(over: Partial<Customer> = {}): Customer {
  return {
    id: 'cus_1',
    email: '',
    name: '',
    phone: '',
    pendingEmail: '',
    mfaRequired: false,
    betaTester: false,
    language: null,
    ...over,
  };
}

export function refusal(code: string, message: string, more: object = {}): Response {
  const errors = [{ code, message, ...more }];
  return json({ success: false, data: null, errors, status_code: 422, error: message }, 422);
}

export type Request = {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
  key: string | null;
};
type Answer = (request: Request) => Response | Promise<Response>;

/** Answers calls by "METHOD /path". Without an override, a purchase succeeds. */
export function answerApi(over: Record<string, Answer> = {}) {
  const requests: Request[] = [];
  const answers: Record<string, Answer> = { ...defaultAnswers(), ...over };
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(url, 'http://tickets.ferry.localhost:8080');
    const request: Request = {
      method: init.method ?? 'GET',
      path: pathname,
      query: searchParams,
      body: init.body ? JSON.parse(String(init.body)) : {},
      key: new Headers(init.headers).get('idempotency-key'),
    };
    requests.push(request);
    const answer = answers[`${request.method} ${pathname}`];
    return answer ? answer(request) : json({ success: false, errors: [], status_code: 404 }, 404);
  });
  return {
    requests,
    answers,
    to: (call: string) => requests.filter(({ method, path }) => `${method} ${path}` === call),
  };
}

function defaultAnswers(): Record<string, Answer> {
  return {
    'GET /api/catalogue': () => success(buildCatalogue()),
    'GET /api/sailings': ({ query }) => success(findSailings(query.get('route_id'))),
    'GET /api/sailing_days': ({ query }) => success(listSailingDays(query)),
    'POST /api/quotes': ({ body }) => {
      const { fare_class } = body as QuoteRequest;
      const isFlexible = fare_class === 'flex';
      return success(
        buildQuote({
          id: `quote-00000000000000000-${fare_class}`,
          total: isFlexible ? 2200 : 1850,
          fare_class: { code: fare_class, name: isFlexible ? 'Flexible' : 'Saver', summary: '' },
        }),
      );
    },
    'POST /api/holds': () => success(buildHold()),
    'POST /api/orders': () => success(buildUnpaidOrder()),
    'GET /api/orders/ord_1': () => success(buildUnpaidOrder()),
    'POST /api/orders/ord_1/payments': () => success(buildPayment({ client_secret: 'pi_1_secret_1' })),
    'GET /api/orders/ord_1/payments/pay_1': () => success(buildPayment()),
  };
}

/** Each day the same price. */
function listSailingDays(query: URLSearchParams): SailingDay[] {
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? ''];
  return Array.from({ length: countDays(from, to) + 1 }, (_, index) => ({
    day: addDays(from, index),
    state: 'on_sale',
    from_amount: 1850,
    currency: 'USD',
  }));
}

export function buildPayment(over: object = {}) {
  return {
    id: 'pay_1',
    method: 'card',
    amount: 1850,
    currency: 'USD',
    status: 'created',
    failure: null,
    network: null,
    last_four: null,
    wallet: null,
    inserted_at: AS_OF,
    ...over,
  };
}

function findSailings(routeId: string | null): Sailing[] {
  if (routeId === 'rte_ab') return [buildSailing('sai_out1')];
  return [
    backSailing('sai_early', '2026-06-05T15:00:00Z', '08:00'),
    backSailing('sai_back1', '2026-06-05T20:00:00Z', '13:00'),
  ];
}

function backSailing(id: string, departsAt: string, clock: string): Sailing {
  const hour = Number(clock.slice(0, 2));
  return buildSailing(id, {
    route_id: 'rte_ba',
    departs_at: departsAt,
    arrives_at: departsAt.replace(':00:00Z', ':35:00Z'),
    departs_local: `2026-06-05T${clock}:00-07:00`,
    arrives_local: `2026-06-05T${String(hour).padStart(2, '0')}:35:00-07:00`,
  });
}

type OpenPage = { purchase: Purchase; close: () => void };

let page: OpenPage | null = null;
afterEach(leavePage);

/** The purchase of the open page, or of a page that is left when the next one opens. */
export function currentPurchase(): Purchase {
  page ??= openPage();
  return page.purchase;
}

export function currentDraft(): Draft {
  return currentPurchase().get();
}

export function changeDraft(fields: Partial<Draft>): void {
  currentPurchase().change(fields);
}

function openPage(): OpenPage {
  const purchase = openPurchase();
  return { purchase, close: storePurchase(purchase) };
}

export function leavePage(): void {
  window.dispatchEvent(new Event('pagehide'));
  page?.close();
  page = null;
}

/** Loads this address of the ticket host in place of the previous page. */
export async function visit(path: string) {
  leavePage();
  const purchase = currentPurchase();
  const client = createQueryClient();
  const router = createTestRouter(withRoot(routes), [path], client);
  await whenReady(router);
  const view = render(
    <PurchaseContext value={purchase}>
      <App client={client} router={router} />
    </PurchaseContext>,
  );
  return { router, client, ...view };
}
