import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SharedTickets } from '#contract/orders/ticket-shares/schemas.ts';
import { camelCased } from '#web/platform/api/case-conversion.ts';
import { sharedTicketsQuery } from '#web/tickets/shared-tickets/shared-tickets-query.ts';
import { buildLeg, buildTicket } from '../features/orders.ts';
import { openPage, success, TICKETS } from '../platform/page.ts';
import { answerApi, refusal, visit } from './visit-tickets.tsx';

const TOKEN = '0123456789abcdefghjkmnpqrs';
const PATH = `/shared_tickets/${TOKEN}`;
const CALL = `GET /api/shared_tickets/${TOKEN}`;

beforeEach(() => {
  openPage(TICKETS + PATH);
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  vi.unstubAllGlobals();
});

function buildShared(over: Partial<SharedTickets> = {}): SharedTickets {
  const departsAt = new Date(Date.now() + 3 * 3_600_000).toISOString();
  const arrivesAt = new Date(Date.now() + 4 * 3_600_000).toISOString();
  return {
    reference: '2NWB-2WMB',
    legs: [buildLeg({ departs_at: departsAt, arrives_at: arrivesAt })],
    tickets: [buildTicket(2, { traveler_name: 'Grace' })],
    notice: '',
    as_of: '2026-06-01T12:00:00Z',
    ...over,
  };
}
const unknown = () => refusal('not_found', 'We could not find that. It may have been removed.');

test('a link shows its ticket with code and files, and keeps it on this device', async () => {
  answerApi({ [CALL]: () => success(buildShared()) });
  const { client } = await visit(PATH);
  expect(await screen.findByRole('heading', { name: 'Your ticket' })).toBeDefined();
  expect(screen.getByText('Grace')).toBeDefined();
  expect(screen.getAllByRole('img', { name: /^Ticket code/ })).toHaveLength(1);
  const addresses = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(addresses).toContain(`/api/shared_tickets/${TOKEN}/tickets.pdf`);
  expect(addresses).toContain(`/api/shared_tickets/${TOKEN}/calendar.ics`);
  expect(screen.queryByText(/Price|Contact|\$/)).toBeNull();
  const saved = client.getQueryCache().find({ queryKey: sharedTicketsQuery(TOKEN).queryKey });
  expect(saved?.meta?.persist).toBe('device');
});

test('a changed sailing is said, and canceled tickets are not to be used', async () => {
  const notice = 'Your sailing has changed. Check the times on this page. Your ticket stays valid.';
  answerApi({ [CALL]: () => success(buildShared({ notice })) });
  await visit(PATH);
  expect(await screen.findByText(notice)).toBeDefined();
  cleanup();
  answerApi({ [CALL]: () => success(buildShared({ tickets: [buildTicket(2, { status: 'canceled' })] })) });
  await visit(PATH);
  expect(await screen.findByText(/Do not travel with this ticket/)).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Tickets as PDF' })).toBeNull();
});

test('a saved ticket that was taken back meanwhile says so, and its code disappears', async () => {
  answerApi({ [CALL]: unknown });
  const view = await visit('/404');
  view.client.setQueryData(sharedTicketsQuery(TOKEN).queryKey, camelCased(buildShared()), { updatedAt: 1 });
  await view.router.navigate(PATH);
  expect(await screen.findByRole('heading', { name: 'These tickets were taken back' })).toBeDefined();
  expect(screen.queryByRole('img', { name: /^Ticket code/ })).toBeNull();
});

test('the home page lists saved tickets that another person sent, until they are known to be taken back', async () => {
  answerApi({ [CALL]: unknown });
  const view = await visit('/404');
  const car = buildTicket(3, { kind: 'vehicle', title: 'Car, 5KJH 220' });
  const shared = buildShared({ tickets: [buildTicket(2), car] });
  view.client.setQueryData(sharedTicketsQuery(TOKEN).queryKey, camelCased(shared), { updatedAt: 1 });
  await view.router.navigate('/');
  const card = (await screen.findByRole('link', { name: /2NWB-2WMB$/ })).closest('article') as HTMLElement;
  expect(within(card).getByRole('link').getAttribute('href')).toBe(PATH);
  expect(within(card).getByText('1 traveler, 1 vehicle')).toBeDefined();
  expect(within(card).getByText('Sent to you')).toBeDefined();
  await view.router.navigate(PATH);
  expect(await screen.findByRole('heading', { name: 'These tickets were taken back' })).toBeDefined();
  await view.router.navigate('/');
  await screen.findByRole('heading', { name: 'Purchase tickets' });
  await waitFor(() => expect(screen.queryByText('Your tickets on this device')).toBeNull());
});

test('a link that this device does not know may be incomplete or taken back', async () => {
  answerApi({ [CALL]: unknown });
  await visit(PATH);
  expect(await screen.findByRole('heading', { name: 'This link opens no tickets' })).toBeDefined();
});
