import { execFileSync } from 'node:child_process';
import { expect, type Page } from '@playwright/test';
import { HOSTS } from '#contract/hosts.ts';
import { addPasskeyKeeper } from './pages/passkeys.ts';
import { card, SignInPage } from './pages/portal-pages.ts';
import { PurchasePage } from './pages/purchase-page.ts';
import { ORIGINS } from './support/addresses.ts';
import { expectAccessible, mailsTo, test } from './support/fixtures.ts';
import {
  Authenticator,
  addAuthenticator,
  codeIn,
  mailAbout,
  OTHER_PASSWORD,
  openAccount,
  type Person,
  signInQuietly,
} from './support/people.ts';

/** The browser logs refused requests, which these tests cause on purpose. */
const REFUSED = /status of 422/;
const STEP_UP = /status of 403/;
const SESSION_OVER = /status of 401/;

test('a changed password signs out every other device, is listed and mailed, and replaces the old one', async ({
  page,
  openBrowser,
  complaints,
}) => {
  complaints.expected.push(REFUSED, SESSION_OVER);
  const person = await openAccount('Nils');
  const elsewhere = await openSecurity(await openBrowser(), person);
  await openSecurity(page, person);
  await expect(page).toHaveTitle('Password & Security | Harbor Line');
  await expectAccessible(page);
  const password = card(page, 'Password');
  await password.getByRole('button', { name: 'Change password' }).click();
  const field = password.getByLabel('New password');
  await field.fill('password1');
  await expect(password.getByText(/Too easy to guess/).first()).toBeVisible();
  await password.getByRole('button', { name: 'Change password' }).click();
  await expect(field).toHaveAccessibleDescription(/too easy to guess/);
  await expectAccessible(page);
  await field.fill(OTHER_PASSWORD);
  await password.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText(/Your password is changed\. You are signed out on all other/)).toBeVisible();
  await expect(card(page, 'Recent security events').getByText('Password changed')).toBeVisible();
  await mailAbout(person.email, /Your password was changed/);

  await elsewhere.getByRole('link', { name: 'Account', exact: true }).click();
  await expectSignedOut(elsewhere);
  const screen = new SignInPage(elsewhere);
  await screen.signInWith(person);
  await expect(screen.password).toHaveAccessibleDescription(/do not match/);
  await screen.signInWith({ ...person, password: OTHER_PASSWORD });
  await screen.expectSignedIn('/account');
});

