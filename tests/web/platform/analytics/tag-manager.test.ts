import { beforeEach, describe, expect, test, vi } from 'vitest';
import { buildPageConfig, openPage, TICKETS } from '../page.ts';

const ORDER_ID = 'ord_0123456789abcdefghjkmnpqrs';
const ORDER = { reference: 'K7M4QX', total: 1275, currency: 'USD' };

/** Analytics are begun once per page, so each test gets a page of its own. */
async function begin(containers: { tickets?: string; portal?: string }, url = `${TICKETS}/`) {
  vi.resetModules();
  Reflect.deleteProperty(window, 'dataLayer');
  const { providePageConfig } = await import('#web/platform/page-config.ts');
  const base = buildPageConfig({ host: url.startsWith(TICKETS) ? 'tickets' : 'portal' });
  const analytics = {
    tickets_container_id: containers.tickets ?? null,
    portal_container_id: containers.portal ?? null,
    recorder_site_id: null,
  };
  providePageConfig({ ...base, settings: { ...base.settings, analytics } });
  return import('#web/platform/analytics/tag-manager.ts');
}

const pushed = () => (Reflect.get(window, 'dataLayer') ?? []) as Record<string, unknown>[];
const completed = () => pushed().filter(({ event }) => event === 'order-completed');
const scripts: string[] = [];

describe('analytics', () => {
  beforeEach(() => {
    openPage(`${TICKETS}/orders/${ORDER_ID}/confirmation`);
    scripts.length = 0;
    // Kept out of the page: nothing may really be fetched here.
    vi.spyOn(document.head, 'append').mockImplementation((...nodes) => {
      for (const node of nodes) if (node instanceof HTMLScriptElement) scripts.push(node.src);
    });
  });

  test('load nothing and push nothing where this host has no container', async () => {
    const { initAnalytics, pushOrderCompleted } = await begin({ portal: 'GTM-P' });
    initAnalytics();
    pushOrderCompleted(ORDER);
    expect(scripts).toEqual([]);
    expect(pushed()).toEqual([]);
  });

  test('load this host’s container once', async () => {
    const { initAnalytics } = await begin({ tickets: 'GTM-T', portal: 'GTM-P' });
    initAnalytics();
    initAnalytics();
    expect(scripts).toEqual(['https://www.googletagmanager.com/gtm.js?id=GTM-T']);
  });

  test('push an order’s completion only after they were begun', async () => {
    const { initAnalytics, pushOrderCompleted } = await begin({ tickets: 'GTM-T' });
    pushOrderCompleted(ORDER);
    expect(completed()).toEqual([]);
    initAnalytics();
    pushOrderCompleted(ORDER);
    expect(completed()).toEqual([{ event: 'order-completed', order_id: 'K7M4QX', order_total: '12.75' }]);
  });

  test('push an order’s completion once, however often its page is opened', async () => {
    for (let visit = 0; visit < 2; visit += 1) {
      const { initAnalytics, pushOrderCompleted } = await begin({ tickets: 'GTM-T' });
      initAnalytics();
      pushOrderCompleted(ORDER);
      pushOrderCompleted(ORDER);
      expect(completed()).toHaveLength(visit === 0 ? 1 : 0);
    }
  });

  test('write the total as the currency counts', async () => {
    const { initAnalytics, pushOrderCompleted } = await begin({ tickets: 'GTM-T' });
    initAnalytics();
    pushOrderCompleted({ reference: 'A', total: 1200, currency: 'JPY' });
    pushOrderCompleted({ reference: 'B', total: 5, currency: 'EUR' });
    expect(completed().map(({ order_total }) => order_total)).toEqual(['1200', '0.05']);
  });

  test('never hold the id that opens an order', async () => {
    const { initAnalytics, pushOrderCompleted } = await begin({ tickets: 'GTM-T' });
    initAnalytics();
    pushOrderCompleted(ORDER);
    expect(JSON.stringify(pushed())).not.toContain(ORDER_ID);
  });
});
