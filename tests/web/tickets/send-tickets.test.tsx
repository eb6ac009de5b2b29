import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CreatedTicketShare } from '#contract/orders/ticket-shares/schemas.ts';
import { buildLeg, buildOrder, buildTicket } from '../features/orders.ts';
import { openPage, success, TICKETS } from '../platform/page.ts';
import { answerApi, visit } from './visit-tickets.tsx';

const user = userEvent.setup();
const PATH = '/orders/ord_1/confirmation';
const LIST = 'GET /api/orders/ord_1/shares';
const SEND = 'POST /api/orders/ord_1/shares';
const URL = 'http://tickets.ferry.localhost/shared_tickets/0123456789abcdefghjkmnpqrs';

const ahead = { departs_at: '2999-06-05T15:40:00Z', arrives_at: '2999-06-05T16:15:00Z' };
const order = buildOrder({
  legs: [buildLeg(ahead), buildLeg({ ...ahead, leg: 'back' })],
  tickets: [
    buildTicket(1, { title: 'Adult', traveler_name: 'Ada' }),
    buildTicket(2, { title: 'Adult', traveler_name: 'Grace' }),
    buildTicket(3, { id: 'tkt_3', title: 'Adult', traveler_name: 'Ada', leg: 'back', party_index: 1 }),
    buildTicket(4, { id: 'tkt_4', title: 'Adult', traveler_name: 'Grace', leg: 'back', party_index: 2 }),
  ],
});

function buildShare(over: Partial<CreatedTicketShare> = {}): CreatedTicketShare {
  return {
    id: 'tsh_1',
    ticket_ids: ['tkt_2', 'tkt_4'],
    name: 'Grace H.',
    email: 'g•••@example.com',
    inserted_at: '2026-06-01T12:00:00Z',
    url: URL,
    is_mailed: true,
    ...over,
  };
}

beforeEach(() => {
  openPage(`${TICKETS}${PATH}`);
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function openForm(answers: Parameters<typeof answerApi>[0]) {
  const api = answerApi({
    'GET /api/orders/ord_1': () => success(order),
    [LIST]: () => success([]),
    ...answers,
  });
  await visit(PATH);
  await user.click(await screen.findByText('Send a ticket to someone'));
  await screen.findByLabelText('Their name (optional)');
  return api;
}

test('the tickets of one person are sent, both journeys, and the sender sees to whom', async () => {
  const shares: CreatedTicketShare[] = [];
  const api = await openForm({
    [LIST]: () => success(shares),
    [SEND]: () => {
      shares.push(buildShare());
      return success(buildShare());
    },
  });
  await user.click(screen.getByRole('checkbox', { name: 'Grace, Adult' }));
  await user.type(screen.getByLabelText('Their name (optional)'), 'Grace H.');
  await user.type(screen.getByLabelText('Their email (optional)'), 'grace@example.com');
  await user.click(screen.getByRole('button', { name: 'Send by email' }));
  expect(await screen.findByText(/^Sent to grace@example.com/)).toBeDefined();
  expect(screen.getByText(URL)).toBeDefined();
  const [sent] = api.to(SEND);
  expect(sent?.body).toEqual({
    ticket_ids: ['tkt_2', 'tkt_4'],
    name: 'Grace H.',
    email: 'grace@example.com',
  });
  const list = await screen.findByRole('list', { name: 'Sent tickets' });
  expect(within(list).getByText('Grace H.')).toBeDefined();
  expect(list.textContent).toContain('Grace, Adult (Outbound)');
});

test('one journey of a return trip can be sent, as a link to copy', async () => {
  const api = await openForm({ [SEND]: () => success(buildShare({ email: null, is_mailed: false })) });
  await user.click(screen.getByRole('checkbox', { name: 'Grace, Adult' }));
  await user.click(screen.getByRole('checkbox', { name: 'Return' }));
  await user.click(screen.getByRole('button', { name: 'Create a link' }));
  expect(await screen.findByText('The link is ready')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Copy link' })).toBeDefined();
  expect(api.to(SEND)[0]?.body).toEqual({ ticket_ids: ['tkt_2'] });
});

test('an address that received too many emails is said', async () => {
  await openForm({ [SEND]: () => success(buildShare({ email: null, is_mailed: false })) });
  await user.click(screen.getByRole('checkbox', { name: 'Grace, Adult' }));
  await user.type(screen.getByLabelText('Their email (optional)'), 'grace@example.com');
  await user.click(screen.getByRole('button', { name: 'Send by email' }));
  expect(await screen.findByText(/grace@example.com has received several of these emails/)).toBeDefined();
});

test('nothing is sent without a ticket, and not to a wrong address', async () => {
  const api = await openForm({});
  await user.click(screen.getByRole('button', { name: 'Create a link' }));
  expect(screen.getByText('Choose whose tickets to send.')).toBeDefined();
  await user.click(screen.getByRole('checkbox', { name: 'Ada, Adult' }));
  await user.type(screen.getByLabelText('Their email (optional)'), 'grace@');
  await user.click(screen.getByRole('button', { name: 'Send by email' }));
  expect(screen.getByText('Enter an email address, like name@example.com.')).toBeDefined();
  expect(api.to(SEND)).toHaveLength(0);
});

test('sent tickets are taken back after a question', async () => {
  let shares = [buildShare()];
  const TAKE_BACK = 'DELETE /api/orders/ord_1/shares/tsh_1';
  const api = await openForm({
    [LIST]: () => success(shares),
    [TAKE_BACK]: () => {
      shares = [];
      return success(null);
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Take back from Grace H.' }));
  expect(api.to(TAKE_BACK)).toHaveLength(0);
  await user.click(screen.getByRole('button', { name: /^Take back what you sent/ }));
  expect(await screen.findByText(/^The tickets are taken back/)).toBeDefined();
  expect(api.to(TAKE_BACK)).toHaveLength(1);
  await vi.waitFor(() => expect(screen.queryByRole('list', { name: 'Sent tickets' })).toBeNull());
});

test('nothing is offered once the trip is over or the order is canceled', async () => {
  for (const over of [
    { legs: [buildLeg()] },
    { ...order, status: 'canceled' as const },
    { ...order, tickets: order.tickets.map((ticket) => ({ ...ticket, status: 'boarded' as const })) },
  ]) {
    answerApi({ 'GET /api/orders/ord_1': () => success(buildOrder(over)) });
    await visit(PATH);
    await screen.findByRole('heading', { level: 1, name: / → / });
    expect(screen.queryByText('Send a ticket to someone')).toBeNull();
    cleanup();
  }
});
