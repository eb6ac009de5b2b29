import { expect, type Page } from '@playwright/test';
import { expectFitsLargeText } from './pages/text-overflow.ts';
import { ORIGINS } from './support/addresses.ts';
import { expectAccessibleInBothSchemes, test } from './support/fixtures.ts';

/*
 * The pages of the ticket host that the server writes without the app, and the header that they share with it.
 */

const PAGES = ['/routes', '/routes/MAD-HER', '/help'];
const PLACES = ['/vessels/mv-tidewater', '/terminals/MAD'];
const SCREENS = ['/', '/departures'];

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the pages of routes and help are complete, and lead to the purchase', async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${ORIGINS.tickets}/routes`);
    await page.getByRole('link', { name: 'Port Madrona to Heron Island' }).click();
    await expect(page.getByRole('columnheader').first()).toHaveText('Departs');
    await expect(page.getByRole('rowheader').first()).toBeVisible();
    await expect(page.getByRole('link', { name: 'Buy tickets' })).toHaveAttribute(
      'href',
      '/?from=MAD&to=HER',
    );
    await page.getByRole('link', { name: 'MV Tidewater' }).first().click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('MV Tidewater');
    await page.goBack();
    await page.getByRole('link', { name: 'Port Madrona ferry terminal' }).click();
    await expect(page.getByText('1 Ferry Dock Road')).toBeVisible();
    await page.getByRole('link', { name: 'Help' }).first().click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Help');
    await page.getByRole('link', { name: 'Deutsch' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hilfe');
  });
});

test('the header of wide screens has the same links on every page, and marks the current one', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const current: string[] = [];
  for (const path of [...SCREENS, ...PAGES]) {
    await page.goto(ORIGINS.tickets + path);
    const links = page.getByRole('navigation', { name: 'Main menu' }).getByRole('link');
    await expect(links).toHaveText(['Book', 'Departures', 'Routes', 'Help']);
    current.push(...(await links.and(page.locator('[aria-current="page"]')).allTextContents()));
  }
  expect(current).toEqual(['Book', 'Departures', 'Routes', 'Routes', 'Help']);
});

test('on a phone the footer has the links that do not fit the header', async ({ page }) => {
  for (const path of ['/departures', '/help']) {
    await page.goto(ORIGINS.tickets + path);
    await expect(page.getByRole('navigation', { name: 'Main menu' })).toBeHidden();
    for (const name of ['Departures today', 'Routes', 'Help'])
      await expect(page.getByRole('contentinfo').getByRole('link', { name, exact: true })).toBeVisible();
  }
});

test('no page scrolls sideways on any screen or with text of twice the size, and each is accessible', async ({
  page,
}) => {
  for (const path of [...PAGES, ...PLACES]) {
    await page.goto(ORIGINS.tickets + path);
    for (const width of [320, 390, 768, 900, 1280, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await measureOverhang(page), `${path} at ${width} pixels`).toBe(0);
    }
    await expectAccessibleInBothSchemes(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectFitsLargeText(page);
  }
});

test('the pictures of a boat and a terminal load from the server, and their pages are accessible on phones and laptops', async ({
  page,
}) => {
  for (const path of PLACES) {
    await page.goto(ORIGINS.tickets + path);
    const picture = page.getByRole('main').getByRole('img').and(page.locator('[src]'));
    await picture.scrollIntoViewIfNeeded();
    await expect(picture).toHaveJSProperty('naturalWidth', 960);
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const box = await picture.boundingBox();
      expect((box?.width ?? 0) / (box?.height ?? 1), `${path} at ${width} pixels`).toBeCloseTo(960 / 540, 1);
      await expectAccessibleInBothSchemes(page);
    }
  }
});

function measureOverhang(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
