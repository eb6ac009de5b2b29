import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { ORIGINS } from './support/addresses.ts';
import { expectAccessible, expectAccessibleInBothSchemes, newAddress, test } from './support/fixtures.ts';
import { ask, buyQuietly, mailAbout, openAccount } from './support/people.ts';
import { acceptQuietly, invite } from './support/staff-people.ts';

test('a manager exports what is stored about a person, who is told, and erases the person for good', async ({
  page,
}) => {
  const robin = await openAccount('Robin');
  await acceptQuietly(page, (await invite('manager', 'Katherine Johnson')).link);
  await page.getByRole('link', { name: 'Privacy requests' }).click();
  await page.getByLabel('Email of the person').fill('nobody');
  await page.getByRole('button', { name: 'Look up' }).click();
  await expect(page.getByLabel('Email of the person')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('Email of the person').fill(robin.email);
  await page.getByRole('button', { name: 'Look up' }).click();
  await expect(page.getByRole('link', { name: 'Open the account' })).toBeVisible();
  await expectAccessibleInBothSchemes(page);

  await page.getByRole('button', { name: 'Export the data' }).click();
  const exporting = page.getByRole('dialog', { name: 'Export the data' });
  await exporting.getByRole('button', { name: 'Export', exact: true }).click();
  await expect(exporting.getByText('Say why.')).toBeVisible();
  await exporting.getByLabel('Reason').fill('Letter of June 2');
  await expectAccessible(page);
  const download = page.waitForEvent('download');
  await exporting.getByRole('button', { name: 'Export', exact: true }).click();
  const file = await (await download).path();
  expect(await readFile(file, 'utf8')).toContain(robin.email);
  await mailAbout(robin.email, /data/);
  const answers = page.getByRole('list', { name: 'Last exports and erasures' });
  await expect(answers.getByRole('listitem').first()).toContainText('Katherine Johnson');

  await page.getByRole('button', { name: 'Erase the person' }).click();
  const erasing = page.getByRole('dialog', { name: `Erase ${robin.email}?` });
  await erasing.getByLabel('Reason').fill('Letter of June 3');
  await expectAccessible(page);
  await erasing.getByRole('button', { name: 'Erase for good' }).click();
  await expect(page.getByText('The person is erased, from 0 orders.')).toBeVisible();
  const { status } = await ask('POST', '/api/customers/sessions/sign_in', { body: robin });
  expect(status).toBe(422);

  await page.goto(`${ORIGINS.staff}/audit`);
  const log = page.getByRole('table', { name: 'Audit log' });
  for (const [action, reason] of [
    ['Exported the data of a person', 'Letter of June 2'],
    ['Erased a person', 'Letter of June 3'],
  ] as const) {
    const entry = log.getByRole('row').filter({ hasText: action }).filter({ hasText: reason });
    await expect(entry).toContainText('Katherine Johnson');
    await expect(entry).not.toContainText(robin.email);
  }
});

test('a person with a trip ahead cannot be erased, and the page says which order is in the way', async ({
  page,
}) => {
  const email = newAddress('traveler');
  await buyQuietly({ name: 'Beatrix Halvorsen', email });
  await acceptQuietly(page, (await invite('manager', 'Katherine Johnson')).link);
  await page.getByRole('link', { name: 'Privacy requests' }).click();
  await page.getByLabel('Email of the person').fill(email);
  await page.getByLabel('Email of the person').press('Enter');
  await expect(page.getByText('The person cannot be erased yet')).toBeVisible();
  await expect(page.getByText(/Order \S+ has a sailing that is not over/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Erase the person' })).toHaveCount(0);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await expectAccessible(page);
});
