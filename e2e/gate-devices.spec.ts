import { expect, type Page } from '@playwright/test';
import { ORIGINS } from './support/addresses.ts';
import { expectAccessibleInBothSchemes, test } from './support/fixtures.ts';
import { acceptQuietly, expectSignedIn, invite } from './support/staff-people.ts';

const PIN = '482913';

/** Adds a device, and returns the link of the code that is shown. */
async function addDevice(page: Page, name: string): Promise<string> {
  await page.getByLabel('Name').fill(name);
  const added = page.waitForResponse(
    (response) => response.url().endsWith('/api/staff/gate_devices') && response.status() === 201,
  );
  await page.getByRole('button', { name: 'Show the code' }).click();
  const { data } = await (await added).json();
  await expect(page.getByRole('img', { name: 'Code that pairs the device' })).toBeVisible();
  return data.link;
}

test('a phone is paired by a code, its shifts start with a PIN, and it is revoked', async ({
  page,
  openBrowser,
  complaints,
}) => {
  complaints.expected.push(/401|422/);
  const person = await openBrowser();
  await acceptQuietly(person, (await invite('gate', 'Ada Lovelace')).link);
  await person.getByRole('link', { name: 'Account' }).click();
  await person.getByRole('button', { name: 'Choose a PIN' }).click();
  await person.getByLabel('New PIN').fill('123456');
  await expect(person.getByText('That PIN is easy to guess.').first()).toBeVisible();
  await person.getByLabel('New PIN').fill(PIN);
  await expect(person.getByText('Your PIN is set.')).toBeVisible();

  await acceptQuietly(page, (await invite('desk', 'Grace Hopper')).link);
  await page.getByRole('link', { name: 'Devices' }).click();
  const name = `Ramp ${Date.now()}`;
  const link = await addDevice(page, name);
  await expectAccessibleInBothSchemes(page);

  const phone = await openBrowser();
  await phone.goto(link);
  await expect(phone).toHaveURL(`${ORIGINS.staff}/gate/pair`);
  await expectAccessibleInBothSchemes(phone);
  await phone.getByRole('button', { name: 'Pair this device' }).click();
  await expect(phone.getByText('This device is paired.')).toBeVisible();
  await expect(page.getByText(`${name} is paired.`)).toBeVisible();

  await phone.getByRole('link', { name: 'Start a shift' }).click();
  await expect(phone.getByText(`This device is ${name}.`)).toBeVisible();
  await phone.getByRole('radio', { name: 'Ada Lovelace' }).first().check();
  await expectAccessibleInBothSchemes(phone);
  await phone.getByLabel('Your PIN').fill('000001');
  await expect(phone.getByText('That PIN is not right.').first()).toBeVisible();
  await phone.getByLabel('Your PIN').fill(PIN);
  await expectSignedIn(phone);
  await expect(phone.getByLabel('Name of this device')).toHaveValue(name);

  await phone.getByLabel('Port').selectOption({ label: 'Port Madrona' });
  await phone.getByRole('button', { name: 'Open the gate' }).click();
  await expect(phone.getByText('List is up to date')).toBeVisible();
  await expect.poll(() => countListRecords(phone)).toBeGreaterThan(0);

  await page.reload();
  const row = page.getByRole('row', { name });
  await expect(row).toContainText('Ada Lovelace');
  await row.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(row).toBeHidden();
  // The next contact: what the gate counts is sent at once.
  await phone.getByRole('button', { name: 'Count', exact: true }).click();
  await phone.getByRole('button', { name: 'More: People without a ticket' }).click();
  await expect(phone.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await expect.poll(() => countListRecords(phone)).toBe(0);
  await phone.reload();
  await expect(phone.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

/** The records of the gate's list that the device keeps. */
function countListRecords(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('gate');
        opening.onerror = () => reject(opening.error);
        opening.onsuccess = () => {
          const database = opening.result;
          const reading = database.transaction('records').objectStore('records').getAllKeys();
          reading.onerror = () => reject(reading.error);
          reading.onsuccess = () => {
            database.close();
            resolve(reading.result.filter((key) => String(key).startsWith('list ')).length);
          };
        };
      }),
  );
}
