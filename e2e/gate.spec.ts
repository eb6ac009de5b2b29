import { expect, type Page } from '@playwright/test';
import { api } from '#contract/api.ts';
import { BROKEN_REQUEST, ConnectionLayer, openPortal, whenWatched } from './pages/connection-layer.ts';
import { ORIGINS } from './support/addresses.ts';
import { expectAccessible, test } from './support/fixtures.ts';
import { expectReadableEverywhere, expectReadableOnSmallScreens, readCodes } from './support/read-code.ts';
import { expectSettled, NO_NETWORK, openCold, openListedOrder, workerReady } from './support/saved.ts';

test.use({ serviceWorkers: 'allow' });

type SavedOrder = {
  id: string;
  reference: string;
  tickets: { barcode: { payload: string } }[];
  party_codes: { barcode: { payload: string } }[];
};

/** The customer's next order with several tickets, from the API. */
async function findPartyOrder(page: Page): Promise<SavedOrder> {
  return page.evaluate(async (path) => {
    const [, token] = /my-session=([^;]+)/.exec(document.cookie) ?? [];
    const options = { headers: { authorization: `Bearer ${token}` } };
    const read = async (address: string) => (await (await fetch(address, options)).json()).data;
    const upcoming = (await read(path)).filter(({ status }: { status: string }) => status === 'confirmed');
    for (const { id } of upcoming) {
      const order = await read(`${path}/${id}`);
      if (order.party_codes.length > 0 && Date.parse(order.legs[0].departs_at) > Date.now()) return order;
    }
    throw new Error('The demo customer has no party to come.');
  }, api.listOrders.path);
}

const RESTORED = "We're able to connect to the server again. Please reload the page.";

test.beforeEach(({ complaints }) => {
  complaints.expected.push(BROKEN_REQUEST, NO_NETWORK);
});

test('every code of the portal is read from the screen without a connection, and when it is back', async ({
  page,
  visitor,
}) => {
  test.setTimeout(150_000);
  await page.emulateMedia({ colorScheme: 'dark' });
  // Each response has a different code. The screen can request one before the link is pressed.
  const cardCodes: string[] = [];
  page.on('response', async (response) => {
    if (!response.url().endsWith('/offline_code') || !response.ok()) return;
    cardCodes.push(((await response.json()) as { data: { payload: string } }).data.payload);
  });
  const layer = await openPortal(page, '/trip_cards');
  await page
    .getByRole('link', { name: /^Show code of/ })
    .first()
    .click();
  const card = page.getByRole('img', { name: /^Code of/ });
  await expect(card).toBeVisible();
  await expectAccessible(page);
  await layer.lose(visitor.api);
  await expectReadableEverywhere(page, card, cardCodes);
  await layer.restore(visitor.api);
  const beside = [layer.reload, page.getByText(RESTORED)];
  await expectReadableOnSmallScreens(page, card, cardCodes, { beside });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('link', { name: /^Show code of/ }).first()).toBeFocused();
  await layer.dismiss();

  const order = await findPartyOrder(page);
  const party = order.party_codes[0]?.barcode.payload ?? '';
  await page.getByRole('link', { name: 'My Orders' }).click();
  await openListedOrder(page.locator(`[data-order="${order.reference}"]`));
  const code = page.getByRole('img', { name: /^Ticket code/ }).first();
  await expect(code).toBeVisible();
  await layer.lose(visitor.api);
  const line = layer.dock.locator('> div');
  await expect(line).toContainText(/^Connection Lost· saved \d+:\d\d [AP]M/);
  expect((await line.boundingBox())?.height).toBeLessThanOrEqual(56);
  await expectReadableEverywhere(page, code, [party]);
  await layer.restore(visitor.api);
  await expectReadableEverywhere(page, code, [party], { beside });
  await layer.dismiss();

  await code.click();
  const view = page.getByRole('dialog', { name: 'Your tickets' });
  await expect(view).toBeVisible();
  await expect(page).toHaveURL(/show=tickets/);
  await expectAccessible(page);
  await expect.poll(() => readCodes(page)).toEqual([party]);
  await layer.lose(visitor.api);
  const first = view.getByRole('img', { name: /^Ticket code/ }).first();
  await expectReadableEverywhere(page, first, [party]);
  await page.goBack();
  await expect(view).toHaveCount(0);
  await expect(code).toBeVisible();
  visitor.api.up();
});

test('the tickets of a visitor’s browser open full screen from its first screen, also from a cold start offline', async ({
  page,
  visitor,
}) => {
  test.setTimeout(150_000);
  await openPortal(page, '/orders');
  const order = await findPartyOrder(page);
  const party = order.party_codes[0]?.barcode.payload ?? '';
  const [ticket] = order.tickets;
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${ORIGINS.portal}/orders?show=next`);
  await expect(page.getByRole('dialog', { name: 'Your tickets' })).toBeVisible();
  await workerReady(page);
  await expectSettled(page, { api: visitor.api });
  visitor.api.stop();
  const cold = await openCold(page);
  await cold.goto(`${ORIGINS.portal}/orders?show=next`);
  await expect(cold.getByRole('heading', { name: 'Connection Lost' })).toBeVisible();
  await expect.poll(async () => (await readCodes(cold)).length).toBe(1);
  visitor.api.up();

  const layer = new ConnectionLayer(cold);
  const watched = whenWatched(cold);
  await cold.goto(`${ORIGINS.tickets}/orders/${order.id}/confirmation`);
  await watched;
  const code = cold.getByRole('img', { name: /^Ticket code/ }).first();
  await expect(code).toBeVisible();
  await expect(cold.getByText(/^Thank you/)).toHaveCount(0);
  await layer.lose(visitor.api);
  await expectReadableEverywhere(cold, code, [party]);
  await layer.restore(visitor.api);
  await expectReadableOnSmallScreens(cold, code, [party]);
  await layer.dismiss();

  await cold.goto(ORIGINS.tickets);
  await cold.getByRole('link', { name: 'Show tickets' }).click();
  const view = cold.getByRole('dialog', { name: 'Your tickets' });
  await expect(view).toBeVisible();
  await layer.lose(visitor.api);
  const everyone = view.getByRole('img', { name: /^Ticket code for/ }).first();
  await expectReadableEverywhere(cold, everyone, [party]);
  await layer.restore(visitor.api);
  await expectReadableOnSmallScreens(cold, everyone, [party]);
  await view.getByRole('button', { name: 'Next code' }).click();
  await expect.poll(() => readCodes(cold)).toContain(ticket?.barcode.payload);
  await view.getByRole('button', { name: 'Close' }).click();
  await expect(view).toHaveCount(0);
});
