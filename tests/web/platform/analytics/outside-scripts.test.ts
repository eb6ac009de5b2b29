import { beforeEach, describe, expect, test } from 'vitest';
import { fillPath, portalPages, ticketPages } from '#contract/paths.ts';
import { PORTAL, TICKETS } from '../page.ts';
import { openDocument, resetDocuments } from './open-document.ts';

const ALL = { tickets_container_id: 'GTM-T', portal_container_id: 'GTM-P', recorder_site_id: '4711' };
const CONFIRMATION = fillPath(ticketPages.confirmation, { id: 'ord_0123456789abcdefghjkmnpqrs' });
const OPEN: readonly string[] = [
  portalPages.home,
  portalPages.orders,
  portalPages.tripCards,
  portalPages.tripCardBalance,
  portalPages.tripCardTopUps,
  portalPages.notFound,
];
const PRIVATE = Object.values(portalPages).filter((path) => !OPEN.includes(path));

beforeEach(resetDocuments);

describe('third-party scripts', () => {
  test.each(PRIVATE)('never run on the portal page %s', async (path) => {
    const page = openDocument(PORTAL + path.replace(/\{\w+\}/, 'secret'), ALL);
    await page.start();
    expect(page.scripts).toEqual([]);
  });

  test('never run on a confirmation, because its address opens the order', async () => {
    const page = openDocument(TICKETS + CONFIRMATION, ALL);
    await page.start();
    expect(page.scripts).toEqual([]);
  });

  test('do not start in a document that opened at a private address, because they could read that address', async () => {
    const page = openDocument(`${PORTAL}/sign_in`, ALL);
    expect(page.enter('/orders')).toBe(false);
    await page.start();
    expect(page.scripts).toEqual([]);
  });

  test('do not start if the customer opens a private page while they load', async () => {
    const page = openDocument(`${TICKETS}/`, ALL);
    const starting = page.start();
    expect(page.enter(CONFIRMATION)).toBe(false);
    await starting;
    expect(page.scripts).toEqual([]);
  });

  test.each(PRIVATE)('make %s open as a new document once they run', async (path) => {
    const page = openDocument(`${PORTAL}/orders`, ALL);
    await page.start();
    expect(page.scripts).toHaveLength(2);
    expect(page.enter('/trip_cards/trc_1/balance')).toBe(false);
    expect(page.enter(path)).toBe(true);
  });

  test('are not loaded, and need no new document, if none is configured', async () => {
    const page = openDocument(`${TICKETS}/`, {});
    await page.start();
    expect(page.scripts).toEqual([]);
    expect(page.enter(CONFIRMATION)).toBe(false);
  });
});
