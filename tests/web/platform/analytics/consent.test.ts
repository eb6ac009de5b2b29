import { afterEach, beforeEach, expect, test } from 'vitest';
import { storeDecision } from '#web/platform/analytics/consent.ts';
import { CONSENT_COOKIE, findDecision } from '#web/platform/analytics/consent-decision.ts';
import { removeCookie } from '#web/platform/session/cookies.ts';
import { TICKETS } from '../page.ts';
import { openDocument, resetDocuments } from './open-document.ts';

const HOME = `${TICKETS}/`;
const ASKING = { tickets_container_id: 'GTM-T', requires_consent: true };

beforeEach(resetDocuments);
afterEach(() => removeCookie(CONSENT_COOKIE));

test('nothing loads and nothing is counted before the visitor consents', async () => {
  const page = openDocument(HOME, ASKING);
  expect(await page.start()).toBe(true);
  page.orderCompleted({ reference: 'A', total: 1200, currency: 'USD' });
  expect(page.scripts).toEqual([]);
  expect({ ...localStorage, ...sessionStorage }).toEqual({});
});

test('consent starts the scripts, also in later documents, without another question', async () => {
  const page = openDocument(HOME, ASKING);
  storeDecision('given');
  expect(await page.start()).toBe(false);
  expect(page.scripts).toHaveLength(1);
  const next = openDocument(HOME, ASKING);
  expect(await next.start()).toBe(false);
  expect(next.scripts).toHaveLength(1);
});

test('a refusal is remembered, starts nothing and deletes the cookies of the scripts', async () => {
  const page = openDocument(HOME, ASKING);
  // biome-ignore lint/suspicious/noDocumentCookie: as the scripts set it
  document.cookie = '_ga=GA1.1; path=/';
  storeDecision('refused');
  expect(document.cookie).not.toContain('_ga');
  expect(await page.start()).toBe(false);
  expect(page.scripts).toEqual([]);
  expect(findDecision()).toBe('refused');
});

test('consent of an earlier visit does not override Global Privacy Control', async () => {
  const page = openDocument(HOME, ASKING, true);
  storeDecision('given');
  expect(await page.start()).toBe(false);
  expect(page.scripts).toEqual([]);
});

test.each([
  ['nothing is configured for the host', HOME, { portal_container_id: 'GTM-P', requires_consent: true }],
  ['the operator requires no consent', HOME, { tickets_container_id: 'GTM-T', requires_consent: false }],
  ['the browser sends Global Privacy Control', HOME, ASKING, true],
  ['the page is private', `${TICKETS}/shared_tickets/x`, ASKING],
])('the visitor is not asked if %s', async (_, url, analytics, isObjectedTo = false) => {
  expect(await openDocument(url, analytics, isObjectedTo).start()).toBe(false);
});
