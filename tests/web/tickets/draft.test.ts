import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clearSession, renewToken, startSession } from '#web/platform/session/session.ts';
import { changeDraft, clearDraft, type Draft, draftStore, restoreDraft } from '#web/tickets/draft.ts';
import { openPage, TICKETS } from '../platform/page.ts';

const PERSON = {
  contact: { name: 'Ada Byron', email: 'ada@example.com', phone: '+15550100' },
  plate: 'GW 1843',
  travelerNames: { 'Adult 2': 'Augusta' },
};
const CHOICES = { hasSearched: true, fareClass: 'standard' };
const PLACES = {
  hold: { id: 'hld_1', expiresAt: '2026-06-05T15:00:00Z', canExtend: true, clockOffset: 0 },
  orderId: 'ord_1',
} satisfies Partial<Draft>;

beforeEach(() => {
  openPage(`${TICKETS}/`);
  clearDraft();
});
afterEach(() => {
  vi.useRealTimers();
  clearDraft();
  openPage();
});

const stored = () => sessionStorage.getItem('purchase') ?? '';
const leave = () => window.dispatchEvent(new Event('pagehide'));
/** The page that is loaded in this one's place. */
const load = () => {
  restoreDraft();
  window.dispatchEvent(new Event('pageshow'));
  return draftStore.get();
};

test('while the page is in use its storage says what is bought, and not by whom', () => {
  changeDraft({ ...CHOICES, ...PERSON });
  expect(stored()).toContain('standard');
  expect(stored()).not.toMatch(/Ada|ada@|5550100|GW 1843|Augusta/);
});

test('who is buying is found by the page that follows, and taken out of the storage again', () => {
  changeDraft({ ...CHOICES, ...PERSON, ...PLACES });
  leave();
  expect(load()).toMatchObject({ ...CHOICES, ...PERSON, ...PLACES });
  expect(stored()).not.toContain('Ada');
});

test('a tab that may be thrown away unseen keeps all of it until it is looked at again', () => {
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  changeDraft(PERSON);
  expect(stored()).toContain('Ada');
  visibility.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  expect(stored()).not.toContain('Ada');
});

test('after a sign-out the choices are left, and nothing of who made them', () => {
  startSession('gw_ada');
  changeDraft({ ...CHOICES, ...PERSON, ...PLACES });
  void clearSession();
  expect(draftStore.get()).toMatchObject({
    ...CHOICES,
    hold: null,
    orderId: null,
    plate: '',
    travelerNames: {},
  });
  expect(draftStore.get().contact).toEqual({ name: '', email: '', phone: '' });
  expect(draftStore.get().lapse).toContain('You were signed out');
  leave();
  expect(stored()).not.toMatch(/Ada|Augusta|hld_1|ord_1/);
});

test('a page that was not there at the sign-out finds no more than that either', () => {
  startSession('gw_ada');
  changeDraft({ ...CHOICES, ...PERSON, ...PLACES });
  leave();
  const left = stored();
  startSession('gw_bob');
  clearDraft();
  sessionStorage.setItem('purchase', left);
  expect(load()).toMatchObject({ ...CHOICES, orderId: null, contact: { name: '' } });
  expect(draftStore.get().travelerNames).toEqual({});
});

test('a payment that was sent is still found out about, so that nobody pays twice', () => {
  startSession('gw_ada');
  changeDraft({ ...PERSON, ...PLACES, isPaymentOpen: true });
  void clearSession();
  expect(draftStore.get()).toMatchObject({ orderId: 'ord_1', isPaymentOpen: true, contact: { name: '' } });
});

test('a step-up, which the portal asked for meanwhile, leaves the places and who is buying alone', () => {
  startSession('gw_ada');
  changeDraft({ ...CHOICES, ...PERSON, ...PLACES });
  leave();
  renewToken('gw_ada_again');
  expect(load()).toMatchObject({ ...CHOICES, ...PERSON, ...PLACES });
});

test('a visitor who signs in goes on with what they typed', () => {
  changeDraft({ ...CHOICES, ...PERSON });
  leave();
  renewToken('gw_ada');
  expect(load()).toMatchObject(PERSON);
});

test('after half an hour a tab that is opened again no longer knows who was buying', () => {
  vi.useFakeTimers();
  changeDraft({ ...CHOICES, ...PERSON });
  leave();
  vi.setSystemTime(Date.now() + 31 * 60_000);
  expect(load()).toMatchObject({ ...CHOICES, contact: { name: '' }, plate: '' });
  expect(draftStore.get().travelerNames).toEqual({});
});
