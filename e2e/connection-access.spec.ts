import { expect, type Page } from '@playwright/test';
import { BROKEN_REQUEST, ConnectionLayer, openPortal, whenWatched } from './pages/connection-layer.ts';
import { ORIGINS } from './support/addresses.ts';
import { expectAccessible, test } from './support/fixtures.ts';

test.use({ serviceWorkers: 'allow' });

test.beforeEach(({ complaints }) => {
  complaints.expected.push(BROKEN_REQUEST);
});

test('the covering layer is accessible, and the focus cannot leave it', async ({ page, visitor }) => {
  const layer = await openPortal(page, '/security');
  await layer.lose(visitor.api);
  await expect(layer.cover).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(layer.cover).toBeVisible();
  await layer.restore(visitor.api);
  await expectAccessible(page);
  const stops = await walk(page, 5);
  expect(stops.filter((stop) => stop !== 'Reload Page' && stop !== 'Keep working' && stop !== '')).toEqual(
    [],
  );
  expect(stops).toContain('Keep working');
  await layer.keepWorking.focus();
  await page.keyboard.press('Enter');
  await expect(layer.cover).toHaveCount(0);
});

test('the docked layer is accessible, takes no focus, and is reached after the page', async ({
  page,
  visitor,
}) => {
  const layer = await openPortal(page, '/trip_cards');
  const link = page.getByRole('link', { name: 'My Orders' });
  await link.focus();
  await layer.lose(visitor.api);
  await expect(layer.dock).toBeVisible();
  await expect(link).toBeFocused();
  await expectAccessible(page);
  const more = page.getByRole('button', { name: 'Show more' });
  await page.getByRole('contentinfo').getByRole('link').last().focus();
  await page.keyboard.press('Tab');
  await expect(more).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Show less' })).toBeFocused();
  await expectAccessible(page);
  await layer.restore(visitor.api);
  await expectAccessible(page);
});

test('nothing rotates with reduced motion', async ({ page, visitor }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const path of ['/trip_cards', '/account']) {
    const layer = await openPortal(page, path);
    await layer.lose(visitor.api);
    const running = await page.evaluate(
      () => document.getAnimations().filter(({ playState }) => playState === 'running').length,
    );
    expect(running, path).toBe(0);
    visitor.api.up();
  }
});

test('a visitor’s unfinished purchase is covered, and unchanged afterwards', async ({
  page,
  visitor,
  purchase,
}) => {
  const watched = whenWatched(page);
  await purchase.open();
  await watched;
  await purchase.showSailings();
  await purchase.chooseSailing();
  await purchase.keepPlaces();
  await page.getByLabel('Name').fill('Odile Sund');
  await page.getByLabel('Email').fill('odile@exam');
  const layer = new ConnectionLayer(page);
  await layer.lose(visitor.api);
  await expect(layer.cover).toBeVisible();
  await expect(page.getByRole('link', { name: /^See saved/ })).toHaveCount(0);
  await expectAccessible(page);
  await layer.restore(visitor.api);
  await layer.keepWorking.click();
  await expect(page.getByLabel('Email')).toBeFocused();
  await expect(page.getByLabel('Email')).toHaveValue('odile@exam');
  await expect(page.getByLabel('Name')).toHaveValue('Odile Sund');
});

test('tickets of a visitor stay visible', async ({ page, visitor }) => {
  const listed = page.waitForResponse(/\/api\/customers\/orders\?/);
  await openPortal(page, '/orders');
  const { data } = (await (await listed).json()) as { data: { id: string }[] };
  const watched = whenWatched(page);
  await page.goto(`${ORIGINS.tickets}/orders/${data[0]?.id}/confirmation`);
  await watched;
  const code = page.getByRole('img', { name: /^Ticket code/ }).first();
  await expect(code).toBeVisible();
  const layer = new ConnectionLayer(page);
  await layer.lose(visitor.api);
  await expect(layer.dock).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByRole('button', { name: 'Send the email again' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await code.scrollIntoViewIfNeeded();
  await expect(code).toBeInViewport({ ratio: 0.9 });
});

/** Presses Tab and returns the names of the focused elements; empty for the layer and the page itself. */
async function walk(page: Page, steps: number): Promise<string[]> {
  const stops: string[] = [];
  for (let step = 0; step < steps; step += 1) {
    await page.keyboard.press('Tab');
    stops.push(
      await page.evaluate(() => {
        const element = document.activeElement;
        return element?.matches('a, button, input') ? (element.textContent ?? '') : '';
      }),
    );
  }
  return stops;
}
