import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { reportCompletedOrder } from '#web/platform/analytics/outside-scripts.ts';
import { buildLeg, buildOrder, buildTicket } from '../features/orders.ts';
import { json, openPage, success, TICKETS } from '../platform/page.ts';
import {
  answerApi,
  buildCatalogue,
  buildUnpaidOrder,
  changeDraft,
  currentDraft,
  refusal,
  visit,
} from './visit-tickets.tsx';

vi.mock('#web/platform/analytics/outside-scripts.ts', { spy: true });

const user = userEvent.setup();
const ORDER = 'GET /api/orders/ord_1';
const PATH = '/orders/ord_1/confirmation';

beforeEach(() => {
  openPage(`${TICKETS}${PATH}`);
  vi.mocked(reportCompletedOrder).mockClear();
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('a confirmed order shows each ticket with its code, the address of the mail, and the files', async () => {
  answerApi({ [ORDER]: () => success(buildOrder()) });
  await visit(PATH);
  expect(await screen.findByRole('heading', { level: 1, name: / → / })).toBeDefined();
  expect(screen.getAllByRole('img', { name: /^Ticket code/ })).toHaveLength(2);
  expect(await sentTo()).toBe('Tickets sent to a•••@example.com.');
  expect((await screen.findByRole('link', { name: 'Tickets as PDF' })).getAttribute('href')).toBe(
    '/api/orders/ord_1/tickets.pdf',
  );
  expect(screen.getByRole('link', { name: 'Add to calendar' }).getAttribute('href')).toBe(
    '/api/orders/ord_1/calendar.ics',
  );
  await waitFor(() => expect(document.title).toBe('Order Confirmation | Sound Ferries'));
});

const sentTo = async () => (await screen.findByText(/Tickets sent to/)).textContent;
const SECRET = 'secret-of-this-tab';
const ADA = { name: 'Ada Lovelace', email: 'ada@example.com', phone: '+1 206 555 0142' };

test('the tab that bought the order shows the full address until the page is left', async () => {
  changeDraft({ orderId: 'ord_1', orderContact: ADA });
  answerApi({ [ORDER]: () => success(buildOrder()) });
  await visit(PATH);
  await screen.findByRole('heading', { level: 1, name: / → / });
  expect(await sentTo()).toBe('Thank you. Tickets sent to ada@example.com.');
  await waitFor(() => expect(currentDraft().orderContact).toBeNull());
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('ada@example.com');
  cleanup();
  await visit(PATH);
  await screen.findByRole('heading', { level: 1, name: / → / });
  expect(await sentTo()).toBe('Tickets sent to a•••@example.com.');
});

test('a visitor who opens an order’s link sees a masked address and how to reach the office', async () => {
  changeDraft({ orderId: 'ord_2', orderContact: ADA });
  answerApi({ [ORDER]: () => success(buildOrder()) });
  await visit(PATH);
  await screen.findByRole('heading', { level: 1, name: / → / });
  expect(await sentTo()).toBe('Tickets sent to a•••@example.com.');
  await user.click(await screen.findByText('Wrong address?'));
  expect((await screen.findByText(/give your order reference/)).textContent).toContain('2NWB-2WMB');
  expect(screen.queryByRole('textbox', { name: 'Email' })).toBeNull();
});

test('correcting the address sends the tickets to the new one', async () => {
  const assistance = [{ traveler: 1, needs: ['sight' as const], note: '' }];
  changeDraft({ orderId: 'ord_1', orderContact: { ...ADA, assistance }, buyerSecret: SECRET });
  const api = answerApi({
    [ORDER]: () => success(buildOrder()),
    'PATCH /api/orders/ord_1': () => success(buildOrder({ version: 2 })),
    'POST /api/orders/ord_1/resend': () => success({ queued: true }),
  });
  await visit(PATH);
  await screen.findByRole('heading', { level: 1, name: / → / });
  await user.click(await screen.findByText('Wrong address?'));
  const email = await screen.findByRole('textbox', { name: 'Email' });
  const send = screen.getByRole('button', { name: 'Send tickets to this address' });
  await user.clear(email);
  await user.click(send);
  expect(screen.getByText('Enter an email address, like name@example.com.')).toBeDefined();
  expect(api.to('PATCH /api/orders/ord_1')).toHaveLength(0);
  await user.type(email, 'ada.l@example.com');
  await user.click(send);
  await waitFor(async () => expect(await sentTo()).toBe('Thank you. Tickets sent to ada.l@example.com.'));
  expect(api.to('PATCH /api/orders/ord_1').map(({ body }) => body)).toEqual([
    { contact: { ...ADA, email: 'ada.l@example.com' }, buyer_secret: SECRET },
  ]);
  expect(api.to('POST /api/orders/ord_1/resend')).toHaveLength(1);
  expect(document.activeElement).toBe(screen.getByText('Wrong address?'));
});

test('the price lines contain the fee of a change and what it did not refund, and add up to the total', async () => {
  const [bought] = buildOrder().lines;
  if (!bought) throw new Error('An order has a line.');
  const line = (id: string, over: object) => ({ ...bought, id, quantity: 1, ...over });
  const lines = [
    line('lin_1', { amount: 1850, status: 'replaced', description: 'Infant' }),
    line('lin_2', { amount: 925, unit_amount: 925 }),
    line('lin_3', { kind: 'fee', amount: 500, description: 'Change fee', status: 'replaced' }),
    line('lin_4', { kind: 'discount', amount: -1800, description: 'Earlier tickets', status: 'replaced' }),
  ];
  answerApi({ [ORDER]: () => success(buildOrder({ lines, total: 1475 })) });
  await visit(PATH);
  const heading = await screen.findByRole('heading', { name: 'Price' });
  const shown = heading.closest('details')?.textContent ?? '';
  for (const text of ['Change fee', '$5.00', 'Not refunded of earlier tickets', '$0.50', '$9.25']) {
    expect(shown).toContain(text);
  }
  expect(shown).not.toContain('Infant');
});

describe('the names on the tickets', () => {
  const [leg] = buildOrder().legs;
  const open = buildOrder({ legs: [{ ...leg!, check_in_closes_at: '2999-06-05T15:20:00Z' }] });

  test('can be changed in the tab that bought the order until the first check-in closes', async () => {
    changeDraft({ orderId: 'ord_1', orderContact: ADA, buyerSecret: SECRET });
    const named = [buildTicket(1, { traveler_name: 'Bo Diaz' }), buildTicket(2)];
    const api = answerApi({
      [ORDER]: () => success(open),
      'PATCH /api/orders/ord_1': () =>
        success({ ...open, tickets: named, traveler_names: ['Bo Diaz'], version: 2 }),
    });
    await visit(PATH);
    await user.click(await screen.findByText('Add travelers’ names'));
    await user.type(await screen.findByLabelText('Adult 1'), ' Bo Diaz');
    await user.click(screen.getByRole('button', { name: 'Save names' }));
    expect(await screen.findByText('Bo Diaz')).toBeDefined();
    const summary = screen.getByText('Change travelers’ names');
    expect(document.activeElement).toBe(summary);
    expect(summary.closest('details')?.open).toBe(false);
    expect(api.to('PATCH /api/orders/ord_1').map(({ body }) => body)).toEqual([
      { traveler_names: ['Bo Diaz', ''], buyer_secret: SECRET },
    ]);
  });

  test('stay with their tickets after others of the party are canceled or added on one journey', async () => {
    changeDraft({ orderId: 'ord_1', orderContact: ADA });
    const back = buildLeg({ leg: 'back', check_in_closes_at: '2999-06-08T15:20:00Z' });
    const order = {
      ...open,
      legs: [...open.legs, back],
      tickets: [
        buildTicket(1, { status: 'canceled', title: 'Adult' }),
        buildTicket(2, { title: 'Adult', traveler_name: 'Bo' }),
        buildTicket(3, { leg: 'back', title: 'Adult', traveler_name: 'Ana' }),
        buildTicket(4, { leg: 'back', title: 'Adult', traveler_name: 'Bo', party_index: 2 }),
        buildTicket(5, { leg: 'back', title: 'Child', party_index: 5 }),
      ],
      traveler_names: ['Left', 'Bo', 'Ana'],
    };
    const api = answerApi({ [ORDER]: () => success(order), 'PATCH /api/orders/ord_1': () => success(order) });
    await visit(PATH);
    await user.click(await screen.findByText('Change travelers’ names'));
    const nameIn = async (label: string) => ((await screen.findByLabelText(label)) as HTMLInputElement).value;
    expect([await nameIn('Adult 1'), await nameIn('Adult 2'), await nameIn('Child')]).toEqual([
      'Bo',
      'Ana',
      '',
    ]);
    await user.type(screen.getByLabelText('Child'), 'Cy');
    await user.click(screen.getByRole('button', { name: 'Save names' }));
    await waitFor(() =>
      expect(api.to('PATCH /api/orders/ord_1')[0]?.body).toEqual({
        traveler_names: ['Left', 'Bo', 'Ana', '', 'Cy'],
      }),
    );
  });

  test('cannot be changed by a visitor who only has the link, nor after the check-in', async () => {
    answerApi({ [ORDER]: () => success(open) });
    await visit(PATH);
    await screen.findByRole('heading', { level: 1, name: / → / });
    expect(screen.queryByText('Add travelers’ names')).toBeNull();
    cleanup();
    changeDraft({ orderId: 'ord_1', orderContact: ADA });
    answerApi({ [ORDER]: () => success(buildOrder()) });
    await visit(PATH);
    await screen.findByText(/^Thank you/);
    expect(screen.queryByText('Add travelers’ names')).toBeNull();
  });
});

test('assistance is changed in the tab that bought the order, with the secret that it got for it', async () => {
  const [leg] = buildOrder().legs;
  const order = buildOrder({ legs: [{ ...leg!, check_in_closes_at: '2999-06-05T15:20:00Z' }] });
  const assistance = [{ traveler: 1, needs: ['sight' as const], note: '' }];
  changeDraft({ orderId: 'ord_1', orderContact: { ...ADA, assistance }, buyerSecret: SECRET });
  const api = answerApi({
    [ORDER]: () => success(order),
    'GET /api/catalogue': () => success({ ...buildCatalogue(), assistance_notice_hours: 48 }),
    'PATCH /api/orders/ord_1': () => success({ ...order, version: 2 }),
  });
  await visit(PATH);
  await user.click(await screen.findByText('Change request for assistance'));
  const first = within(await screen.findByRole('group', { name: 'Assistance for Adult 1' }));
  await user.click(first.getByRole('checkbox', { name: 'Blind or low vision' }));
  await user.click(first.getByRole('checkbox', { name: 'Travels in a wheelchair' }));
  await user.click(screen.getByRole('button', { name: 'Save request' }));
  expect(await screen.findByText('Travels in a wheelchair', { selector: 'dd' })).toBeDefined();
  expect(screen.queryByText('Blind or low vision', { selector: 'dd' })).toBeNull();
  expect(api.to('PATCH /api/orders/ord_1').map(({ body }) => body)).toEqual([
    { assistance: [{ traveler: 1, needs: ['wheelchair'], note: '' }], buyer_secret: SECRET },
  ]);
});

test('a guest who comes back adds names after typing the mailed code, and no contact is stored', async () => {
  const [leg] = buildOrder().legs;
  const order = buildOrder({
    needs_proof: 'code',
    legs: [{ ...leg!, check_in_closes_at: '2999-06-05T15:20:00Z' }],
  });
  const api = answerApi({
    [ORDER]: () => success(order),
    'POST /api/orders/ord_1/cancellations/code': () =>
      success({ temp: 'handle', email: 'a•••@example.com', expires_in: 600 }),
    'POST /api/orders/ord_1/buyer': () =>
      success({
        buyer_secret: SECRET,
        contact: ADA,
        assistance: [{ traveler: 2, needs: ['sight'], note: '' }],
      }),
    'GET /api/catalogue': () => success({ ...buildCatalogue(), assistance_notice_hours: 48 }),
    'PATCH /api/orders/ord_1': () => success({ ...order, traveler_names: ['Bo'], version: 2 }),
  });
  await visit(PATH);
  await user.click(await screen.findByText('Add names or ask for assistance'));
  expect(screen.queryByText('Add travelers’ names')).toBeNull();
  await user.click(await screen.findByRole('button', { name: 'Email me a code' }));
  await user.type(await screen.findByRole('textbox', { name: 'Code from the email' }), '123456');
  await user.click(screen.getByRole('button', { name: 'Continue' }));
  expect(await screen.findByText('Change request for assistance')).toBeDefined();
  await user.click(screen.getByText('Add travelers’ names'));
  await user.type(await screen.findByLabelText('Adult 1'), 'Bo');
  await user.click(screen.getByRole('button', { name: 'Save names' }));
  await screen.findByText('Change travelers’ names');
  expect(await sentTo()).toBe('Tickets sent to ada@example.com.');
  expect(api.to('POST /api/orders/ord_1/buyer')[0]?.body).toEqual({
    proof: { temp: 'handle', code: '123456' },
  });
  expect(api.to('PATCH /api/orders/ord_1')[0]?.body).toEqual({
    traveler_names: ['Bo', ''],
    buyer_secret: SECRET,
  });
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toMatch(/ada@example|secret-of/);
});

test('a completed order is reported to analytics once', async () => {
  answerApi({ [ORDER]: () => success(buildOrder()) });
  await visit(PATH);
  await waitFor(() => expect(reportCompletedOrder).toHaveBeenCalled());
  expect(reportCompletedOrder).toHaveBeenCalledWith(
    expect.objectContaining({ reference: '2NWB-2WMB', total: 1850, currency: 'USD' }),
  );
  expect(vi.mocked(reportCompletedOrder).mock.calls).toHaveLength(1);
});

test.each([
  ['held', buildUnpaidOrder()],
  ['expired', buildUnpaidOrder({ status: 'expired' })],
  ['canceled', buildOrder({ status: 'canceled', display_status: 'refunded' })],
])('an order with status %s is not reported to the tag manager', async (_, order) => {
  answerApi({ [ORDER]: () => success(order) });
  await visit(PATH);
  await screen.findByRole('heading', { level: 1 });
  expect(reportCompletedOrder).not.toHaveBeenCalled();
});

test('an unpaid order links to its payment', async () => {
  answerApi({ [ORDER]: () => success(buildUnpaidOrder()) });
  const { router } = await visit(PATH);
  expect(await screen.findByRole('heading', { name: 'Not paid yet' })).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Pay $18.50' }));
  await waitFor(() => expect(router.state.location.search).toBe('?step=pay'));
  expect(currentDraft().orderId).toBe('ord_1');
});

test('an unpaid order of a canceled boat offers no payment', async () => {
  const order = buildUnpaidOrder();
  const legs = order.legs.map((leg) => ({ ...leg, status: 'canceled' as const }));
  answerApi({ [ORDER]: () => success({ ...order, legs }) });
  await visit(PATH);
  expect(await screen.findByText('Your sailing is canceled')).toBeDefined();
  expect(screen.getByRole('link', { name: 'Choose another sailing' })).toBeDefined();
  expect(screen.queryByRole('button', { name: /^Pay / })).toBeNull();
});

test('the tickets appear by themselves when a pending payment succeeds', async () => {
  let order = buildUnpaidOrder({ status: 'awaiting_payment', payment_status: 'processing' });
  answerApi({ [ORDER]: () => success(order) });
  await visit(PATH);
  expect(await screen.findByText('Please don’t pay again')).toBeDefined();
  order = buildOrder();
  expect(await screen.findByRole('heading', { level: 1, name: / → / }, { timeout: 4000 })).toBeDefined();
});

test('a customer who returns from the bank with a pending payment is not offered to pay again', async () => {
  changeDraft({ orderId: 'ord_1', isPaymentOpen: true });
  answerApi({ [ORDER]: () => success(buildUnpaidOrder({ status: 'awaiting_payment' })) });
  const { router } = await visit(`${PATH}?payment_intent=pi_1&payment_intent_client_secret=secret`);
  expect(await screen.findByText('Please don’t pay again')).toBeDefined();
  expect(screen.queryByRole('button', { name: /^Pay/ })).toBeNull();
  await waitFor(() => expect(router.state.location.search).toBe(''));
});

test('a late payment that still got places shows the order’s notice', async () => {
  answerApi({
    [ORDER]: () => success(buildOrder({ notice: 'Your payment came late, but we still had room.' })),
  });
  await visit(PATH);
  expect(await screen.findByText('Your payment came late, but we still had room.')).toBeDefined();
  expect(screen.getAllByRole('img', { name: /^Ticket code/ })).toHaveLength(2);
});

const givenBack = (status: 'requested' | 'succeeded' | 'failed', notice: string) => {
  const refund = { id: 'rfd_1', amount: 1850, destination: 'card', network: null, last_four: null } as const;
  return buildUnpaidOrder({
    status: 'canceled',
    payment_status: 'paid',
    paid: 1850,
    refunds: [{ ...refund, reason: 'no_room', status, inserted_at: '2026-06-01T15:00:00Z' }],
    notice,
  });
};

test.each(['requested', 'succeeded'] as const)(
  'a late payment without places shows the refund while it is %s',
  async (status) => {
    answerApi({ [ORDER]: () => success(givenBack(status, 'There was no room left.')) });
    await visit(PATH);
    expect(await screen.findByText('Your money is on its way back')).toBeDefined();
    expect(screen.getByText(/There was no room left\./).textContent).toContain('You get $18.50 back');
    expect(screen.queryByRole('img', { name: /^Ticket code/ })).toBeNull();
  },
);

test('a failed refund is not shown as on its way', async () => {
  answerApi({ [ORDER]: () => success(givenBack('failed', 'Please call us.')) });
  await visit(PATH);
  expect(await screen.findByText('Your money did not reach you')).toBeDefined();
  expect(screen.getByText(/Please call us\./).textContent).not.toContain('You get');
  expect(screen.queryByRole('img', { name: /^Ticket code/ })).toBeNull();
});

test('tickets of a canceled order are not shown as valid', async () => {
  answerApi({
    [ORDER]: () =>
      success(
        buildOrder({
          status: 'canceled',
          display_status: 'refunded',
          refunded: 1850,
          tickets: [buildTicket(1, { status: 'canceled' })],
        }),
      ),
  });
  await visit(PATH);
  expect(await screen.findByRole('heading', { level: 1, name: / → / })).toBeDefined();
  expect(screen.queryByText('Valid')).toBeNull();
});

test('an order that is not found shows the same text for every reason', async () => {
  answerApi({
    [ORDER]: () => json({ success: false, errors: [{ code: 'not_found', message: 'No.' }] }, 404),
  });
  await visit(PATH);
  expect(await screen.findByRole('heading', { name: 'We could not find this order' })).toBeDefined();
});

test('the mail can be sent again, and each successful press uses a new idempotency key', async () => {
  const api = answerApi({
    [ORDER]: () => success(buildOrder()),
    'POST /api/orders/ord_1/resend': () => success(null),
  });
  await visit(PATH);
  await user.click(await screen.findByRole('button', { name: 'Send the email again' }));
  expect(await screen.findByText('Sent again to a•••@example.com.')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Send the email again' }));
  await waitFor(() => expect(api.to('POST /api/orders/ord_1/resend')).toHaveLength(2));
  const [first, second] = api.to('POST /api/orders/ord_1/resend');
  expect(first?.key).not.toBe(second?.key);
});

test('a rate-limited request for the mail shows the server’s message', async () => {
  answerApi({
    [ORDER]: () => success(buildOrder()),
    'POST /api/orders/ord_1/resend': () => refusal('rate_limited', 'Too many tries.'),
  });
  await visit(PATH);
  await user.click(await screen.findByRole('button', { name: 'Send the email again' }));
  expect(await screen.findByText('Too many tries.')).toBeDefined();
});
