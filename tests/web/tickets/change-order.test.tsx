import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ChangeQuote } from '#contract/orders/change/schemas.ts';
import type { Order } from '#contract/orders/schemas.ts';
import { buildLeg, buildOrder, buildTicket } from '../features/orders.ts';
import { openPage, success, TICKETS } from '../platform/page.ts';
import { closeCardProvider, openCardProvider } from './card-provider.ts';
import { answerApi, buildPayment, refusal, visit } from './visit-tickets.tsx';

const user = userEvent.setup();
const PATH = '/orders/ord_1/change';
const ORDER = 'GET /api/orders/ord_1';
const QUOTE = 'POST /api/orders/ord_1/changes/quote';
const UNPAID_CHANGE = 'GET /api/orders/ord_1/unpaid_change';
const CHANGE = 'POST /api/orders/ord_1/changes';

let provider: ReturnType<typeof openCardProvider>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-06-01T12:00:00Z') });
  openPage(`${TICKETS}${PATH}`);
  provider = openCardProvider();
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  closeCardProvider();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const place = (code: string, name: string) => ({ code, name, lat: null, lon: null, address: '' });
const madrona = place('prt_a', 'Port Madrona');
const heron = place('prt_b', 'Heron Island');
const out = buildLeg({ origin: madrona, destination: heron });
const back = buildLeg({
  ...{ leg: 'back', sailing_id: 'sai_back1', origin: heron, destination: madrona },
  departs_at: '2026-06-07T15:40:00Z',
  departs_local: '2026-06-07T08:40:00-07:00',
});
const vehicle = { type: 'car', length_cm: 480, trailer_cm: 300 };
const linesOf = (leg: 'out' | 'back'): Order['lines'] => {
  const line = { leg, quantity: 1, unit_amount: 925, amount: 925, status: 'active' } as const;
  return [
    { ...line, id: `lin_${leg}1`, kind: 'passenger', description: 'Adult', type_code: 'adult', quantity: 2 },
    { ...line, id: `lin_${leg}2`, kind: 'passenger', description: 'Child', type_code: 'child' },
    { ...line, id: `lin_${leg}3`, kind: 'vehicle', description: 'Car', type_code: 'car', vehicle },
  ];
};
const ticketsOf = (leg: 'out' | 'back') => buildTicket(leg === 'out' ? 1 : 2, { leg });

/** A guest's order for two adults and a child with a car and a trailer. */
function buildTrip(over: Partial<Order> = {}): Order {
  const tickets = [ticketsOf('out')];
  return buildOrder({ legs: [out], lines: linesOf('out'), tickets, needs_proof: 'code', ...over });
}

function buildReturn(over: Partial<Order> = {}): Order {
  return buildTrip({
    legs: [out, back],
    lines: [...linesOf('out'), ...linesOf('back')],
    tickets: [ticketsOf('out'), ticketsOf('back')],
    ...over,
  });
}

function buildChangeQuote(over: Partial<ChangeQuote> = {}): ChangeQuote {
  const line = { leg: 'out', kind: 'passenger', description: 'Adult', quantity: 2 } as const;
  return {
    version: 1,
    lines: [{ ...line, unit_amount: 1500, amount: 3000 }],
    ...{ price: 3000, fee: 500, carried: 2775, forfeited: 0, waived: 0, difference: 725, currency: 'USD' },
    ...{ destinations: [], needs_code: false, notes: [], ...over },
  };
}

function answerWith(order: Order, over: Parameters<typeof answerApi>[0] = {}) {
  const change = { id: 'chg_1', status: 'done', difference: 0, currency: 'USD', expires_at: null };
  return answerApi({
    [ORDER]: () => success(order),
    [UNPAID_CHANGE]: () => success({ change: null }),
    [QUOTE]: () => success(buildChangeQuote()),
    [CHANGE]: () => success({ ...change, as_of: '2026-06-01T12:00:00Z' }),
    ...over,
  });
}

const choose = async (name: RegExp) => user.click(await screen.findByRole('radio', { name }));
const takeSailing = async () =>
  user.click((await screen.findAllByRole('button', { name: /^Choose the / }))[0]!);
const readField = async (label: string) =>
  ((await screen.findByRole('textbox', { name: label })) as HTMLInputElement).value;

