import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { whenWatched } from './pages/connection-layer.ts';
import { card, SignInPage, tabTo } from './pages/portal-pages.ts';
import { ORIGINS } from './support/addresses.ts';
import { expectAccessible, newAddress, test } from './support/fixtures.ts';
import {
  addAuthenticator,
  ask,
  buyQuietly,
  linkIn,
  mailAbout,
  OTHER_PASSWORD,
  openAccount,
  PASSWORD,
  signInQuietly,
} from './support/people.ts';
import { workerReady } from './support/saved.ts';

/** The browser logs refused requests, which these tests cause on purpose. */
const REFUSED = /status of 422/;

test('a visitor signs up by keyboard, confirms by mail, and finds an earlier order', async ({
  page,
  complaints,
}) => {
  complaints.expected.push(REFUSED);
  const person = { name: 'Ada Sound', email: newAddress('ada'), password: PASSWORD };
  const reference = await buyQuietly(person);

  const screen = new SignInPage(page);
  await screen.open();
  await page.getByRole('link', { name: 'Create an account' }).press('Enter');
  await expect(screen.heading('Create an account')).toBeVisible();
  const create = page.getByRole('button', { name: 'Create my account' });
  await tabTo(page, create);
  await page.keyboard.press('Enter');
  const summary = page.getByRole('alert').filter({ hasText: 'We could not create your account' });
  await expect(summary).toBeFocused();
  const name = page.getByLabel('Name', { exact: true });
  await expect(name).toHaveAccessibleDescription(/Enter your name/);
  await expect(screen.email).toHaveAccessibleDescription(/Enter an email address/);
  await expect(screen.password).toHaveAccessibleDescription(/Choose a longer password/);
  await expectAccessible(page);

  await tabTo(page, name);
  await page.keyboard.type(person.name);
  await tabTo(page, screen.email);
  await page.keyboard.type(person.email);
  await tabTo(page, screen.password);
  await page.keyboard.type(person.password);
  await expect(page.getByText(/good password/i).first()).toBeVisible();
  await tabTo(page, page.getByRole('checkbox', { name: /terms/i }));
  await page.keyboard.press('Space');
  await expectAccessible(page);
  await tabTo(page, create);
  await page.keyboard.press('Enter');
  await expect(screen.heading('Check your email')).toBeVisible();
  await expectAccessible(page);

  // The account does not exist before the address is confirmed, and opening the link confirms nothing.
  const link = linkIn(await mailAbout(person.email, /Confirm your email address/));
  await ask('GET', new URL(link).pathname);
  expect(
    (await ask('POST', '/api/customers/sessions/sign_in', { body: getCredentials(person) })).status,
  ).toBe(422);
  await page.goto(link);
  const confirm = page.getByRole('button', { name: 'Confirm my account' });
  await expect(confirm).toBeVisible();
  await expectAccessible(page);
  await confirm.click();
  await expect(page.getByText('Your account is ready.')).toBeVisible();
  await screen.expectSignedIn();
  await expect(page.getByText(reference).first()).toBeVisible();

  await page.goto(`${ORIGINS.portal}/sign_out`);
  await expect(page.getByText('You are signed out.')).toBeVisible();
  await page.goto(link);
  await page.getByRole('button', { name: 'Confirm my account' }).click();
  await expect(page.getByText('That link has been used or is too old. Ask for a new one.')).toBeVisible();
});

