import { expect } from '@playwright/test';
import { addPasskeyKeeper } from './pages/passkeys.ts';
import { ORIGINS } from './support/addresses.ts';
import {
  DEMO_CUSTOMER,
  expectAccessible,
  expectAccessibleInBothSchemes,
  newAddress,
  test,
} from './support/fixtures.ts';
import { linkIn, mailAbout, signInQuietly } from './support/people.ts';
import {
  acceptQuietly,
  acceptWithPassword,
  expectSignedIn,
  invite,
  runStaffCommand,
  signInAsStaff,
  takeCode,
} from './support/staff-people.ts';

test.describe('the staff host', () => {
  test('says whom it is for, is accessible, and leads customers to the tickets', async ({ page }) => {
    await page.goto(ORIGINS.staff);
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
    await expect(page.getByText('This site is for people who work for Harbor Line.')).toBeVisible();
    await expect(page).toHaveTitle('Staff | Harbor Line');
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', /noindex/);
    await expectAccessibleInBothSchemes(page);
    await page.getByRole('link', { name: 'buy tickets' }).click();
    await expect(page).toHaveURL(`${ORIGINS.tickets}/`);
  });

  test('is in the operator’s language until its visitor chooses another', async ({ browser }) => {
    const context = await browser.newContext({ locale: 'de-DE' });
    const page = await context.newPage();
    await page.goto(ORIGINS.staff);
    const choice = page.getByRole('combobox', { name: 'Language' });
    await expect(choice).toHaveValue('en');
    await choice.selectOption('de');
    await expect(page.locator('html')).toHaveAttribute('lang', /^de/);
    await expect(page.getByText('Diese Website ist für alle')).toBeVisible();
    await context.close();
  });

  test('shows its not-found page at an unknown address', async ({ page, complaints }) => {
    complaints.expected.push(/404/);
    await page.goto(`${ORIGINS.staff}/nowhere`);
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
    await expectAccessible(page);
  });

  test('does not use the session of a customer', async ({ page }) => {
    await page.goto(`${ORIGINS.portal}/sign_in`);
    await signInQuietly(page, { name: 'Robin', ...DEMO_CUSTOMER });
    // The portal's page may still send requests of its own.
    await page.goto('about:blank');
    const authorized: string[] = [];
    page.on('request', (request) => {
      if (request.headers().authorization) authorized.push(request.url());
    });
    await page.goto(ORIGINS.staff);
    await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect(authorized).toEqual([]);
  });
});

test.describe('a person who is invited to work here', () => {
  test('accepts with a password and an authenticator, and signs in until they are disabled', async ({
    page,
    complaints,
  }) => {
    complaints.expected.push(/401|422/);
    const { email, link } = await invite('office', 'Grace Hopper');
    await page.goto(link);
    await expect(page.getByText(`invited ${email}`)).toBeVisible();
    await expect(page).toHaveURL(`${ORIGINS.staff}/invitation`);
    await expectAccessibleInBothSchemes(page);
    await page.getByRole('button', { name: 'Create a passkey and sign in' }).waitFor();
    await page.goto('about:blank');
    const key = await acceptWithPassword(page, link);
    await expect(page.getByRole('heading', { name: 'Hello, Grace Hopper' })).toBeVisible();
    await expectAccessibleInBothSchemes(page);

    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await signInAsStaff(page, email, takeCode(key));
    await page.reload();
    await expectSignedIn(page);

    await runStaffCommand('disable', email);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  });

  test('accepts with a passkey, and signs in with it again', async ({ page }) => {
    const keeper = await addPasskeyKeeper(page, { hasSuggestions: false });
    const { link } = await invite('gate', 'Ada Lovelace');
    await page.goto(link);
    await keeper.setFinger(true);
    await page.getByRole('button', { name: 'Create a passkey and sign in' }).click();
    await expectSignedIn(page);
    await page.getByRole('link', { name: 'Account' }).click();
    await expect(page.getByRole('table', { name: 'Passkeys' }).getByRole('row')).toHaveCount(2);
    await expect(page.getByText('This device', { exact: true })).toBeVisible();
    await expectAccessibleInBothSchemes(page);
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(page.getByRole('heading', { name: 'Your account' })).toBeVisible();
  });

  test('is told that a link was used', async ({ page, openBrowser, complaints }) => {
    complaints.expected.push(/422/);
    const { link } = await invite('desk', 'Grace Hopper');
    await acceptQuietly(page, link);
    const other = await openBrowser();
    await other.goto(link);
    await expect(other.getByText('That link has been used or is too old.')).toBeVisible();
    await expectAccessible(other);
  });
});

test('a manager invites someone, changes their role, and ends their access', async ({
  page,
  openBrowser,
  complaints,
}) => {
  complaints.expected.push(/401/);
  const { link } = await invite('manager', 'Grace Hopper');
  await acceptQuietly(page, link);
  await page.getByRole('link', { name: 'Staff', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Staff' })).toBeVisible();
  await expectAccessibleInBothSchemes(page);

  const email = newAddress('ada');
  await page.getByRole('button', { name: 'Invite someone' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Ada Lovelace');
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByRole('radio', { name: 'Ticket desk' }).check();
  await expectAccessibleInBothSchemes(page);
  await dialog.getByRole('button', { name: 'Send the invitation' }).click();
  const row = page.getByRole('row').filter({ hasText: email });
  await expect(row).toContainText('Invited');

  const theirs = await openBrowser();
  await acceptWithPassword(theirs, linkIn(await mailAbout(email, /Your staff account/)));
  await theirs.goto(`${ORIGINS.staff}/staff`);
  await expect(theirs.getByText('Your role does not allow this.')).toBeVisible();

  await page.reload();
  await row.getByRole('button', { name: 'Change Ada Lovelace' }).click();
  await dialog.getByRole('radio', { name: 'Office' }).check();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save the role' }).click();
  await expect(row).toContainText('Office');

  await row.getByRole('button', { name: 'Change Ada Lovelace' }).click();
  await dialog.getByRole('button', { name: 'Disable this account' }).click();
  await dialog.getByRole('button', { name: 'Disable', exact: true }).click();
  await expect(row).toContainText('Disabled');
  await theirs.reload();
  await expect(theirs.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

test('a manager reads the audit log, filters it by address, and downloads it', async ({ page }) => {
  const { link } = await invite('manager', 'Annie Easley');
  await acceptQuietly(page, link);
  await page.getByRole('link', { name: 'Audit log' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Audit log' })).toBeVisible();
  await page.getByLabel('Person').selectOption({ label: 'Annie Easley' });
  const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row');
  await expect(rows).toHaveCount(2);
  await expect(rows.last()).toContainText('Accepted an invitation');
  await expect(page).toHaveURL(/\/audit\?person=stf_\w+$/);
  await expectAccessibleInBothSchemes(page);
  await page.reload();
  await expect(rows).toHaveCount(2);

  await page.getByLabel('Action').selectOption({ label: 'Changed a role' });
  await expect(page.getByRole('heading', { name: 'No entry matches' })).toBeVisible();
  await expectAccessible(page);
  await page.goBack();
  await expect(rows).toHaveCount(2);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^audit-log-.*\.csv$/);
  await expect(rows.nth(1)).toContainText('Exported the audit log');
});
