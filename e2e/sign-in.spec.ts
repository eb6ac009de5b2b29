import { expect, type Page } from '@playwright/test';
import { whenWatched } from './pages/connection-layer.ts';
import { addPasskeyKeeper } from './pages/passkeys.ts';
import { card, SignInPage, tabTo } from './pages/portal-pages.ts';
import { ORIGINS } from './support/addresses.ts';
import { expectAccessible, mailsTo, newAddress, test } from './support/fixtures.ts';
import {
  addAuthenticator,
  ask,
  codeIn,
  linkIn,
  mailAbout,
  openAccount,
  signInQuietly,
} from './support/people.ts';

/** The browser logs refused requests, which these tests cause on purpose. */
const REFUSED = /status of 422/;
const SESSION_ENDED = 'Your session has ended. Please sign in again.';

/** The browser logs requests that were in progress when the session ended. */
const OVERTAKEN = /status of 401/;

test('a password signs in, wrong input is reported beside its field, and the requested page follows', async ({
  page,
  complaints,
}) => {
  complaints.expected.push(REFUSED);
  const person = await openAccount('Ines');
  const screen = new SignInPage(page);
  await page.goto(`${ORIGINS.portal}/security?from=mail`);
  await expect(page).toHaveURL(`${ORIGINS.portal}/sign_in`);
  await expect(page).toHaveTitle('Sign in | Harbor Line');
  await expect(page.getByText('Please sign in to open that page.')).toBeVisible();
  await expect(page.getByText(SESSION_ENDED)).toBeHidden();
  await expectAccessible(page);

  await screen.signIn.click();
  const summary = page.getByRole('alert').filter({ hasText: 'We could not sign you in' });
  await expect(summary).toBeFocused();
  await expect(screen.email).toHaveAccessibleDescription(/Enter an email address/);
  await expect(screen.password).toHaveAccessibleDescription(/Enter your password/);
  await expectAccessible(page);

  await screen.signInWith({ ...person, password: 'not the password' });
  await expect(screen.password).toHaveAccessibleDescription(/That email and password do not match/);
  await expect(summary).toBeFocused();
  await expect(screen.email).toHaveValue(person.email);

  await screen.signInWith(person);
  await screen.expectSignedIn('/security?from=mail');
  await expect(page).toHaveTitle('Password & Security | Harbor Line');
  await page.goto(`${ORIGINS.portal}/account`);
  await expect(page).toHaveTitle('My Account | Harbor Line');
});

test('the mailed code alone signs in an installed app that was closed while the mail was read', async ({
  page,
  openBrowser,
  complaints,
}) => {
  complaints.expected.push(REFUSED);
  const person = await openAccount('Noor');
  const screen = new SignInPage(page);
  await screen.open();
  await screen.askForCode(person.email);
  await expectAccessible(page);
  const context = page.context();
  await page.close();

  const mail = await mailAbout(person.email, /sign-in code/);
  // Where its link leads on a phone: into the browser, which takes nothing away from the app that waits.
  const browser = await openBrowser();
  await browser.goto(linkIn(mail));
  await expect(browser.getByText('You asked for this email somewhere else')).toBeVisible();
  const code = codeIn(mail);
  const reopened = new SignInPage(await context.newPage());
  await reopened.page.goto(ORIGINS.portal);
  await expect(reopened.heading('Check your email')).toBeVisible();
  await expect(reopened.page.getByText(person.email)).toBeVisible();
  await expect(reopened.code).toBeFocused();
  await reopened.code.fill(code === '000000' ? '000001' : '000000');
  await expect(reopened.code).toHaveAccessibleDescription(/That code is not right/);
  await expect(reopened.code).toBeFocused();
  await reopened.code.fill(code);
  await reopened.expectSignedIn();
  await expect(reopened.page.getByText(/^Add a passkey to sign in/)).toBeVisible();
  await expectAccessible(reopened.page);
});

test('five wrong codes end the sign-in, and an address without an account behaves the same', async ({
  page,
  complaints,
}) => {
  complaints.expected.push(REFUSED);
  const stranger = newAddress('nobody');
  const screen = new SignInPage(page);
  await screen.open();
  await screen.askForCode(stranger);
  for (let guess = 0; guess < 5; guess += 1) {
    const answered = page.waitForResponse(/sessions\/magic_link$/);
    await screen.code.fill(`12345${guess}`);
    await answered;
    await expect(screen.code).toHaveAccessibleDescription(/That code is not right/);
  }
  await screen.code.fill('123459');
  await expect(screen.heading('Sign in')).toBeVisible();
  await expect(page.getByText('That took too long. Please start signing in again.')).toBeVisible();
  await expect(screen.email).toHaveValue(stranger);
  const [mail] = await mailsTo(stranger);
  expect(mail?.subject).toBe('No account uses this address');
});

