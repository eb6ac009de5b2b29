import { expect, type Page } from '@playwright/test';
import { portalPages } from '#contract/paths.ts';
import { ORIGINS } from './support/addresses.ts';
import { expectAccessible, expectAccessibleInBothSchemes, send } from './support/fixtures.ts';
import { test } from './support/gallery-page.ts';

const LOGO = `${ORIGINS.storage}/public/island-ferries.svg`;
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#fff"/></svg>';
const TEAL = 'rgb(13, 125, 91)';

/** Possible accents of operators: vivid, pale, dark, gray, and an invalid color. */
const ACCENTS = [
  ...Array.from({ length: 12 }, (_, at) => `hsl(${at * 30} 100% 50%)`),
  ...Array.from({ length: 6 }, (_, at) => `hsl(${at * 60} 70% 25%)`),
  ...Array.from({ length: 6 }, (_, at) => `hsl(${at * 60 + 30} 80% 85%)`),
  ...['#000000', '#ffffff', '#777777', '#808080', 'rebeccapurple', 'no color at all'],
];

test('both hosts show the brand of another operator’s settings', async ({ page, visitor }) => {
  const { body } = await send(ORIGINS.tickets, 'GET', '/api/settings/web');
  const ours = body.data as Record<string, object>;
  const brand = { name: 'Island Ferries', accent: TEAL, logo_url: LOGO, tagline: 'Home by sea.' };
  const headers = { 'access-control-allow-origin': '*' };
  visitor.api.on('/public/settings/web.json', { status: 200, headers, body: { ...ours, brand } });
  visitor.api.on('/public/island-ferries.svg', (_, outgoing) => {
    outgoing.writeHead(200, { ...headers, 'content-type': 'image/svg+xml' }).end(PICTURE);
  });
  for (const { address, title } of [
    { address: ORIGINS.tickets, title: 'Purchase Tickets | Island Ferries' },
    { address: ORIGINS.portal + portalPages.askForReset, title: 'Reset Password | Island Ferries' },
  ]) {
    await page.goto(address);
    await expect(page).toHaveTitle(title);
    const header = page.getByRole('banner');
    await expect(header.getByRole('link', { name: 'Island Ferries' })).toBeVisible();
    const logo = header.locator('img');
    await expect(logo).toHaveAttribute('src', LOGO);
    await expect
      .poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0);
    const main = page.getByRole('main').locator('button[class*="primary"]').first();
    await expect(main).toHaveCSS('background-color', TEAL);
    await expectAccessibleInBothSchemes(page);
  }
  await page.addInitScript(() => {
    CSS.supports = () => false;
  });
  await page.goto(ORIGINS.tickets);
  expect(await removeRelativeColors(page)).toBe(1);
  await expect(page.getByRole('button', { name: 'Show sailings' })).toHaveCSS('color', 'rgb(255, 255, 255)');
  await expectAccessible(page);
});

test('text on and in any accent color keeps a contrast of 4.5 to 1, in light and dark', async ({
  gallery,
}) => {
  // Each accent is computed again for everything that is shown.
  await gallery
    .locator('[data-section]:not(:has([data-pair]))')
    .evaluateAll((sections) => sections.forEach((section) => void section.remove()));
  expect(await poorPairs(gallery)).toEqual([]);
  expect(await removeRelativeColors(gallery)).toBeGreaterThan(0);
  // The gallery's accents do not come from the settings, which choose the text on them.
  expect((await poorPairs(gallery)).filter((pair) => !pair.startsWith('on-accent on accent'))).toEqual([]);
});

/** Removes the CSS rules for browsers with relative colors. @returns how many there were */
function removeRelativeColors(page: Page): Promise<number> {
  return page.evaluate(() => {
    let removed = 0;
    for (const sheet of document.styleSheets)
      for (const rule of [...sheet.cssRules])
        if (rule instanceof CSSSupportsRule && rule.conditionText.includes('(from red')) {
          sheet.deleteRule([...sheet.cssRules].indexOf(rule));
          removed += 1;
        }
    return removed;
  });
}

async function poorPairs(gallery: Page): Promise<string[]> {
  const poor: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await gallery.emulateMedia({ colorScheme });
    for (const accent of ACCENTS) {
      const pairs = await contrastsWith(gallery, accent);
      expect(pairs.length).toBeGreaterThan(10);
      for (const { pair, contrast } of pairs) {
        if (contrast < 4.5) poor.push(`${pair} with ${accent} in ${colorScheme}: ${contrast.toFixed(2)}`);
      }
    }
  }
  return poor;
}

/** The contrast of each pair of colors that the gallery shows, as the screen gets them. */
function contrastsWith(page: Page, accent: string): Promise<{ pair: string; contrast: number }[]> {
  return page.evaluate((value) => {
    document.documentElement.style.setProperty('--accent', value);
    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
    if (!canvas) throw new Error('There is no canvas.');
    const luminance = (color: string) => {
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) => {
        const part = byte / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    return [...document.querySelectorAll<HTMLElement>('[data-pair]')].map((element) => {
      const { color, backgroundColor } = getComputedStyle(element);
      const [light = 0, dark = 0] = [luminance(color), luminance(backgroundColor)].sort((a, b) => b - a);
      return { pair: element.dataset.pair ?? '', contrast: (light + 0.05) / (dark + 0.05) };
    });
  }, accent);
}