describe('a change that staff made for the buyer', () => {
  const later = buildLeg({ origin: madrona, destination: heron, departs_local: '2026-06-06T11:40:00-07:00' });
  const unpaid = {
    ...{ id: 'chg_1', status: 'held', difference: 500, currency: 'USD', legs: [later] },
    ...{ expires_at: '2026-06-01T14:00:00Z', as_of: '2026-06-01T12:00:00Z' },
  };

  test('is shown with its boat and its deadline, and paid by card', async () => {
    const start = 'POST /api/orders/ord_1/changes/chg_1/payments';
    answerWith(buildTrip(), {
      [UNPAID_CHANGE]: () => success({ change: unpaid }),
      [start]: () => success(buildPayment({ amount: 500 })),
    });
    await visit(PATH);
    expect(await screen.findByText(/^We keep these places for you until /)).toBeDefined();
    expect(screen.getByText(/11:40\sAM/)).toBeDefined();
    expect(screen.queryByRole('radio')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Pay $5.00' }));
    expect(await screen.findByText('Your tickets stay valid until this is paid.')).toBeDefined();
  });

  test('is given up by a buyer who keeps the order as it is, and can then choose', async () => {
    let change: typeof unpaid | null = unpaid;
    const api = answerWith(buildTrip(), {
      [UNPAID_CHANGE]: () => success({ change }),
      'DELETE /api/orders/ord_1/changes/chg_1': () => {
        change = null;
        return success({ ...unpaid, status: 'abandoned', expires_at: null });
      },
    });
    await visit(PATH);
    await user.click(await screen.findByRole('button', { name: 'Keep my order as it is' }));
    expect((await screen.findAllByRole('radio')).length).toBeGreaterThan(0);
    expect(api.to('DELETE /api/orders/ord_1/changes/chg_1')).toHaveLength(1);
  });
});

describe('a fare that allows no change', () => {
  const fixed = (over: Partial<Order['fare_policy']['change']>) => {
    const { fare_policy: policy } = buildOrder();
    return buildTrip({ fare_policy: { ...policy, change: { ...policy.change, ...over } } });
  };

  test('shows the reason on the page that changes an order', async () => {
    answerWith(fixed({ allowed: false }));
    await visit(PATH);
    expect(await screen.findByText('Your fare allows no changes.')).toBeDefined();
    expect(screen.queryByRole('radio')).toBeNull();
  });

  test('shows the reason on the order in place of the link', async () => {
    answerWith(fixed({ allowed: false }));
    await visit('/orders/ord_1/confirmation');
    expect(await screen.findByText('Your fare allows no changes.')).toBeDefined();
    expect(screen.queryByRole('link', { name: 'Change order' })).toBeNull();
  });
});

describe('the page that changes an order', () => {
  test('fills in the party and the vehicle with its sizes, and shows the price line by line', async () => {
    const api = answerWith(buildTrip());
    await visit(PATH);
    await choose(/^Your trip/);
    expect(await readField('Exact length')).toBe('15 ft 9 in');
    expect(await readField('Trailer’s length')).toBe('9 ft 10 in');
    await takeSailing();
    const price = (await screen.findByText('To pay now')).closest('dl')?.textContent ?? '';
    for (const text of ['2 × Adult', '$30.00', 'Change fee', '$5.00', '-$27.75', '$7.25']) {
      expect(price).toContain(text);
    }
    expect(api.to(QUOTE)[0]?.body).toEqual({
      journeys: [
        {
          ...{ direction: 'out', sailing_ids: ['sai_out1'], bicycles: 0, vehicle },
          passengers: [
            { type: 'adult', count: 2 },
            { type: 'child', count: 1 },
          ],
        },
      ],
    });
  });

  test('changes both journeys of a return together', async () => {
    const api = answerWith(buildReturn(), { [QUOTE]: () => success(buildChangeQuote({ difference: 0 })) });
    await visit(PATH);
    await choose(/^Both ways/);
    await takeSailing();
    expect(api.to(QUOTE)).toEqual([]);
    await takeSailing();
    await user.click(await screen.findByRole('button', { name: 'Change order' }));
    await waitFor(() => expect(api.to(CHANGE)).toHaveLength(1));
    expect(api.to(CHANGE)[0]?.body).toMatchObject({
      journeys: [
        { direction: 'out', sailing_ids: ['sai_out1'], vehicle },
        { direction: 'back', sailing_ids: ['sai_back1'], vehicle },
      ],
      ...{ version: 1, difference: 0 },
    });
  });

  test('changes journeys with different parties one by one, and adds a return', async () => {
    const [first, ...rest] = linesOf('back');
    const lines = [...linesOf('out'), ...(first ? [{ ...first, quantity: 1 }] : []), ...rest];
    answerWith(buildReturn({ lines }));
    await visit(PATH);
    await screen.findByRole('radio', { name: /^Return/ });
    expect(screen.getAllByRole('radio')).toHaveLength(2);
    cleanup();
    answerWith(buildTrip());
    await visit(PATH);
    expect(await screen.findByRole('radio', { name: /^Add a return/ })).toBeDefined();
  });

  test('asks a guest for the mailed code, and a refusal stays on the page', async () => {
    const api = answerWith(buildTrip(), {
      [QUOTE]: () => success(buildChangeQuote({ needs_code: true })),
      'POST /api/orders/ord_1/cancellations/code': () =>
        success({ temp: 'temp_1', email: 'a•••@example.com', expires_in: 600 }),
      [CHANGE]: () => refusal('sold_out', 'Those places were just taken.'),
    });
    await visit(PATH);
    await choose(/^Your trip/);
    await takeSailing();
    await user.click(await screen.findByRole('button', { name: 'Email me a code' }));
    await user.type(await screen.findByLabelText('Code from the email'), '123456');
    await user.click(screen.getByRole('button', { name: 'Continue to payment' }));
    expect(await screen.findByText('Those places were just taken.')).toBeDefined();
    expect(api.to(CHANGE)[0]?.body).toMatchObject({ proof: { temp: 'temp_1', code: '123456' } });
  });

  test('takes the difference, also after a reload, and gives the change up', async () => {
    const expires = new Date(Date.now() + 600_000).toISOString();
    const held = { id: 'chg_1', status: 'held', difference: 725, currency: 'USD', expires_at: expires };
    const api = answerWith(buildTrip(), {
      [CHANGE]: () => success({ ...held, as_of: new Date().toISOString() }),
      'POST /api/orders/ord_1/changes/chg_1/payments': () =>
        success(buildPayment({ amount: 725, client_secret: 'pi_1_secret_1', trip_card_amount: 0 })),
      'DELETE /api/orders/ord_1/changes/chg_1': () =>
        success({ ...held, status: 'abandoned', expires_at: null, as_of: new Date().toISOString() }),
    });
    await visit(PATH);
    await choose(/^Your trip/);
    await takeSailing();
    await user.click(await screen.findByRole('button', { name: 'Continue to payment' }));
    await screen.findByText('Your tickets stay valid until this is paid.');
    window.dispatchEvent(new Event('pagehide'));
    cleanup();
    await visit(PATH);
    expect(await screen.findByRole('button', { name: /^Pay \$7\.25/ })).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Keep my order as it is' }));
    expect(await screen.findByRole('radio', { name: /^Your trip/ })).toBeDefined();
    expect(api.to('DELETE /api/orders/ord_1/changes/chg_1')).toHaveLength(1);
  });

  test('charges no card if the new boat is canceled while the form is open', async () => {
    const expires = new Date(Date.now() + 600_000).toISOString();
    const held = { id: 'chg_1', status: 'held', difference: 725, currency: 'USD', expires_at: expires };
    let isCanceled = false;
    const text = 'That sailing has been canceled. Choose another one.';
    answerWith(buildTrip(), {
      [CHANGE]: () => success({ ...held, as_of: new Date().toISOString() }),
      'POST /api/orders/ord_1/changes/chg_1/payments': () =>
        isCanceled
          ? refusal('sailing_canceled', text)
          : success(buildPayment({ amount: 725, client_secret: 'pi_1_secret_1', trip_card_amount: 0 })),
    });
    await visit(PATH);
    await choose(/^Your trip/);
    await takeSailing();
    await user.click(await screen.findByRole('button', { name: 'Continue to payment' }));
    const button = await screen.findByRole('button', { name: /^Pay \$7\.25/ });
    isCanceled = true;
    await user.click(button);
    expect(await screen.findByText(text)).toBeDefined();
    expect(provider.confirmed).toHaveLength(0);
  });

  test.each<[string, Partial<Order>, string]>([
    ['an order of an account', { needs_proof: 'sign_in' }, 'Sign in to that account to change it.'],
    ['a canceled order', { status: 'canceled' }, 'This order has no tickets that can be changed here.'],
  ])('shows what to do with %s', async (_, over, text) => {
    answerWith(buildTrip(over));
    await visit(PATH);
    expect(await screen.findByText(new RegExp(text.replaceAll('.', '\\.')))).toBeDefined();
    expect(screen.queryByRole('radio')).toBeNull();
  });
});
