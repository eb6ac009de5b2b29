import { expect, type Page } from '@playwright/test';
import { ORIGINS } from './support/addresses.ts';
import { expectAccessible, send, test } from './support/fixtures.ts';
import type { ScriptableApi } from './support/scriptable-api.ts';

type Port = { id: string; code: string; name: string; lat: number | null; lon: number | null };
type Catalogue = { ports: Port[]; routes: { id: string }[] };

/** Adds thirty ports that boats from the demo operator's first port reach, each three minutes of latitude further north. */
async function addPorts(api: ScriptableApi): Promise<void> {
  const { body } = await send(ORIGINS.tickets, 'GET', '/api/catalogue');
  const catalogue = body.data as Catalogue;
  const [port] = catalogue.ports;
  const [route] = catalogue.routes;
  if (!port || !route) throw new Error('The catalogue is empty.');
  const added = Array.from({ length: 30 }, (_, index) => ({
    ...port,
    id: `prt_${String(index).padStart(26, '0')}`,
    code: `P${index}`,
    name: index === 7 ? 'Ålesund Pier' : `Island ${String.fromCharCode(65 + (index % 26))}${index}`,
    ...{ lat: 60 + index * 0.05, lon: 5 },
  }));
  const home = catalogue.ports.find(({ name }) => name === 'Port Madrona')?.id;
  const routes = added.flatMap(({ id }, index) =>
    [
      [home, id],
      [id, home],
    ].map(([from, to], direction) => ({
      ...route,
      id: `rte_${String(index * 2 + direction).padStart(26, '0')}`,
      ...{ origin_port_id: from, destination_port_id: to },
    })),
  );
  const data = {
    ...catalogue,
    ports: [...catalogue.ports, ...added],
    routes: [...catalogue.routes, ...routes],
  };
  api.on('/api/catalogue', { status: 200, body: { ...body, data } });
}

async function open(page: Page, api: ScriptableApi): Promise<void> {
  await addPorts(api);
  await page.goto(`${ORIGINS.tickets}/orders/new`);
  await expect(page.getByRole('button', { name: 'Show sailings' })).toBeEnabled();
}

test('one of many ports is found by typing, with the keys alone, and offered first the next time', async ({
  page,
  visitor,
  complaints,
}) => {
  // The server does not know the added routes.
  complaints.expected.push(/status of 404/);
  await open(page, visitor.api);
  const to = page.getByRole('button', { name: /^To: / });
  await to.focus();
  await page.keyboard.press('Enter');
  const search = page.getByRole('combobox', { name: 'Search by name or code' });
  await expect(search).toBeFocused();
  await page.keyboard.type('alesund');
  await expect(page.getByRole('dialog').getByRole('option')).toHaveText(['Ålesund Pier']);
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(to).toHaveAccessibleName('To: Ålesund Pier');
  await expect(to).toBeFocused();
  await page.getByRole('button', { name: 'Show sailings' }).click();
  await expect(page.getByRole('heading', { name: 'Choose your sailing' })).toBeVisible();
  await page.getByRole('button', { name: 'Back to Trip' }).click();
  await page.getByRole('button', { name: /^To: / }).click();
  await expect(page.getByRole('group', { name: 'Recent' }).getByRole('option').first()).toHaveText(
    /Ålesund Pier/,
  );
  await expectAccessible(page);
  await search.fill('Atlantis');
  await expect(page.getByText('No port matches “Atlantis”.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('near ports come first once the customer asks for them, and a refusal is explained', async ({
  page,
  visitor,
  context,
}) => {
  await context.setGeolocation({ latitude: 60.5, longitude: 5 });
  await context.grantPermissions(['geolocation']);
  await open(page, visitor.api);
  await page.getByRole('button', { name: /^From: / }).click();
  await page.getByRole('button', { name: 'Ports near me' }).click();
  const near = page.getByRole('group', { name: 'Near you' }).getByRole('option');
  await expect(near.first()).toHaveText(/^Island K10\s*0\.0 mi$/);
  await expectAccessible(page);
  await near.first().click();
  await expect(page.getByRole('button', { name: /^From: / })).toHaveAccessibleName('From: Island K10');

  await context.clearPermissions();
  await page.reload();
  await page.getByRole('button', { name: /^From: / }).click();
  await page.getByRole('button', { name: 'Ports near me' }).click();
  await expect(page.getByText(/^Your browser does not say where you are/)).toBeVisible();
});

test('the list fills a phone’s screen, stands below its field on a wide one, and fits large text', async ({
  page,
  visitor,
}) => {
  await open(page, visitor.api);
  const from = page.getByRole('button', { name: /^From: / });
  const dialog = page.getByRole('dialog', { name: 'From' });
  await from.click();
  await expect.poll(() => dialog.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
  const search = page.getByRole('combobox', { name: 'Search by name or code' });
  await search.fill('z');
  await expect.poll(() => dialog.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 });
  await search.fill('');
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  await page.keyboard.press('PageDown');
  await expect(page.locator(`#${await activeId(page)}`)).toBeInViewport({ ratio: 1 });
  expect(await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
  await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'active' });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark', forcedColors: 'none' });
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(from).toBeFocused();

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.keyboard.type('i');
  await expect(search).toHaveValue('i');
  const box = await dialog.boundingBox();
  expect(box?.width).toBeLessThan(500);
  expect(box?.height).toBeLessThan(500);
  await page.mouse.click(1270, 790);
  await expect(dialog).toHaveCount(0);
});

/** As a selector needs it: React's ids have characters that it must escape. */
function activeId(page: Page): Promise<string> {
  return page
    .getByRole('combobox', { name: 'Search by name or code' })
    .evaluate((input) => CSS.escape(input.getAttribute('aria-activedescendant') ?? ''));
}
