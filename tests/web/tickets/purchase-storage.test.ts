import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearSession, renewToken, startSession } from '#web/platform/session/session.ts';
import type { Draft } from '#web/tickets/purchase.ts';
import { openPage, TICKETS } from '../platform/page.ts';
import { changeDraft, currentDraft, leavePage } from './visit-tickets.tsx';

const PERSON = {
  contact: { name: 'Ada Byron', email: 'ada@example.com', phone: '+15550100' },
  plate: 'GW 1843',
  travelerNames: { 'Adult 2': 'Augusta' },
  assistance: { 'Adult 2': { needs: ['wheelchair' as const], note: '' } },
};
const CHOICES = { hasSearched: true, fareClass: 'standard' };
const PLACES = {
  hold: { id: 'hld_1', expiresAt: '2026-06-05T15:00:00Z', canExtend: true, clockOffset: 0 },
  orderId: 'ord_1',
  buyerSecret: 'made_it',
} satisfies Partial<Draft>;

beforeEach(() => {
  openPage(`${TICKETS}/`);
});
afterEach(() => {
  vi.useRealTimers();
  openPage();
});

const stored = () => sessionStorage.getItem('purchase') ?? '';

test('the storage of a visible page contains the choices but no personal data', () => {
  changeDraft({ ...CHOICES, ...PERSON });
  expect(stored()).toContain('standard');
  expect(stored()).not.toMatch(/Ada|ada@|5550100|GW 1843|Augusta/);
});

test('the next page restores personal data and removes it from the storage', () => {
  changeDraft({ ...CHOICES, ...PERSON, ...PLACES });
  leavePage();
  expect(currentDraft()).toMatchObject({ ...CHOICES, ...PERSON, ...PLACES });
  expect(stored()).not.toContain('Ada');
});

test('a hidden page stores personal data until it becomes visible', () => {
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  changeDraft(PERSON);
  expect(stored()).toContain('Ada');
  visibility.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(stored()).not.toContain('Ada');
});

test('signing out keeps the choices and removes everything about the customer', () => {
  startSession('gw_ada');
  changeDraft({ ...CHOICES, ...PERSON, ...PLACES });
  void clearSession();
  expect(currentDraft()).toMatchObject({
    ...CHOICES,
    hold: null,
    orderId: null,
    plate: '',
    travelerNames: {},
    assistance: {},
  });
  expect(currentDraft().contact).toEqual({ name: '', email: '', phone: '' });
  expect(currentDraft().notice).toContain('You were signed out');
  leavePage();
  expect(stored()).not.toMatch(/Ada|Augusta|hld_1|ord_1|made_it/);
});

test('a page opened after another customer signed in restores only the choices', () => {
  startSession('gw_ada');
  changeDraft({ ...CHOICES, ...PERSON, ...PLACES });
  leavePage();
  const left = stored();
  startSession('gw_bob');
  sessionStorage.setItem('purchase', left);
  expect(currentDraft()).toMatchObject({ ...CHOICES, orderId: null, contact: { name: '' } });
  expect(currentDraft()).toMatchObject({ travelerNames: {}, assistance: {} });
});

test('signing out keeps a pending payment, so that the customer does not pay twice', () => {
  startSession('gw_ada');
  changeDraft({ ...PERSON, ...PLACES, isPaymentOpen: true });
  void clearSession();
  expect(currentDraft()).toMatchObject({ orderId: 'ord_1', isPaymentOpen: true, contact: { name: '' } });
});

test('a step-up in the portal keeps the places and the personal data', () => {
  startSession('gw_ada');
  changeDraft({ ...CHOICES, ...PERSON, ...PLACES });
  leavePage();
  renewToken('gw_ada_again');
  expect(currentDraft()).toMatchObject({ ...CHOICES, ...PERSON, ...PLACES });
});

test('a visitor who signs in keeps what they typed', () => {
  changeDraft({ ...CHOICES, ...PERSON });
  leavePage();
  renewToken('gw_ada');
  expect(currentDraft()).toMatchObject(PERSON);
});

test('a tab reopened after half an hour has no personal data', () => {
  vi.useFakeTimers();
  changeDraft({ ...CHOICES, ...PERSON });
  leavePage();
  vi.setSystemTime(Date.now() + 31 * 60_000);
  expect(currentDraft()).toMatchObject({ ...CHOICES, contact: { name: '' }, plate: '' });
  expect(currentDraft()).toMatchObject({ travelerNames: {}, assistance: {} });
});