test('a passkey is added, named and removed', async ({ page }) => {
  const person = await openAccount('Elsa');
  await openSecurity(page, person);
  const keeper = await addPasskeyKeeper(page);
  await keeper.setFinger(true);
  const passkeys = card(page, 'Passkeys');
  const list = passkeys.getByRole('list', { name: 'Passkeys' });
  await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await mailAbout(person.email, /A passkey was added/);
  await expectAccessible(page);

  await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(passkeys.getByText('This device already has a passkey for your account.')).toBeVisible();

  await list.getByRole('button', { name: /^Change / }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const rename = page.getByRole('dialog', { name: 'Rename passkey' });
  await rename.getByLabel('Name').fill('');
  await rename.getByRole('button', { name: 'Save' }).click();
  await expect(rename.getByLabel('Name')).toHaveAccessibleDescription(/Enter a name/);
  await expectAccessible(page);
  await rename.getByLabel('Name').fill('Blue <i>phone</i>');
  await rename.getByRole('button', { name: 'Save' }).click();
  await expect(list.getByText('Blue <i>phone</i>')).toBeVisible();

  await list.getByRole('button', { name: 'Change Blue <i>phone</i>' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  const remove = page.getByRole('dialog', { name: 'Remove “Blue <i>phone</i>”?' });
  await expectAccessible(page);
  await remove.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('“Blue <i>phone</i>” is removed.')).toBeVisible();
  await expect(list).toBeHidden();
  await mailAbout(person.email, /A passkey was removed/);
});

test('an authenticator scans its code, ten recovery codes are shown once, and two-step sign-in can end', async ({
  page,
  complaints,
}, testInfo) => {
  complaints.expected.push(REFUSED);
  const person = await openAccount('Theo');
  await openSecurity(page, person);
  const twoStep = page.getByRole('switch', { name: 'Ask for a second step' });
  await expect(twoStep).toBeDisabled();
  await page.getByRole('button', { name: 'Set up an authenticator' }).click();
  const setup = page.getByRole('dialog', { name: 'Set up an authenticator' });
  await expect(setup.locator('code')).toBeVisible();
  await expectAccessible(page);
  const typed = ((await setup.locator('code').textContent()) ?? '').replaceAll(' ', '');
  const picture = testInfo.outputPath('qr.png');
  await setup.getByRole('img', { name: /scan/ }).screenshot({ path: picture });
  expect(new URL(scan(picture) ?? `otpauth:?secret=${typed}`).searchParams.get('secret')).toBe(typed);

  const authenticator = new Authenticator(typed);
  const code = await authenticator.nextCode();
  const field = setup.getByLabel('Code that the app shows');
  await field.fill(code === '000000' ? '000001' : '000000');
  await expect(field).toHaveAccessibleDescription(/That code is not right/);
  await field.fill(code);
  const kept = page.getByRole('dialog', { name: 'Save these recovery codes' });
  const codes = kept.getByRole('region', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  for (const text of await codes.allTextContents()) expect(text).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
  const first = (await codes.first().textContent()) ?? '';
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(kept).toBeVisible();
  const downloading = page.waitForEvent('download');
  await kept.getByRole('button', { name: 'Download' }).click();
  expect((await downloading).suggestedFilename()).toBe('recovery-codes.txt');
  await kept.getByRole('button', { name: 'Done' }).click();
  await expect(kept).toBeHidden();
  await expect(twoStep).toBeChecked();
  await page.reload();
  await expect(page.getByText('You have 10 recovery codes.')).toBeVisible();
  await expect(page.getByText(first)).toBeHidden();
  await mailAbout(person.email, /An authenticator was added/);

  await page.getByRole('button', { name: 'Get new codes' }).click();
  const again = page.getByRole('dialog', { name: 'Get new recovery codes?' });
  await expectAccessible(page);
  await again.getByRole('button', { name: 'Get new codes' }).click();
  await expect(codes).toHaveCount(10);
  await expect(codes.filter({ hasText: first })).toHaveCount(0);
  await kept.getByRole('checkbox', { name: 'I have saved these codes' }).check();
  await kept.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('button', { name: 'Remove authenticator' }).click();
  const remove = page.getByRole('dialog', { name: 'Remove your authenticator?' });
  await expectAccessible(page);
  await remove.getByRole('button', { name: 'Remove' }).click();
  await expect(remove.getByText('Turn off two-step sign-in before you remove this.')).toBeVisible();
  await remove.getByRole('button', { name: 'Cancel' }).click();
  await twoStep.click();
  await expect(page.getByText('Two-step sign-in is off.')).toBeVisible();
  await expect(twoStep).not.toBeChecked();
  await page.getByRole('button', { name: 'Remove authenticator' }).click();
  await remove.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('Your authenticator is removed.')).toBeVisible();
  await mailAbout(person.email, /Two-step sign-in is off/);
});

test('owners see where they are signed in and end it there, one by one or all at once', async ({
  page,
  openBrowser,
  complaints,
}) => {
  complaints.expected.push(SESSION_OVER);
  const person = await openAccount('Runa');
  await openSecurity(page, person);
  const phone = await openSecurity(await openBrowser({ userAgent: IPHONE }), person);
  const tablet = await openSecurity(await openBrowser({ userAgent: IPAD }), person);
  await page.reload();
  const devices = card(page, 'Where you are signed in');
  const rows = devices.getByRole('list', { name: 'Devices' }).getByRole('listitem');
  await expect(rows).toHaveCount(3);
  await expect(rows.first()).toContainText('This device');
  await devices.getByRole('button', { name: 'Sign out Safari on iPhone' }).click();
  await expect(page.getByText('Safari on iPhone is signed out.')).toBeVisible();
  await expect(rows).toHaveCount(2);
  await phone.getByRole('link', { name: 'Account', exact: true }).click();
  await expectSignedOut(phone);

  await openSecurity(phone, person);
  await page.reload();
  await expect(rows).toHaveCount(3);
  await devices.getByRole('button', { name: 'Sign out all other devices' }).click();
  await expect(page.getByText('You’re not signed in anywhere else.')).toBeVisible();
  await expectAccessible(page);
  for (const other of [phone, tablet]) {
    await other.getByRole('link', { name: 'My Orders' }).click();
    await expectSignedOut(other);
  }
  await expect(
    card(page, 'Recent security events').getByText('Other devices signed out').first(),
  ).toBeVisible();
  await mailAbout(person.email, /Devices were signed out/);
  await mailAbout(person.email, /A new device signed in/);
});

test('a customer signed in by mail needs a step-up before any change that could lock the owner out', async ({
  page,
  complaints,
}) => {
  complaints.expected.push(REFUSED, STEP_UP);
  const person = await openAccount('Dora');
  const screen = new SignInPage(page);
  await screen.open();
  await screen.askForCode(person.email);
  await screen.code.fill(codeIn(await mailAbout(person.email, /sign-in code/)));
  await screen.expectSignedIn();
  await page.getByRole('link', { name: 'Security' }).click();
  await expect(screen.heading('Password & Security')).toBeVisible();
  const password = card(page, 'Password');
  await password.getByRole('button', { name: 'Change password' }).click();
  await password.getByLabel('New password').fill(OTHER_PASSWORD);
  await password.getByRole('button', { name: 'Change password' }).click();
  const stepUp = page.getByRole('dialog', { name: 'Confirm it’s you' });
  const proof = stepUp.getByLabel('Password', { exact: true });
  await expect(proof).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(stepUp).toBeHidden();
  await expect(password.getByLabel('New password')).toHaveValue(OTHER_PASSWORD);

  await password.getByRole('button', { name: 'Change password' }).click();
  await proof.fill('not the password');
  await page.keyboard.press('Enter');
  await expect(proof).toHaveAccessibleDescription(/do not match|not right/);
  await proof.fill(person.password);
  await page.keyboard.press('Enter');
  await expect(page.getByText(/Your password is changed/)).toBeVisible();
  await expect(stepUp).toBeHidden();
  // The step-up is valid for ten minutes.
  await page.getByRole('button', { name: 'Set up an authenticator' }).click();
  await expect(page.getByRole('dialog', { name: 'Set up an authenticator' })).toBeVisible();
});

test('a step-up in the account does not affect a purchase in another tab', async ({ page, complaints }) => {
  complaints.expected.push(REFUSED, STEP_UP);
  const person = await openAccount('Edda');
  const screen = new SignInPage(page);
  await screen.open();
  await signInByMail(screen, person);
  const tickets = await page.context().newPage();
  const purchase = new PurchasePage(tickets);
  await tickets.goto(ORIGINS.tickets);
  await purchase.waitUntilUsable();
  await purchase.showSailings();
  await purchase.chooseSailing();
  await tickets.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(tickets.getByRole('heading', { name: 'Payment' })).toBeVisible();
  await tickets.getByRole('button', { name: 'Change', exact: true }).click();
  await tickets.getByLabel('Phone').fill('+1 206 555 0177');

  const password = card(page, 'Password');
  await password.getByRole('button', { name: 'Change password' }).click();
  await password.getByLabel('New password').fill(OTHER_PASSWORD);
  await password.getByRole('button', { name: 'Change password' }).click();
  const proof = page
    .getByRole('dialog', { name: 'Confirm it’s you' })
    .getByLabel('Password', { exact: true });
  await proof.fill(person.password);
  await page.keyboard.press('Enter');
  await expect(page.getByText(/Your password is changed/)).toBeVisible();

  await tickets.evaluate(() => {
    Object.assign(window, { isTheSame: true });
    window.dispatchEvent(new Event('focus'));
  });
  await tickets.getByRole('button', { name: 'More time' }).click();
  await expect(tickets.getByLabel('Phone')).toHaveValue('+1 206 555 0177');
  await tickets.reload();
  await expect(tickets.getByRole('heading', { name: 'Your details' })).toBeVisible();
  await expect(tickets.getByText('Held for you:')).toBeVisible();
  await expect(tickets.getByLabel('Phone')).toHaveValue('+1 206 555 0177');
});

test('a step-up accepts a passkey and a code of the authenticator', async ({ page, complaints }) => {
  complaints.expected.push(REFUSED, STEP_UP, SESSION_OVER);
  const person = await openAccount('Jana');
  const screen = new SignInPage(page);
  const stepUp = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await openSecurity(page, person);
  const keeper = await addPasskeyKeeper(page);
  await keeper.setFinger(true);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText(/is added\. You can sign in with it/)).toBeVisible();
  await keeper.setFinger(false);

  await signInByMail(screen, person);
  const password = card(page, 'Password');
  await password.getByRole('button', { name: 'Change password' }).click();
  await password.getByLabel('New password').fill(OTHER_PASSWORD);
  await password.getByRole('button', { name: 'Change password' }).click();
  await expect(stepUp.getByRole('button', { name: 'Use your password instead' })).toBeVisible();
  await expectAccessible(page);
  await keeper.setFinger(true);
  await stepUp.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByText(/Your password is changed/)).toBeVisible();
  await keeper.setFinger(false);

  await signInByMail(screen, person);
  const { authenticator } = await addAuthenticator({ ...person, password: OTHER_PASSWORD });
  await page.reload();
  await page.getByRole('button', { name: 'Get new codes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Get new recovery codes?' });
  await dialog.getByRole('button', { name: 'Get new codes' }).click();
  await stepUp.getByRole('button', { name: 'Use your authenticator instead' }).click();
  const code = await authenticator.nextCode();
  await stepUp.getByLabel('Code from your authenticator').fill(code === '000000' ? '000001' : '000000');
  await expect(stepUp.getByLabel('Code from your authenticator')).toHaveAccessibleDescription(/not right/);
  await expectAccessible(page);
  await stepUp.getByLabel('Code from your authenticator').fill(code);
  await expect(page.getByRole('dialog', { name: 'Save these recovery codes' })).toBeVisible();
});

