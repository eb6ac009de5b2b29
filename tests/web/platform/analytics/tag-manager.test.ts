import { beforeEach, describe, expect, test } from 'vitest';
import { cardCurrencyCodes } from '#contract/payments/card-currencies.ts';
import { writeSample } from '#tests/factories/currencies.ts';
import { PORTAL, TICKETS } from '../page.ts';
import { openDocument, resetDocuments } from './open-document.ts';

const ORDER_ID = 'ord_0123456789abcdefghjkmnpqrs';
const ORDER = { id: ORDER_ID, reference: '2NWB-2WMB', total: 1275, currency: 'USD' };
const HOME = `${TICKETS}/`;
const CONTAINERS = { tickets_container_id: 'GTM-T', portal_container_id: 'GTM-P' };

beforeEach(resetDocuments);

describe('the tag manager', () => {
  test('loads nothing and receives no events on a host without a container', async () => {
    const page = openDocument(HOME, { portal_container_id: 'GTM-P' });
    await page.start();
    page.orderCompleted(ORDER);
    expect(page.scripts).toEqual([]);
    expect(page.pushed()).toEqual([]);
    expect({ ...localStorage, ...sessionStorage }).toEqual({});
  });

  test.each([
    ['tickets', HOME, 'GTM-T'],
    ['portal', `${PORTAL}/orders`, 'GTM-P'],
  ])('loads the container of the %s host and is initialized once', async (_, url, container) => {
    const page = openDocument(url, CONTAINERS);
    await page.start();
    await page.start();
    expect(page.scripts).toEqual([`https://www.googletagmanager.com/gtm.js?id=${container}`]);
    expect(page.pushed()).toEqual([{ 'gtm.start': expect.any(Number), event: 'gtm.js' }]);
  });

  test('is not loaded if the browser sends Global Privacy Control', async () => {
    const page = openDocument(HOME, CONTAINERS, true);
    await page.start();
    page.orderCompleted(ORDER);
    expect(page.scripts).toEqual([]);
    expect(page.pushed()).toEqual([]);
  });

  test('is not loaded once the operator has removed its container from the settings', async () => {
    const page = openDocument(HOME, CONTAINERS);
    page.settingsStore.set({
      loaded: true,
      isLocalRead: true,
      stored: { analytics: { tickets_container_id: null } },
    });
    await page.start();
    expect(page.scripts).toEqual([]);
  });

  test('is not loaded for a container newer than the page, whose policy does not allow it yet', async () => {
    const page = openDocument(HOME, {});
    page.settingsStore.set({
      loaded: true,
      isLocalRead: true,
      stored: { analytics: { tickets_container_id: 'GTM-NEW' } },
    });
    await page.start();
    expect(page.scripts).toEqual([]);
  });
});

describe('the order-completed event', () => {
  test('contains the reference and the total, but no id that opens the order', async () => {
    const page = openDocument(HOME, CONTAINERS);
    await page.start();
    page.orderCompleted(ORDER);
    expect(page.completed()).toEqual([
      { event: 'order-completed', order_id: '2NWB-2WMB', order_total: '12.75' },
    ]);
    expect(JSON.stringify(page.pushed())).not.toContain(ORDER_ID);
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toMatch(/ord_|2NWB/);
  });

  test('is pushed only once analytics have started', async () => {
    const page = openDocument(HOME, CONTAINERS);
    page.orderCompleted(ORDER);
    expect(page.pushed()).toEqual([]);
    await page.start();
    expect(page.completed()).toHaveLength(1);
  });

  test('is pushed once, by the next public page, if the order was completed on a private page', async () => {
    const confirmation = openDocument(`${TICKETS}/orders/${ORDER_ID}/confirmation`, CONTAINERS);
    await confirmation.start();
    confirmation.orderCompleted(ORDER);
    expect(confirmation.scripts).toEqual([]);
    const home = openDocument(HOME, CONTAINERS);
    await home.start();
    expect(home.completed()).toHaveLength(1);
    const again = openDocument(HOME, CONTAINERS);
    await again.start();
    expect(again.completed()).toEqual([]);
  });

  test('is pushed once per order, however often its page is opened', async () => {
    for (let visit = 0; visit < 2; visit += 1) {
      const page = openDocument(HOME, CONTAINERS);
      await page.start();
      page.orderCompleted(ORDER);
      page.orderCompleted(ORDER);
      expect(page.completed()).toHaveLength(visit === 0 ? 1 : 0);
    }
  });

  test('formats the total with the decimals of the currency', async () => {
    const page = openDocument(HOME, CONTAINERS);
    await page.start();
    for (const currency of cardCurrencyCodes) {
      page.orderCompleted({ reference: currency, total: 123_450, currency });
    }
    const totals = page.completed().map(({ order_total }) => order_total);
    expect(totals).toEqual(cardCurrencyCodes.map((code) => writeSample(code).replace(',', '')));
  });
});
