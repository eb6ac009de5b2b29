import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openPage, success, TOKEN } from '#tests/web/platform/page.ts';
import { stubPasskeys } from '#tests/web/platform/passkeys/fake-passkeys.ts';
import { refusal } from '#tests/web/portal/refusal.ts';
import { answerApi, visitPortal } from '#tests/web/portal/visit-portal.tsx';
import { writeCookie } from '#web/platform/session/cookies.ts';
import { readToken } from '#web/platform/session/session.ts';
import { findChallenge } from '#web/portal/identity/sign-in/sign-in-challenge.ts';

const TEMP = 't'.repeat(43);
const WAITS = { temp: TEMP, next: 'email_code', expires_in: 600, resend_in: 60 };

let answerCode: () => Response | Promise<Response>;
let answerResend: () => Response;
let requests: ReturnType<typeof answerApi>;
beforeEach(() => {
  openPage();
  answerCode = () => success({ token: TOKEN });
  answerResend = () => success(WAITS);
  requests = answerApi(({ url, init }) => {
    if (url.pathname.endsWith('/sign_in')) return success(WAITS);
    if (!url.pathname.endsWith('/magic_link')) return undefined;
    return 'code' in JSON.parse(String(init.body)) ? answerCode() : answerResend();
  });
});
afterEach(() => {
  cleanup();
  openPage();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const sent = (path: string) =>
  requests.filter(({ url }) => url.endsWith(path)).map(({ init }) => JSON.parse(String(init.body)));
const code = () => screen.findByLabelText<HTMLInputElement>('6-digit code');

async function askForCode() {
  const visit = await visitPortal('/sign_in');
  await userEvent.type(screen.getByLabelText('Email'), 'robin@example.com');
  await userEvent.click(screen.getByRole('button', { name: 'Email me a code instead' }));
  await code();
  return visit;
}

describe('a mailed code', () => {
  test('is requested with the address alone, and its field has the focus', async () => {
    await askForCode();
    expect(sent('/sign_in')).toEqual([{ email: 'robin@example.com' }]);
    expect(screen.getByText('robin@example.com')).toBeTruthy();
    const field = await code();
    expect(document.activeElement).toBe(field);
    expect([field.autocomplete, field.inputMode]).toEqual(['one-time-code', 'numeric']);
  });

  test('requires an address, but no password', async () => {
    await visitPortal('/sign_in');
    await userEvent.click(screen.getByRole('button', { name: 'Email me a code instead' }));
    expect(await screen.findByText('We could not sign you in')).toBeTruthy();
    expect(screen.queryByText('Enter your password.')).toBeNull();
    expect(sent('/sign_in')).toEqual([]);
  });

  test('signs in as soon as all digits are typed, and deletes the challenge', async () => {
    const { router } = await askForCode();
    expect(findChallenge()).toMatchObject({ temp: TEMP, email: 'robin@example.com' });
    await userEvent.type(await code(), '123 456');
    await waitFor(() => expect(router.state.location.pathname).toBe('/orders'));
    expect(sent('/magic_link')).toEqual([{ temp: TEMP, code: '123456' }]);
    expect(readToken()).toBe(TOKEN);
    expect(findChallenge()).toBeNull();
  });

  test('shows a wrong code beside the field, whose text is selected', async () => {
    answerCode = () => refusal('invalid_code', 'That code is not right. Check it and try again.');
    const { router } = await askForCode();
    await userEvent.type(await code(), '000000');
    await waitFor(async () => expect((await code()).getAttribute('aria-invalid')).toBe('true'));
    const field = await code();
    const description = document.getElementById(field.getAttribute('aria-describedby') ?? '');
    expect(description?.textContent).toBe('That code is not right. Check it and try again.');
    const alerts = screen.getAllByRole('alert').map(({ textContent }) => textContent);
    expect(alerts).toContain('That code is not right. Check it and try again.');
    expect([field.selectionStart, field.selectionEnd]).toEqual([0, 6]);
    answerCode = () => success({ token: TOKEN });
    await userEvent.clear(field);
    await userEvent.type(field, '123456');
    await waitFor(() => expect(router.state.location.pathname).toBe('/orders'));
  });

  test('that was corrected while the wrong one was being checked is sent next, without a press', async () => {
    const checked = Promise.withResolvers<Response>();
    answerCode = () => checked.promise;
    const { router } = await askForCode();
    await userEvent.type(await code(), '000000');
    await userEvent.type(await code(), '{Backspace}1');
    answerCode = () => success({ token: TOKEN });
    checked.resolve(refusal('invalid_code', 'That code is not right. Check it and try again.'));
    await waitFor(() => expect(router.state.location.pathname).toBe('/orders'));
    expect(sent('/magic_link').map(({ code: digits }) => digits)).toEqual(['000000', '000001']);
  });

  test('is not sent while digits are missing', async () => {
    await askForCode();
    await userEvent.type(await code(), '123{Enter}');
    expect(await screen.findAllByText('Enter all 6 digits of the code.')).not.toEqual([]);
    expect(sent('/magic_link')).toEqual([]);
  });

  test('leads back to the typed text after it expires, and says why', async () => {
    answerCode = () => refusal('attempt_expired', 'That took too long. Please start signing in again.');
    await askForCode();
    await userEvent.type(await code(), '123456');
    expect(await screen.findByText('That took too long. Please start signing in again.')).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('robin@example.com');
    expect(findChallenge()).toBeNull();
  });

  test('can be requested for another address with one press', async () => {
    await askForCode();
    await userEvent.click(screen.getByRole('button', { name: 'Use another address' }));
    const email = screen.getByLabelText<HTMLInputElement>('Email');
    expect(email.value).toBe('robin@example.com');
    expect(document.activeElement).toBe(email);
    expect(findChallenge()).toBeNull();
  });

  test('leaves the screen once the link in another tab has signed this browser in', async () => {
    const { router } = await askForCode();
    document.dispatchEvent(new Event('visibilitychange'));
    expect(router.state.location.pathname).toBe('/sign_in');
    writeCookie('session', TOKEN);
    document.dispatchEvent(new Event('visibilitychange'));
    await waitFor(() => expect(router.state.location.pathname).toBe('/orders'));
    expect(findChallenge()).toBeNull();
  });

  test('can still be entered after the app was closed', async () => {
    await askForCode();
    cleanup();
    const { router } = await visitPortal('/sign_in');
    await userEvent.type(await code(), '123456');
    await waitFor(() => expect(router.state.location.pathname).toBe('/orders'));
    expect(sent('/magic_link')).toEqual([{ temp: TEMP, code: '123456' }]);
  });

  test('leads to the second step if the account has one', async () => {
    answerCode = () => success({ temp: 's'.repeat(43), next: 'authenticator', expires_in: 600 });
    await askForCode();
    await userEvent.type(await code(), '123456');
    expect(await screen.findByLabelText('Code from your authenticator')).toBeTruthy();
    expect(findChallenge()).toMatchObject({ temp: 's'.repeat(43), next: 'authenticator' });
  });
});

describe('another mail', () => {
  const resend = () => screen.getByRole('button', { name: /^Send another email/ });

  async function afterSeconds(seconds: number) {
    await act(() => vi.advanceTimersByTimeAsync(seconds * 1000));
  }

  async function waitWithFakeTime() {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    await askForCode();
  }

  test('can be requested when the server allows it, and replaces the first', async () => {
    await waitWithFakeTime();
    expect(resend().textContent).toBe('Send another email in 1:00');
    await userEvent.click(resend());
    expect(sent('/magic_link')).toEqual([]);
    await afterSeconds(60);
    expect(resend().textContent).toBe('Send another email');
    await userEvent.click(resend());
    expect(await screen.findByText('We sent another email. Use the newest one.')).toBeTruthy();
    expect(sent('/magic_link')).toEqual([{ temp: TEMP }]);
    expect(resend().textContent).toBe('Send another email in 1:00');
  });

  test('says that the request was refused, and counts down the server’s waiting time', async () => {
    answerResend = () => refusal('rate_limited', 'Too many tries.', { status: 429, retryAfter: 480 });
    await waitWithFakeTime();
    await afterSeconds(60);
    await userEvent.click(resend());
    expect(
      await screen.findByText('We cannot send another email right now. The last one still works.'),
    ).toBeTruthy();
    expect(resend().textContent).toBe('Send another email in 8:00');
  });
});

describe('the offer of a passkey after signing in by code', () => {
  const offer = () => screen.findByText(/^Add a passkey to sign in with/);

  test('appears once on a device with passkeys, and leads to the security page', async () => {
    stubPasskeys();
    const { router } = await askForCode();
    await userEvent.type(await code(), '123456');
    expect(await offer()).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: 'Add a passkey' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/security'));
    expect(localStorage.getItem('passkey-offered')).toBe('true');
  });

  test('does not appear on a device without passkeys', async () => {
    await askForCode();
    await userEvent.type(await code(), '123456');
    expect(await screen.findByText('No orders yet')).toBeTruthy();
    expect(screen.queryByText(/add a passkey/)).toBeNull();
  });
});
