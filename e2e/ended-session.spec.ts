import { expect, type Page } from '@playwright/test';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { ORIGINS } from './support/addresses.ts';
import { DEMO_CUSTOMER, test } from './support/fixtures.ts';
import { ask } from './support/people.ts';
import {
  expectNothingKept,
  expectSignedOut,
  NO_NETWORK,
  NOT_SIGNED_IN,
  openCold,
  SIGN_IN,
  signInAndReadOrder,
  workerReady,
} from './support/saved.ts';

test.use({ serviceWorkers: 'allow' });

const SESSION_ENDED = 'Your session has ended. Please sign in again.';
const SECRET = 'x'.repeat(43);

const PAGES_FOR_THE_SIGNED_OUT = [
  ['/password/reset', 'Reset your password'],
  [`/sessions/magic_link/verify#token=${SECRET}`, 'Sign in'],
  [`/account/verify/${SECRET}`, 'Confirm your account'],
  ['/sign_in', 'Sign in'],
] as const;

for (const [address, heading] of PAGES_FOR_THE_SIGNED_OUT) {
  const path = address.replaceAll(SECRET, 'TOKEN');
  test(`${path} opens after the session was ended on another device, and saved orders are wiped`, async ({
    page,
    visitor,
    complaints,
  }) => {
    complaints.expected.push(NOT_SIGNED_IN, NO_NETWORK);
    const reference = await signInAndReadOrder(page);
    await workerReady(page);
    await endOnAnotherDevice(page);
    // Slow enough for a guard that does not wait for the ping to decide first.
    visitor.api.on(api.pingSession.path, { delayMs: 400 });
    await page.goto(ORIGINS.portal + address);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(address.replace(/#.*/, ''));
    await expect(page.getByText(/already signed in/)).toHaveCount(0);
    await expectNothingKept(page);
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('my-session');
    visitor.api.stop();
    const offline = await openCold(page);
    await offline.goto(`${ORIGINS.portal}/orders`);
    await expect(offline).toHaveURL(SIGN_IN);
    await expect(offline.getByText(reference)).toBeHidden();
  });
}

test('an open page leads from a dead session to the sign-in page, not to the saved orders', async ({
  page,
  visitor,
  complaints,
}) => {
  complaints.expected.push(NOT_SIGNED_IN);
  const reference = await signInAndReadOrder(page);
  await page.goto(`${ORIGINS.portal}/account/verify_email#token=${SECRET}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Confirm your new email address' })).toBeVisible();
  await endOnAnotherDevice(page);
  const passedOn = Promise.withResolvers<void>();
  visitor.api.on(api.pingSession.path, (_, outgoing) => {
    void passedOn.promise.then(() => outgoing.writeHead(401, JSON_TYPE).end(JSON.stringify(EXPIRED)));
  });
  // The ping of the open page is still in progress when the customer opens a page of the account.
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.getByRole('link', { name: 'My Orders' }).click();
  passedOn.resolve();
  await expect(page.getByText(SESSION_ENDED)).toBeVisible();
  await expectSignedOut(page, reference);
});

test('a missing session cookie removes the customer and everything saved', async ({ page, complaints }) => {
  complaints.expected.push(NOT_SIGNED_IN);
  const reference = await signInAndReadOrder(page);
  await page.context().clearCookies({ name: 'my-session' });
  expect(await page.evaluate(() => localStorage.getItem('is-authenticated'))).toBe('true');
  await page.getByRole('link', { name: 'Trip Cards' }).click();
  await expect(page.getByText(SESSION_ENDED)).toBeVisible();
  await expectSignedOut(page, reference);
  expect(await page.evaluate(() => localStorage.getItem('is-authenticated'))).toBeNull();
});

test('a 401 that arrives after the sign-out does not claim that the session has ended', async ({
  page,
  visitor,
  complaints,
}) => {
  complaints.expected.push(NOT_SIGNED_IN);
  await signInAndReadOrder(page);
  const held = Promise.withResolvers<void>();
  visitor.api.on(api.getDetails.path, (_, outgoing) => {
    void held.promise.then(() => outgoing.writeHead(401, JSON_TYPE).end(JSON.stringify(EXPIRED)));
  });
  const asked = page.waitForRequest((request) => request.url().includes(api.getDetails.path));
  await page.reload();
  await asked;
  await page.getByRole('button', { name: /account menu/i }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByText('You are signed out.')).toBeVisible();
  const answered = page.waitForResponse((response) => response.url().includes(api.getDetails.path));
  held.resolve();
  await answered;
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  await expect(page.getByText(SESSION_ENDED)).toBeHidden();
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('my-expired-sign-in');
});

const JSON_TYPE = { 'content-type': 'application/json' };
const EXPIRED = {
  success: false,
  errorCode: 'session_expired',
  errors: [{ code: 'session_expired', message: 'Please sign in again.' }],
  status_code: 401,
};

/** Ends this browser's session from another device, in the list under Password & Security. */
async function endOnAnotherDevice(page: Page): Promise<void> {
  const cookies = await page.context().cookies(ORIGINS.portal);
  const cookieOf = (name: string) => cookies.find((cookie) => cookie.name === name)?.value ?? '';
  const proof = `my-session-proof=${cookieOf('my-session-proof')}`;
  const here = { authorization: `Bearer ${cookieOf('my-session')}`, cookie: proof };
  const listed = await ask('GET', api.listSessions.path, { headers: here });
  const sessions = listed.body.data as { id: string; current: boolean }[];
  const id = sessions.find(({ current }) => current)?.id ?? '';
  const signedIn = await ask('POST', api.signIn.path, { body: DEMO_CUSTOMER });
  const other = { authorization: `Bearer ${(signedIn.body.data as { token: string }).token}` };
  const ended = await ask('DELETE', fillPath(api.endSession.path, { id }), { headers: other });
  expect(ended.status).toBe(200);
}