test('a mailed link signs in the browser whose button is pressed, once, and opening it does not use it up', async ({
  page,
  openBrowser,
  complaints,
}) => {
  complaints.expected.push(REFUSED);
  const person = await openAccount('Lea');
  const asking = new SignInPage(page);
  await asking.open();
  await asking.askForCode(person.email);
  const link = linkIn(await mailAbout(person.email, /sign-in code/));
  const { pathname } = new URL(link);
  for (const method of ['HEAD', 'GET', 'HEAD']) {
    expect((await ask(method, pathname)).status, `${method} by a mail scanner`).toBe(200);
  }

  const other = new SignInPage(await openBrowser());
  await other.page.goto(link);
  await expect(other.page).toHaveURL(ORIGINS.portal + pathname);
  await expect(other.page.getByText('You asked for this email somewhere else')).toBeVisible();
  await expectAccessible(other.page);
  expect(await other.page.context().cookies()).not.toContainEqual(
    expect.objectContaining({ name: 'my-session' }),
  );
  await other.page.getByRole('button', { name: 'Sign in on this device' }).click();
  await other.expectSignedIn();

  // The browser that asked is not signed in by it, and the link is used up.
  await expect(asking.heading('Check your email')).toBeVisible();
  await page.goto(link);
  await expect(page.getByText('You asked for this email somewhere else')).toBeHidden();
  await page.getByRole('button', { name: 'Sign in on this device' }).click();
  await expect(page.getByText('That link has been used or is too old. Ask for a new one.')).toBeVisible();
  await page.getByRole('link', { name: 'Sign in another way' }).click();
  await expect(asking.heading(/Sign in|Check your email/)).toBeVisible();
});

test('a mailed link signs in the browser that requested it, back on the original page', async ({ page }) => {
  const person = await openAccount('Tom');
  const screen = new SignInPage(page);
  await screen.open();
  await screen.askForCode(person.email);
  await page.goto(linkIn(await mailAbout(person.email, /sign-in code/)));
  await page.getByRole('button', { name: 'Sign in on this device' }).click();
  await screen.expectSignedIn();
});

test('a passkey signs in by its button', async ({ page, complaints }) => {
  complaints.expected.push(OVERTAKEN);
  const screen = await openAccountWithPasskey(page, 'Pia', { hasSuggestions: false });
  await page.goto(`${ORIGINS.portal}/sign_out`);
  await expect(page.getByText('You are signed out.')).toBeVisible();
  await screen.usePasskey.click();
  await screen.expectSignedIn();
});

test('a passkey signs in by the suggestions of the email field', async ({ page, complaints }) => {
  complaints.expected.push(OVERTAKEN);
  const screen = await openAccountWithPasskey(page, 'Pola', { hasSuggestions: true });
  // With the finger there the suggestion is chosen as soon as the page offers it.
  await page.goto(`${ORIGINS.portal}/sign_out`);
  await screen.expectSignedIn();
});

async function openAccountWithPasskey(page: Page, name: string, browser: { hasSuggestions: boolean }) {
  await signInQuietly(page, await openAccount(name));
  const keeper = await addPasskeyKeeper(page, browser);
  await page.goto(`${ORIGINS.portal}/security`);
  await keeper.setFinger(true);
  await card(page, 'Passkeys').getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText(/is added\. You can sign in with it/)).toBeVisible();
  return new SignInPage(page);
}

test('a customer with passkeys and no authenticator uses one as the second step', async ({
  page,
  complaints,
}) => {
  complaints.expected.push(OVERTAKEN);
  const person = await openAccount('Suna');
  await signInQuietly(page, person);
  const keeper = await addPasskeyKeeper(page);
  const screen = new SignInPage(page);
  await page.goto(`${ORIGINS.portal}/security`);
  await keeper.setFinger(true);
  await card(page, 'Passkeys').getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('switch', { name: 'Ask for a second step' }).click();
  await expect(page.getByText('Two-step sign-in is on.')).toBeVisible();
  await expect(page.getByText(/You have no recovery codes/)).toBeVisible();

  await keeper.setFinger(false);
  await page.goto(`${ORIGINS.portal}/sign_out`);
  await expect(page.getByText('You are signed out.')).toBeVisible();
  await screen.signInWith(person);
  await expect(screen.heading('Second step')).toBeVisible();
  await expectAccessible(page);
  await keeper.setFinger(true);
  await page.getByRole('button', { name: 'Use your passkey' }).click();
  await screen.expectSignedIn();
});