test('a weak password is refused beside its field, a failure loses no input, and a known address is not revealed', async ({
  page,
  complaints,
}) => {
  complaints.expected.push(REFUSED, /status of 500/);
  const owner = await openAccount('Rosa');
  const screen = new SignInPage(page);
  await page.goto(`${ORIGINS.portal}/sign_up`);
  await page.getByLabel('Name', { exact: true }).fill('Somebody Else');
  await screen.email.fill(owner.email);
  await screen.password.fill('password1');
  await page.getByRole('checkbox', { name: /terms/i }).check();
  await page.getByRole('button', { name: 'Create my account' }).click();
  await expect(screen.password).toHaveAccessibleDescription(/too easy to guess/);
  await screen.password.fill(OTHER_PASSWORD);
  await page.route('**/customers/register', (route) => route.fulfill({ status: 500, body: 'Oh no' }), {
    times: 1,
  });
  await page.getByRole('button', { name: 'Create my account' }).click();
  await expect(page.getByText('Something went wrong and has been reported.')).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Somebody Else');
  await expect(screen.email).toHaveValue(owner.email);
  await expect(screen.password).toHaveValue(OTHER_PASSWORD);
  await page.getByRole('button', { name: 'Create my account' }).click();
  await expect(screen.heading('Check your email')).toBeVisible();
  await mailAbout(owner.email, /You already have an account/);
});

test('a forgotten password is reset by mail, which requires the second step and ends every session', async ({
  page,
  openBrowser,
  complaints,
}) => {
  complaints.expected.push(REFUSED, /status of 401/);
  const person = await openAccount('Hugo');
  const elsewhere = await openBrowser();
  await signInQuietly(elsewhere, person);
  await elsewhere.goto(`${ORIGINS.portal}/orders`);
  await new SignInPage(elsewhere).expectSignedIn();
  const { authenticator } = await addAuthenticator(person);

  const screen = new SignInPage(page);
  await screen.open();
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page).toHaveTitle('Reset Password | Harbor Line');
  await screen.email.fill(person.email);
  await page.getByRole('button', { name: 'Email me a link' }).click();
  await expect(screen.heading('Check your email')).toBeVisible();
  await expectAccessible(page);
  const link = linkIn(await mailAbout(person.email, /Set a new password/));
  await ask('HEAD', new URL(link).pathname);
  await page.goto(link);
  await expect(page).toHaveURL(`${ORIGINS.portal}/password/new`);
  const field = page.getByLabel('New password');
  const set = page.getByRole('button', { name: 'Set password' });
  await field.fill(OTHER_PASSWORD);
  await set.click();
  await expect(screen.code).toHaveAccessibleDescription(/Enter the code from your authenticator too/);
  await expectAccessible(page);
  await screen.code.fill(await authenticator.nextCode());
  await set.click();
  await expect(page.getByText(/Your password is changed\. Sign in with the new one/)).toBeVisible();

  await elsewhere.goto(`${ORIGINS.portal}/account`);
  await expect(elsewhere).toHaveURL(`${ORIGINS.portal}/sign_in`);
  await expect(elsewhere.getByText('Your session has ended. Please sign in again.')).toBeVisible();

  await screen.signInWith(person);
  await expect(screen.password).toHaveAccessibleDescription(/do not match/);
  await screen.signInWith({ ...person, password: OTHER_PASSWORD });
  await expect(screen.heading('Second step')).toBeVisible();
  await mailAbout(person.email, /Your password was reset/);

  await page.goto(link);
  await field.fill(PASSWORD);
  await set.click();
  await expect(page.getByText('That link has been used or is too old. Ask for a new one.')).toBeVisible();
});

