import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CancellationQuote } from '#contract/orders/cancel/schemas.ts';
import type { Order, Ticket } from '#contract/orders/schemas.ts';
import { buildLeg, buildOrder, buildTicket } from '../features/orders.ts';
import { json, openPage, PORTAL, success, TICKETS } from '../platform/page.ts';
import { answerApi, refusal, visit } from './visit-tickets.tsx';

const user = userEvent.setup();
const PATH = '/orders/ord_1/confirmation';
const ORDER = 'GET /api/orders/ord_1';
const QUOTE = 'POST /api/orders/ord_1/cancellations/quote';
const CODE = 'POST /api/orders/ord_1/cancellations/code';
const CANCEL = 'POST /api/orders/ord_1/cancellations';

beforeEach(() => {
  openPage(`${TICKETS}${PATH}`);
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const leg = buildLeg({
  departs_at: '2999-06-05T15:40:00Z',
  arrives_at: '2999-06-05T16:15:00Z',
  departs_local: '2999-06-05T08:40:00-07:00',
});
const back = { ...leg, leg: 'back', sailing_id: 'sai_back1', departs_at: '2999-06-07T15:40:00Z' } as const;
const ada = buildTicket(1, { title: 'Adult', traveler_name: 'Ada' });
const bo = buildTicket(2, { title: 'Child', traveler_name: 'Bo' });
const car = buildTicket(3, { title: 'Car, 5KJH 220', kind: 'vehicle' });

/** An order of a guest whose boat has not departed. */
function buildOpenOrder(over: Partial<Order> = {}): Order {
  return buildOrder({ legs: [leg], tickets: [ada, bo, car], needs_proof: 'code', ...over });
}

/** Bo's ticket cost $12.75, of which $5.20 come back. */
function buildCancellationQuote(over: Partial<CancellationQuote> = {}): CancellationQuote {
  const { id, title, traveler_name } = bo;
  return {
    version: 1,
    tickets: [{ ticket_id: id, leg: 'out', title, traveler_name, paid: 1275, fee: 500, refund: 520 }],
    ...{ paid: 1275, fee: 500, refund: 520, currency: 'USD' },
    destinations: [{ destination: 'card', network: null, last_four: null, amount: 520 }],
    ...{ trip_cards: [], is_whole_order: false, needs_code: true, notes: [] },
    ...over,
  };
}

const mailed = { temp: 'temp_1', email: 'a•••@example.com', expires_in: 600 };
const cancel = (ticket: Ticket): Ticket => ({ ...ticket, status: 'canceled' });
const CANCELED = buildOpenOrder({ status: 'partly_canceled', version: 2, tickets: [ada, cancel(bo), car] });

/** An API with which a guest cancels Bo's ticket. */
function answerWith(over: Parameters<typeof answerApi>[0] = {}) {
  return answerApi({
    [ORDER]: () => success(buildOpenOrder()),
    [QUOTE]: () => success(buildCancellationQuote()),
    [CODE]: () => success(mailed),
    [CANCEL]: () => success(CANCELED),
    ...over,
  });
}

const openDialog = async () => {
  await visit(PATH);
  await user.click(await screen.findByRole('button', { name: 'Cancel tickets' }));
  return screen.findByRole('dialog');
};
const press = (name: string) => user.click(screen.getByRole('button', { name }));
const choose = (name: string | RegExp) => user.click(screen.getByRole('checkbox', { name }));
const seeRefund = async (name: string) => {
  await choose(name);
  await press('See your refund');
  await screen.findByRole('heading', { name: 'Your refund' });
};
const typeCode = async (code: string) => {
  await user.type(await screen.findByLabelText('Code from the email'), code);
  await press('Cancel this ticket');
};

describe('a guest who cancels a ticket', () => {
  test('sees the refund line by line, enters the mailed code, and sees the result', async () => {
    const api = answerWith();
    const dialog = within(await openDialog());
    await seeRefund('Bo');
    expect(dialog.getByText('Child · $5.20 refunded')).toBeDefined();
    for (const [label, amount] of [
      ['Not refunded under your fare’s rules', '-$2.55'],
      ['Cancellation fee', '-$5.00'],
      ['Refund', '$5.20'],
    ]) {
      expect(dialog.getByText(label!).nextElementSibling?.textContent).toBe(amount);
    }
    expect(dialog.getByText(/^\$5\.20 goes back to the card you paid with/)).toBeDefined();
    expect(dialog.getByText('Your other tickets stay valid.')).toBeDefined();
    expect(api.to(CODE)).toHaveLength(0);
    await press('Email me a code');
    await typeCode('123456');
    expect(await screen.findByRole('heading', { name: 'Your ticket is canceled' })).toBeDefined();
    expect(api.to(QUOTE).map(({ body }) => body)).toEqual([{ ticket_ids: ['tkt_2'] }]);
    expect(api.to(CANCEL).map(({ body }) => body)).toEqual([
      { ticket_ids: ['tkt_2'], version: 1, refund: 520, proof: { temp: 'temp_1', code: '123456' } },
    ]);
    await press('Done');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getAllByText('Canceled').length).toBeGreaterThan(0);
  });

  test('reads where the refund can go to a trip card, with an account', async () => {
    const trip_cards = [{ id: 'tcd_1', name: 'Commute', last_four: '3280' }];
    answerWith({ [QUOTE]: () => success(buildCancellationQuote({ trip_cards, needs_code: false })) });
    const dialog = within(await openDialog());
    await seeRefund('Bo');
    expect(dialog.getByRole('link', { name: 'My Orders' }).getAttribute('href')).toBe(
      `${PORTAL}/orders?order=2NWB-2WMB`,
    );
    expect(dialog.queryByRole('radio')).toBeNull();
  });

  test('can correct a wrong code, and have another one mailed after it expired', async () => {
    let refused = 0;
    const api = answerWith({
      [CANCEL]: () => {
        refused += 1;
        if (refused === 1) return refusal('invalid_code', 'That code is not right.', { field: 'proof.code' });
        if (refused === 2) return refusal('attempt_expired', 'Ask for a new one.', { field: 'proof.code' });
        return success(CANCELED);
      },
    });
    vi.useFakeTimers({ toFake: ['Date'] });
    await openDialog();
    await seeRefund('Bo');
    await press('Email me a code');
    await typeCode('111111');
    const field = screen.getByLabelText('Code from the email');
    const problem = await screen.findByText('That code is not right.', { selector: '[id]' });
    expect(field.getAttribute('aria-describedby')).toContain(problem.id);
    expect(document.activeElement).toBe(field);
    await user.clear(field);
    await typeCode('222222');
    expect(await screen.findByText('Ask for a new one.', { selector: '[id]' })).toBeDefined();
    vi.setSystemTime(Date.now() + 61_000);
    await press(await screen.findByRole('button', { name: 'Send another email' }).then(nameOf));
    expect(await screen.findByText('We sent another email. Use the newest one.')).toBeDefined();
    expect(api.to(CODE)).toHaveLength(2);
    await user.clear(field);
    await typeCode('333333');
    expect(await screen.findByRole('heading', { name: 'Your ticket is canceled' })).toBeDefined();
    vi.useRealTimers();
  });
});

const nameOf = (button: HTMLElement) => button.textContent ?? '';

test('tickets are chosen one by one, by journey, or all at once', async () => {
  const backTickets = [ada, bo].map(
    (ticket, index) => ({ ...ticket, id: `tkt_b${index}`, leg: 'back' }) as const,
  );
  const api = answerWith({
    [ORDER]: () => success(buildOpenOrder({ legs: [leg, back], tickets: [ada, bo, ...backTickets] })),
  });
  await openDialog();
  await choose('All return tickets');
  await press('See your refund');
  await screen.findByRole('heading', { name: 'Your refund' });
  await press('Back');
  await choose('All tickets');
  await press('See your refund');
  await screen.findByRole('heading', { name: 'Your refund' });
  await press('Back');
  const [outward] = screen.getAllByRole('checkbox', { name: 'Bo' });
  await user.click(outward!);
  const all = screen.getByRole<HTMLInputElement>('checkbox', { name: 'All tickets' });
  expect([all.checked, all.indeterminate]).toEqual([false, true]);
  await press('See your refund');
  await waitFor(() => expect(api.to(QUOTE)).toHaveLength(3));
  const sent = api.to(QUOTE).map(({ body }) => (body.ticket_ids as string[]).toSorted().join(' '));
  expect(sent).toEqual(['tkt_b0 tkt_b1', 'tkt_1 tkt_2 tkt_b0 tkt_b1', 'tkt_1 tkt_b0 tkt_b1']);
});

test('both boats of a journey with a change are one choice', async () => {
  const onward = { ...leg, leg: 'out_onward', sailing_id: 'sai_out2' } as const;
  const api = answerWith({
    [ORDER]: () =>
      success(
        buildOpenOrder({ legs: [leg, onward], tickets: [ada, { ...ada, id: 'tkt_9', leg: 'out_onward' }] }),
      ),
  });
  await openDialog();
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Ada' }).checked).toBe(true);
  await press('See your refund');
  await waitFor(() =>
    expect(api.to(QUOTE).map(({ body }) => body)).toEqual([{ ticket_ids: ['tkt_1', 'tkt_9'] }]),
  );
});

test('a ticket that is checked in cannot be chosen, and nothing is asked without a choice', async () => {
  const api = answerWith({
    [ORDER]: () => success(buildOpenOrder({ tickets: [{ ...ada, status: 'checked_in' }, bo] })),
  });
  await openDialog();
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Ada' }).disabled).toBe(true);
  await press('See your refund');
  expect(await screen.findByText('Choose at least one ticket.')).toBeDefined();
  expect(api.to(QUOTE)).toHaveLength(0);
});

describe('a fare that gives nothing back now', () => {
  const STRICT = { ...buildOrder().fare_policy, cancel: [] };

  test('shows the reason in place of the button', async () => {
    answerWith({ [ORDER]: () => success(buildOpenOrder({ fare_policy: STRICT })) });
    await visit(PATH);
    expect(await screen.findByText('This fare gives no refund.')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Cancel tickets' })).toBeNull();
  });

  test('can be canceled if the operator is the cause', async () => {
    const order = buildOpenOrder({ fare_policy: STRICT, needs_attention: 'sailing_canceled' });
    answerWith({ [ORDER]: () => success(order) });
    await visit(PATH);
    expect(await screen.findByRole('button', { name: 'Cancel tickets' })).toBeDefined();
  });

  test('offers only the tickets of the journey whose deadline has not passed', async () => {
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const first = { ...leg, departs_at: soon, arrives_at: '2998-06-05T16:15:00Z' };
    const order = buildOpenOrder({ legs: [first, back], tickets: [ada, { ...bo, leg: 'back' }] });
    answerWith({ [ORDER]: () => success(order) });
    await openDialog();
    const outbound = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Ada' });
    expect(outbound.disabled).toBe(true);
    expect(screen.getByText(/No refund any more: it is less than 24 hours before departure\./)).toBeDefined();
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Bo' }).disabled).toBe(false);
  });
});

test('a refusal shows what is still possible', async () => {
  const text = 'Your fare gives no refund for this now. You can still cancel the return.';
  answerWith({ [QUOTE]: () => refusal('refund_not_allowed', text) });
  await openDialog();
  await choose('Bo');
  await press('See your refund');
  expect(await screen.findByText(text)).toBeDefined();
});

describe('an order that changes meanwhile', () => {
  test('shows the new refund and what it was', async () => {
    let quotes = 0;
    const api = answerWith({
      [QUOTE]: () => {
        quotes += 1;
        return success(
          quotes === 1
            ? buildCancellationQuote({ needs_code: false })
            : buildCancellationQuote({ needs_code: false, version: 2, refund: 300 }),
        );
      },
      [CANCEL]: ({ body }) =>
        body.version === 1 ? refusal('version_conflict', 'It changed.') : success(CANCELED),
    });
    await openDialog();
    await seeRefund('Bo');
    await press('Cancel this ticket');
    expect(await screen.findByText('The refund is now $3.00. It was $5.20.')).toBeDefined();
    await press('Cancel this ticket');
    expect(await screen.findByRole('heading', { name: 'Your ticket is canceled' })).toBeDefined();
    expect(api.to(CANCEL).map(({ body }) => body.refund)).toEqual([520, 300]);
  });

  test('says which of the chosen tickets cannot be canceled any more', async () => {
    let order = buildOpenOrder();
    answerWith({
      [ORDER]: () => success(order),
      [QUOTE]: () => refusal('version_conflict', 'It changed.'),
    });
    await openDialog();
    await choose('Ada');
    await choose('Bo');
    order = CANCELED;
    await press('See your refund');
    expect(await screen.findByText('Not possible anymore: Bo (canceled).')).toBeDefined();
    expect(screen.queryByRole('checkbox', { name: 'Bo' })).toBeNull();
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Ada' }).checked).toBe(true);
  });
});

describe('a cancellation without an answer', () => {
  const failed = () => json({ success: false, errors: [] }, 500);
  const quote = () => success(buildCancellationQuote({ needs_code: false }));

  test('is looked up, and shown as done if the tickets are canceled', async () => {
    let order = buildOpenOrder();
    const api = answerWith({
      [ORDER]: () => success(order),
      [QUOTE]: quote,
      [CANCEL]: () => {
        order = CANCELED;
        return failed();
      },
    });
    await openDialog();
    await seeRefund('Bo');
    await press('Cancel this ticket');
    expect(await screen.findByRole('heading', { name: 'Your ticket is canceled' })).toBeDefined();
    expect(api.to(CANCEL)).toHaveLength(1);
  });

  test('is repeated under the same idempotency key', async () => {
    let tries = 0;
    const api = answerWith({
      [QUOTE]: quote,
      [CANCEL]: () => {
        tries += 1;
        return tries === 1 ? failed() : success(CANCELED);
      },
    });
    await openDialog();
    await seeRefund('Bo');
    await press('Cancel this ticket');
    expect(await screen.findByText(/Your tickets may be canceled already/)).toBeDefined();
    await press('Cancel this ticket');
    expect(await screen.findByRole('heading', { name: 'Your ticket is canceled' })).toBeDefined();
    const [first, second] = api.to(CANCEL);
    expect(first?.key).toBe(second?.key);
  });
});

test('a reader of an order that belongs to an account is led to it', async () => {
  const api = answerWith({ [ORDER]: () => success(buildOpenOrder({ needs_proof: 'sign_in' })) });
  await openDialog();
  expect(screen.getByRole('link', { name: 'Open in My Orders' }).getAttribute('href')).toBe(
    `${PORTAL}/orders?order=2NWB-2WMB`,
  );
  expect(api.to(QUOTE)).toHaveLength(0);
});

test.each<[string, Partial<Order>]>([
  ['the boat has departed', { legs: [buildLeg()] }],
  ['all tickets are canceled', { status: 'canceled', tickets: [cancel(ada)] }],
])('nothing is offered once %s', async (_, over) => {
  answerWith({ [ORDER]: () => success(buildOpenOrder(over)) });
  await visit(PATH);
  await screen.findByText('Contact');
  expect(screen.queryByRole('button', { name: 'Cancel tickets' })).toBeNull();
});

test('the last ticket’s cancellation leaves the focus on the page', async () => {
  answerWith({
    [ORDER]: () => success(buildOpenOrder({ tickets: [bo] })),
    [QUOTE]: () => success(buildCancellationQuote({ needs_code: false, is_whole_order: true })),
    [CANCEL]: () => success(buildOpenOrder({ status: 'canceled', tickets: [cancel(bo)] })),
  });
  await openDialog();
  await press('See your refund');
  await screen.findByRole('heading', { name: 'Your refund' });
  await press('Cancel this ticket');
  await screen.findByRole('heading', { name: 'Your order is canceled' });
  await press('Done');
  expect(screen.queryByRole('button', { name: 'Cancel tickets' })).toBeNull();
  expect(document.activeElement?.tagName).toBe('MAIN');
});