test('with two-step sign-in a password requires the authenticator, and a recovery code replaces it once', async ({
  page,
  complaints,
}) => {
  complaints.expected.push(REFUSED);
  const person = await openAccount('Uma');
  const { authenticator, recoveryCodes } = await addAuthenticator(person);
  const screen = new SignInPage(page);
  await screen.open();
  await screen.signInWith(person);
  await expect(screen.heading('Second step')).toBeVisible();
  await expect(screen.code).toBeFocused();
  await expectAccessible(page);
  const digits = await authenticator.nextCode();
  await screen.code.fill(digits);
  await screen.expectSignedIn();

  await page.goto(`${ORIGINS.portal}/sign_out`);
  await expect(page.getByText('You are signed out.')).toBeVisible();
  await screen.signInWith(person);
  await screen.code.fill(digits);
  await expect(screen.code).toHaveAccessibleDescription(/That code is not right/);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await expectAccessible(page);
  const recoveryCode = recoveryCodes[0] ?? '';
  await screen.code.fill(recoveryCode.toLowerCase().replaceAll('-', ' '));
  await screen.signIn.click();
  await screen.expectSignedIn();
  await mailAbout(person.email, /A recovery code was used/);

  await page.goto(`${ORIGINS.portal}/sign_out`);
  await expect(page.getByText('You are signed out.')).toBeVisible();
  await screen.signInWith(person);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await screen.code.fill(recoveryCode);
  await screen.signIn.click();
  await expect(screen.code).toHaveAccessibleDescription(/That code is not right/);
});

test('with two-step sign-in a mailed link requires the authenticator too', async ({ page }) => {
  const person = await openAccount('Ola');
  const { authenticator } = await addAuthenticator(person);
  const screen = new SignInPage(page);
  await screen.open();
  await screen.askForCode(person.email);
  await page.goto(linkIn(await mailAbout(person.email, /sign-in code/)));
  await page.getByRole('button', { name: 'Sign in on this device' }).click();
  await expect(screen.heading('Second step')).toBeVisible();
  await screen.code.fill(await authenticator.nextCode());
  await screen.expectSignedIn();
});

test('after five wrong passwords the screen says how long to wait, and the mailed code still signs in', async ({
  page,
  complaints,
}) => {
  complaints.expected.push(REFUSED, /status of 429/);
  const person = await openAccount('Bela');
  const screen = new SignInPage(page);
  await screen.open();
  for (let guess = 1; guess <= 5; guess += 1) {
    const answered = page.waitForResponse(/sessions\/sign_in$/);
    await screen.signInWith({ ...person, password: `guess ${guess}` });
    await answered;
    await expect(screen.password).toHaveAccessibleDescription(/do not match/);
  }
  await screen.signInWith(person);
  await expect(page.getByText(/Too many tries\. You can try again in 1[45] minutes\./)).toBeVisible();
  await screen.askForCode(person.email);
  await screen.code.fill(codeIn(await mailAbout(person.email, /sign-in code/)));
  await screen.expectSignedIn();
});

test('a tab that waits for the code continues when the link signs in in another tab', async ({ page }) => {
  const person = await openAccount('Cato');
  const waiting = new SignInPage(page);
  await page.goto(`${ORIGINS.portal}/account`);
  await waiting.askForCode(person.email);
  const beside = new SignInPage(await page.context().newPage());
  await beside.page.goto(linkIn(await mailAbout(person.email, /sign-in code/)));
  await beside.page.getByRole('button', { name: 'Sign in on this device' }).click();
  await beside.expectSignedIn();
  // Simulates a return to the tab, which a headless browser never hides.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await waiting.expectSignedIn('/account');
});

test('signing in works without a mouse', async ({ page }) => {
  const person = await openAccount('Kim');
  const screen = new SignInPage(page);
  await screen.open();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: /skip/i })).toBeFocused();
  await tabTo(page, screen.email);
  await page.keyboard.type(person.email);
  await tabTo(page, screen.password);
  await page.keyboard.type(person.password);
  await page.keyboard.press('Enter');
  await screen.expectSignedIn();
  await tabTo(page, page.getByRole('button', { name: /account menu/i }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'My Account' })).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect(page.getByText('You are signed out.')).toBeVisible();
});

test('a failing server and a lost connection lose no input', async ({ page, complaints }) => {
  complaints.expected.push(/status of 500/, /ERR_INTERNET_DISCONNECTED/, /fetching the script/);
  const person = await openAccount('Vera');
  const screen = new SignInPage(page);
  const watched = whenWatched(page);
  await screen.open();
  await watched;
  await page.route('**/sessions/sign_in', (route) => route.fulfill({ status: 500, body: 'Oh no' }), {
    times: 1,
  });
  await screen.signInWith(person);
  await expect(page.getByText('Something went wrong and has been reported.')).toBeVisible();
  await expect(screen.email).toHaveValue(person.email);

  await page.context().setOffline(true);
  await expect(page.getByText('Connection Lost')).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText('Connection Restored')).toBeVisible();
  await page.getByRole('button', { name: 'Keep working' }).click();
  await expect(screen.email).toHaveValue(person.email);
  await expect(screen.password).toHaveValue(person.password);
  await screen.signIn.click();
  await screen.expectSignedIn();
});
