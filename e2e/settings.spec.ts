import { expect } from '@playwright/test';
import {
  expectAccessible,
  expectAccessibleInBothSchemes,
  testOfOwnServer as test,
} from './support/fixtures.ts';
import { type GateOffice, openGateOffice } from './support/gate-office.ts';
import { acceptQuietly } from './support/staff-people.ts';

let office: GateOffice;
test.beforeAll(async () => {
  test.setTimeout(240_000);
  office = await openGateOffice();
});
test.afterAll(() => office.stop());

test('a wrong setting is refused by name, a right one is previewed and shows to customers at once', async ({
  page,
  context,
  complaints,
}) => {
  complaints.expected.push(/422/);
  test.setTimeout(400_000);
  await acceptQuietly(page, await office.invite('manager'));
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  const accent = page.getByLabel('Accent color');
  await expect(accent).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.setViewportSize({ width: 390, height: 844 });

  const check = page.getByRole('button', { name: 'Check and preview' });
  await accent.fill('sea green');
  await page.getByLabel('Tagline', { exact: true }).fill('Home by sea.');
  await check.click();
  const refusals = page.getByRole('alert').filter({ hasText: 'Nothing is published yet' });
  await expect(refusals).toContainText(
    '“sea green” is not possible here. Allowed: a CSS color, such as "#f2640c".',
  );
  await expect(accent).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page);

  await accent.fill('seagreen');
  await check.click();
  const preview = page.getByRole('dialog', { name: 'Publish these settings?' });
  await expect(preview.getByRole('row', { name: 'Accent color' })).toContainText('seagreen');
  await expect(preview.getByRole('row', { name: 'Tagline' })).toContainText('Home by sea.');
  await expectAccessible(page);
  const shown = preview.frameLocator('iframe');
  await expect(shown.getByText('Home by sea.')).toBeVisible();
  await expect(shown.locator('html')).toHaveCSS('--accent', 'rgb(46, 139, 87)');
  await preview.getByText('Email', { exact: true }).click();
  await preview.getByLabel('Language').selectOption('de');
  await expect(shown.getByRole('heading', { name: 'Ihr Anmeldecode' })).toBeVisible();
  await preview.getByText('Help', { exact: true }).click();
  await expect(shown.getByRole('heading', { name: 'Hilfe', level: 1 })).toBeVisible();

  const customer = await context.newPage();
  await customer.goto(office.ticketsOrigin);
  await expect(customer.getByText('Home by sea.')).toBeHidden();
  await preview.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('The settings are published.')).toBeVisible();
  await expect(page.getByText(/^Last published .* by Grace Hopper\.$/)).toBeVisible();
  await customer.goto(office.ticketsOrigin);
  await expect(customer.getByText('Home by sea.')).toBeVisible();
  await customer.close();

  await page.getByRole('link', { name: 'Earlier changes' }).click();
  await expect(page.getByRole('table', { name: 'Audit log' })).toContainText(
    /Accent color: from \S+ to seagreen/,
  );
});
