import { expect, type Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { acceptStaffInvitation, readStaffInvitation } from '#contract/staff/endpoints.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import type { StaffInvitation, StaffSession } from '#contract/staff/schemas.ts';
import { runNpmScript } from '#tests/process/command-line.ts';
import { ORIGINS, PORT } from './addresses.ts';
import { newAddress } from './fixtures.ts';

export const STAFF_PASSWORD = 'nine lighthouses along the sound';

/** Runs `npm run staff -- ARGS` on the running server. */
export async function runStaffCommand(...args: string[]): Promise<string> {
  const env = { PORT: String(PORT), DATA_DIR: process.env.E2E_DATA_DIR ?? '' };
  const { stdout, stderr, exitCode } = await runNpmScript('staff', args, { env });
  expect([exitCode, stderr]).toEqual([0, '']);
  return stdout;
}

/** Invites someone, and returns the link that was mailed to them. */
export async function invite(role: StaffRole, name: string): Promise<{ email: string; link: string }> {
  const email = newAddress(role);
  const stdout = await runStaffCommand('invite', email, role, '--name', name);
  const link = /http\S+#token=\S+/.exec(stdout)?.[0];
  if (link === undefined) throw new Error(`No link was printed: ${stdout}`);
  return { email, link };
}

/** The period of the last code taken of each key. */
const lastPeriods = new Map<string, number>();

/**
 * A code of an authenticator that is not used yet and stays valid for ten seconds. The codes of the period before, of this
 * one and of the next are accepted, each once and in this order, so a test may need up to three at a time.
 */
export function takeCode(key: string): string {
  const period = Date.now() / 30_000;
  const first = Math.ceil(period + 1 / 3) - 2;
  const next = Math.max(first, (lastPeriods.get(key) ?? 0) + 1);
  lastPeriods.set(key, next);
  const secret = Secret.fromBase32(key.replaceAll(' ', ''));
  const totp = new TOTP({ algorithm: 'SHA1', digits: 6, period: 30, secret });
  return totp.generate({ timestamp: next * 30_000 });
}

/** Accepts an invitation with a password, and returns the authenticator's key. */
export async function acceptWithPassword(page: Page, link: string): Promise<string> {
  await page.goto(link);
  await page.getByRole('radio', { name: 'With a password and an authenticator app' }).check();
  await page.getByLabel('Password', { exact: true }).fill(STAFF_PASSWORD);
  const key = (await page.locator('main code').innerText()).trim();
  await page.getByLabel('Code that the app shows').fill(takeCode(key));
  await page.getByRole('button', { name: 'Accept and sign in' }).click();
  await expectSignedIn(page);
  return key;
}

/** The same without the screen of the invitation. */
export async function acceptQuietly(page: Page, link: string): Promise<void> {
  const { origin, hash } = new URL(link);
  const token = hash.slice('#token='.length);
  // A page of the host without the app.
  await page.goto(`${origin}/robots.txt`);
  const post = <Data>(path: string, body: object): Promise<Data> =>
    page.evaluate(
      async ([address, given]) => {
        const headers = { 'content-type': 'application/json' };
        const reply = await fetch(address, { method: 'POST', headers, body: JSON.stringify(given) });
        return (await reply.json()).data;
      },
      [path, body] as const,
    );
  const { name, authenticator } = await post<StaffInvitation>(readStaffInvitation.path, { token });
  const proof = { password: STAFF_PASSWORD, code: takeCode(authenticator.secret) };
  const { staff } = await post<StaffSession>(acceptStaffInvitation.path, { token, name, ...proof });
  await page.evaluate((id) => localStorage.setItem('staff-signed-in', id), staff.id);
  await page.goto(origin);
  await expectSignedIn(page);
}

/** Signs in with a password and a code that was not used yet. */
export async function signInAsStaff(page: Page, email: string, code: string): Promise<void> {
  await page.goto(ORIGINS.staff);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(STAFF_PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Code from your authenticator').fill(code);
  await expectSignedIn(page);
}

export async function expectSignedIn(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Sign out' })).toBeVisible();
}