test('injected markup and scripts are blocked and reported by the browser on every host', async ({
  page,
  complaints,
}) => {
  // All other tests end with no such word: everything of ours goes another way.
  const told = /require-trusted-types-for forbids trusted-types-sink/;
  complaints.expected.push(told);
  for (const host of HOSTS) {
    complaints.seen.length = 0;
    await page.goto(ORIGINS[host]);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.evaluate(() => {
      document.createElement('div').innerHTML = '<p>';
      document.createElement('script').src = '/assets/slipped-in.js';
    });
    await expect
      .poll(() => complaints.seen)
      .toEqual([expect.stringMatching(told), expect.stringMatching(told)]);
  }
});

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
const IPAD =
  'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

async function openSecurity(page: Page, person: Person): Promise<Page> {
  await signInQuietly(page, person);
  await page.goto(`${ORIGINS.portal}/security`);
  await expect(card(page, 'Where you are signed in').getByText('This device')).toBeVisible();
  await expect(card(page, 'Recent security events').getByRole('rowheader').first()).toBeVisible();
  return page;
}

/** Such a sign-in is no proof of who it is beyond the mailbox. */
async function signInByMail(screen: SignInPage, { email }: Person): Promise<void> {
  await screen.page.goto(`${ORIGINS.portal}/sign_out`);
  await expect(screen.heading('Sign in')).toBeVisible();
  const earlier = await mailsTo(email);
  await screen.askForCode(email);
  await screen.code.fill(codeIn(await mailAbout(email, /sign-in code/, earlier)));
  await screen.expectSignedIn();
  await screen.page.goto(`${ORIGINS.portal}/security`);
}

async function expectSignedOut(page: Page): Promise<void> {
  await expect(page).toHaveURL(`${ORIGINS.portal}/sign_in`);
  await expect(page.getByText('Your session has ended. Please sign in again.')).toBeVisible();
}

/** The content of the QR code in a picture; null if no reader is installed. */
function scan(picture: string): string | null {
  try {
    const answer = execFileSync('zbarimg', ['--quiet', '--raw', picture], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return answer.toString().trim();
  } catch {
    return null;
  }
}