test('customers change name and phone, download their data, and delete the account', async ({
  page,
  complaints,
}) => {
  complaints.expected.push(REFUSED);
  const person = await openAccount('Mira');
  await signInQuietly(page, person);
  await page.goto(`${ORIGINS.portal}/account`);
  await expect(page).toHaveTitle('My Account | Harbor Line');
  const details = card(page, 'Your details');
  await expect(details.getByLabel('Name')).toHaveValue(person.name);
  await expectAccessible(page);

  await details.getByLabel('Name').fill(' ');
  await details.getByLabel('Phone').fill('call me');
  await details.getByRole('button', { name: 'Save' }).click();
  await expect(details.getByRole('alert')).toBeFocused();
  await expect(details.getByLabel('Name')).toHaveAccessibleDescription(/Enter your name/);
  await expect(details.getByLabel('Phone')).toHaveAccessibleDescription(/country code/);
  await details.getByLabel('Name').fill('Mira <b>Strand</b>');
  await details.getByLabel('Phone').fill('+1 (206) 555-0142');
  await details.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Your details are saved.')).toBeVisible();
  await page.reload();
  await expect(details.getByLabel('Name')).toHaveValue('Mira <b>Strand</b>');
  await expect(details.getByLabel('Phone')).toHaveValue('+1 206 555 0142');
  await expect(page.getByRole('button', { name: 'Mira <b>Strand</b>, account menu' })).toBeVisible();
  await mailAbout(person.email, /Your phone number was changed/);

  const data = card(page, 'Your data');
  const downloading = page.waitForEvent('download');
  await data.getByRole('button', { name: 'Download my data' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^my-data-\d{4}-\d\d-\d\d\.json$/);
  const text = readFileSync(await download.path(), 'utf8');
  expect(text).toContain(person.email);
  expect(text).not.toMatch(/argon2|password_hash|token_hash/);
  expect(JSON.parse(text)).toBeInstanceOf(Object);

  await data.getByRole('button', { name: 'Delete my account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Delete my account' }).click();
  const box = dialog.getByRole('checkbox');
  await expect(box).toBeFocused();
  await expect(box).toHaveAccessibleDescription(/Check this box/);
  await box.check();
  await dialog.getByRole('button', { name: 'Delete my account' }).click();
  await expect(page).toHaveURL(`${ORIGINS.portal}/sign_in`);
  await expect(page.getByText('Your account is deleted. Thank you for traveling with us.')).toBeVisible();
  await mailAbout(person.email, /Your account is deleted/);
  const screen = new SignInPage(page);
  await screen.signInWith(person);
  await expect(screen.password).toHaveAccessibleDescription(/do not match/);
});

test('a change of email waits for its link, can be canceled, and completes where the link is followed', async ({
  page,
  openBrowser,
  complaints,
}) => {
  complaints.expected.push(/status of 429/, /status of 401/);
  const person = await openAccount('Lena');
  await signInQuietly(page, person);
  await page.goto(`${ORIGINS.portal}/account`);
  const email = card(page, 'Email');
  await email.getByRole('button', { name: 'Change email' }).click();
  await expect(email.getByLabel('New email')).toBeFocused();
  await email.getByLabel('New email').fill(person.email);
  await email.getByRole('button', { name: 'Send the link' }).click();
  await expect(email.getByLabel('New email')).toHaveAccessibleDescription(/This is already your address/);
  await expectAccessible(page);

  const canceled = newAddress('lena-canceled');
  await changeEmail(page, canceled);
  const canceledLink = linkIn(await mailAbout(canceled, /Confirm your new email address/));
  await expect(email.getByRole('button', { name: /Send another email in/ })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await expectAccessible(page);
  await page.reload();
  await email.getByRole('button', { name: 'Send another email' }).click();
  await expect(email.getByText(/Too many tries\. You can try again in (\d+ seconds|1 minute)/)).toBeVisible();
  await email.getByRole('button', { name: 'Cancel the change' }).click();
  await expect(page.getByText('Your email stays as it is.')).toBeVisible();
  await page.goto(canceledLink);
  complaints.expected.push(REFUSED);
  await page.getByRole('button', { name: 'Use this address' }).click();
  await expect(page.getByText('That link has been used or is too old. Ask for a new one.')).toBeVisible();

  // Followed in this browser, which stays signed in; another one does not.
  const elsewhere = await openBrowser();
  await signInQuietly(elsewhere, person);
  await page.goto(`${ORIGINS.portal}/account`);
  const second = newAddress('lena-second');
  await changeEmail(page, second);
  await page.goto(linkIn(await mailAbout(second, /Confirm your new email address/)));
  const use = page.getByRole('button', { name: 'Use this address' });
  await expect(use).toBeVisible();
  await expectAccessible(page);
  await use.click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your email address is changed' })).toBeVisible();
  await page.getByRole('link', { name: 'My Account' }).click();
  await expect(email.getByText(second)).toBeVisible();
  await elsewhere.goto(`${ORIGINS.portal}/security`);
  await expect(elsewhere).toHaveURL(`${ORIGINS.portal}/sign_in`);

  // Followed in a signed-out browser.
  const third = newAddress('lena-third');
  await changeEmail(page, third);
  await elsewhere.goto(linkIn(await mailAbout(third, /Confirm your new email address/)));
  await elsewhere.getByRole('button', { name: 'Use this address' }).click();
  await elsewhere.getByRole('link', { name: 'Sign in' }).last().click();
  const screen = new SignInPage(elsewhere);
  await screen.signInWith({ ...person, email: third });
  await screen.expectSignedIn();
});

test('the old address can revert a change of email, which returns the account to its owner', async ({
  page,
  openBrowser,
  complaints,
}) => {
  complaints.expected.push(REFUSED, /status of 401/);
  const owner = await openAccount('Otto');
  const thief = await openBrowser();
  await signInQuietly(thief, owner);
  await thief.goto(`${ORIGINS.portal}/account`);
  const stolen = newAddress('thief');
  await changeEmail(thief, stolen);
  await mailAbout(owner.email, /Your email address is about to change/);
  await thief.goto(linkIn(await mailAbout(stolen, /Confirm your new email address/)));
  await thief.getByRole('button', { name: 'Use this address' }).click();
  await expect(thief.getByRole('heading', { name: 'Your email address is changed' })).toBeVisible();

  await page.goto(linkIn(await mailAbout(owner.email, /Your email address has changed/)));
  await expect(page).toHaveURL(`${ORIGINS.portal}/account/undo_email`);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Keep my old address' }).click();
  await expect(page.getByRole('heading', { name: 'Your old address stays' })).toBeVisible();
  await thief.goto(`${ORIGINS.portal}/account`);
  await expect(thief).toHaveURL(`${ORIGINS.portal}/sign_in`);

  await page.getByRole('link', { name: 'Set a new password' }).click();
  const screen = new SignInPage(page);
  await screen.email.fill(owner.email);
  await page.getByRole('button', { name: 'Email me a link' }).click();
  await page.goto(linkIn(await mailAbout(owner.email, /Set a new password/)));
  await page.getByLabel('New password').fill(OTHER_PASSWORD);
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(screen.heading('Sign in')).toBeVisible();
  await screen.signInWith({ ...owner, password: OTHER_PASSWORD });
  await screen.expectSignedIn();
  await mailAbout(owner.email, /This address is yours again/);
});

test.describe(() => {
  test.use({ serviceWorkers: 'allow' });

  test('details that cannot be saved stay in the form', async ({ page, complaints }) => {
    complaints.expected.push(/status of 500/, /ERR_INTERNET_DISCONNECTED/);
    await signInQuietly(page, await openAccount('Finn'));
    await page.goto(`${ORIGINS.portal}/account`);
    // Without a network the bundle that says "Connection Lost" comes only from the worker.
    await workerReady(page);
    const watched = whenWatched(page);
    await page.reload();
    await watched;
    const details = card(page, 'Your details');
    await details.getByLabel('Name').fill('Finn Typed');
    await page.route('**/api/customers', (route) => route.fulfill({ status: 500, body: 'Oh no' }), {
      times: 1,
    });
    await details.getByRole('button', { name: 'Save' }).click();
    await expect(details.getByRole('alert').filter({ hasText: /Something went wrong/ })).toBeVisible();
    await expect(details.getByLabel('Name')).toHaveValue('Finn Typed');
    await page.context().setOffline(true);
    await expect(page.getByText('Connection Lost')).toBeVisible();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Keep working' }).click();
    await details.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Your details are saved.')).toBeVisible();
  });
});

async function changeEmail(page: Page, to: string): Promise<void> {
  const email = card(page, 'Email');
  const open = email.getByRole('button', { name: 'Change email' });
  const field = email.getByLabel('New email');
  await expect(open.or(field)).toBeVisible();
  if (await open.isVisible()) await open.click();
  await field.fill(to);
  await email.getByRole('button', { name: 'Send the link' }).click();
  await expect(email.getByText(to)).toBeVisible();
}

function getCredentials({ email, password }: { email: string; password: string }) {
  return { email, password };
}
