import { act, waitFor } from '@testing-library/react';
import { hydrateRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Catalogue } from '#contract/catalogue/schemas.ts';
import { App } from '#web/app/app.tsx';
import { withRoot } from '#web/app/root.tsx';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { createAppRouter, loadScreens, whenReady } from '#web/platform/router/app-router.ts';
import { renderHome } from '#web/prerender.tsx';
import { openPurchase, PurchaseContext } from '#web/tickets/purchase.ts';
import { routes } from '#web/tickets/routes.tsx';
import { answerFetches, buildPageConfig, json, openPage, TICKETS } from './platform/page.ts';

const port = (id: string, name: string) => ({
  id,
  code: id,
  name,
  time_zone: 'America/Vancouver',
  lat: null,
  lon: null,
  address: '',
  step_free: 'unknown' as const,
  transfer_minutes: null,
});
const catalogue: Catalogue = {
  ports: [port('prt_a', 'Port Madrona'), port('prt_b', 'Heron Island')],
  routes: [
    {
      id: 'rte_ab',
      code: 'AB',
      name: 'Port Madrona – Heron Island',
      origin_port_id: 'prt_a',
      destination_port_id: 'prt_b',
      return_route_id: null,
      crossing_minutes: 35,
      carries_vehicles: false,
      carries_bicycles: false,
      max_vehicle_length_cm: null,
      max_vehicle_height_cm: null,
      from_amount: 925,
    },
  ],
  passenger_types: [
    {
      id: 'pty_a',
      code: 'adult',
      name: 'Adult',
      age_min: 19,
      age_max: 64,
      requires_proof: false,
      needs_adult: false,
      is_default: true,
    },
  ],
  vehicle_types: [],
  fare_classes: [],
  currency: 'USD',
  on_sale_from: '2026-11-01',
  on_sale_until: '2027-11-01',
  max_party: 20,
  terms_version: '1',
  as_of: '2026-11-21T08:00:00Z',
};
const home = { catalogue, notices: [], today: '2026-11-21', today_ends_at: '2026-11-22T08:00:00.000Z' };
const render = () => renderHome(buildPageConfig({ host: 'tickets' }), home, []);

beforeEach(() => {
  openPage(`${TICKETS}/`);
  answerFetches(() => json({}, 503));
});
afterEach(() => {
  document.body.replaceChildren();
  openPage();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('the prerendered home page is readable and contains no inline scripts or styles', () => {
  const html = render();
  expect(html).toContain('Purchase tickets');
  expect(html).toContain('Port Madrona');
  expect(html).not.toMatch(/<script|\son\w+=|\sstyle=/);
});

/** Hydrates the page's markup. Returns the date in the form. */
async function hydrateHome() {
  const container = document.createElement('div');
  container.innerHTML = render();
  document.body.append(container);
  const heading = container.querySelector('h1');
  const client = createQueryClient();
  const table = withRoot(routes);
  const router = createAppRouter(table, client, await loadScreens(table, '/'));
  await whenReady(router);
  const mismatches: unknown[] = [];
  let root: Root | undefined;
  await act(async () => {
    const app = (
      <PurchaseContext value={openPurchase()}>
        <App client={client} router={router} />
      </PurchaseContext>
    );
    root = hydrateRoot(container, app, { onRecoverableError: (error) => mismatches.push(error) });
  });
  await waitFor(() => expect(document.title).toBe('Purchase Tickets | Sound Ferries'));
  expect(mismatches).toEqual([]);
  expect(container.querySelector('h1')).toBe(heading);
  const outward = container.querySelector<HTMLInputElement>('#trip-out-date')?.value;
  await act(async () => root?.unmount());
  return { outward };
}

test.each([
  ['unchanged', '2026-11-21T20:00:00Z', '11/21/2026'],
  ['unchanged until the day ends at the port', '2026-11-22T07:59:59Z', '11/21/2026'],
  ['with the current day at the port if the markup is older', '2026-11-25T05:00:00Z', '11/24/2026'],
])('the app hydrates the home page’s markup %s', async (_, now, today) => {
  vi.setSystemTime(now);
  expect(await hydrateHome()).toEqual({ outward: today });
});
