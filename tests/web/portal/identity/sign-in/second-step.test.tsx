import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openPage, success, TOKEN } from '#tests/web/platform/page.ts';
import { PASSKEY_CHALLENGE, stubPasskeys } from '#tests/web/platform/passkeys/fake-passkeys.ts';
import { refusal } from '#tests/web/portal/refusal.ts';
import { answerApi, visitPortal } from '#tests/web/portal/visit-portal.tsx';
import { readToken } from '#web/platform/session/session.ts';
import { findChallenge } from '#web/portal/identity/sign-in/sign-in-challenge.ts';

const TEMP = 's'.repeat(43);

let next: 'authenticator' | 'passkey';
let answerStep: () => Response;
let apiRequests: ReturnType<typeof answerApi>;
beforeEach(() => {
  openPage();
  next = 'authenticator';
  answerStep = () => success({ token: TOKEN });
  apiRequests = answerApi(({ url }) => {
    if (url.pathname.endsWith('/sign_in')) return success({ temp: TEMP, next, expires_in: 600 });
    if (url.pathname.endsWith('/passkey/challenge')) return success(PASSKEY_CHALLENGE);
    return /\/(authenticator|passkey)\/verify$/.test(url.pathname) ? answerStep() : undefined;
  });
});
afterEach(() => {
  cleanup();
  openPage();
  vi.unstubAllGlobals();
});

const sent = (path: string) =>
  apiRequests.filter(({ url }) => url.endsWith(path)).map(({ init }) => JSON.parse(String(init.body)));
const code = () => screen.findByLabelText<HTMLInputElement>('Code from your authenticator');

async function givePassword() {
  const visit = await visitPortal('/sign_in');
  await userEvent.type(screen.getByLabelText('Email'), 'robin@example.com');
  await userEvent.type(screen.getByLabelText('Password'), 'by ferry');
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  return visit;
}

describe('the second step', () => {
  test('accepts a code of the authenticator', async () => {
    const { router } = await givePassword();
    const field = await code();
    expect(document.activeElement).toBe(field);
    expect(readToken()).toBeNull();
    await userEvent.type(field, '123456');
    await waitFor(() => expect(router.state.location.pathname).toBe('/orders'));
    expect(sent('/authenticator/verify')).toEqual([{ temp: TEMP, code: '123456' }]);
    expect(findChallenge()).toBeNull();
  });

  test('accepts a recovery code in any spelling', async () => {
    const { router } = await givePassword();
    await userEvent.click(await screen.findByRole('button', { name: 'Use a recovery code' }));
    const field = screen.getByLabelText('Recovery code');
    await userEvent.type(field, 'abcd-efgh{Enter}');
    expect(await screen.findAllByText('Enter a recovery code, like ABCD-EFGH-IJKL-MNOP.')).not.toEqual([]);
    await userEvent.type(field, ' 2345 mnop{Enter}');
    await waitFor(() => expect(router.state.location.pathname).toBe('/orders'));
    expect(sent('/authenticator/verify')).toEqual([{ temp: TEMP, code: 'abcd-efgh 2345 mnop' }]);
  });

  test('says how long it is locked after too many wrong codes', async () => {
    answerStep = () => refusal('rate_limited', 'Too many tries.', { status: 429, retryAfter: 900 });
    await givePassword();
    await userEvent.type(await code(), '123456');
    expect(await screen.findByText('Too many tries. You can try again in 15 minutes.')).toBeTruthy();
  });

  test('starts over with the typed email and password after it expires', async () => {
    answerStep = () => refusal('attempt_expired', 'That took too long. Please start signing in again.');
    await givePassword();
    await userEvent.type(await code(), '123456');
    expect(await screen.findByText('That took too long. Please start signing in again.')).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('robin@example.com');
    expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('by ferry');
  });

  test('can be canceled to choose another way to sign in', async () => {
    await givePassword();
    await userEvent.click(await screen.findByRole('button', { name: 'Start over' }));
    expect(screen.getByRole('button', { name: 'Email me a code instead' })).toBeTruthy();
    expect(findChallenge()).toBeNull();
  });

  test('accepts a passkey instead of the authenticator', async () => {
    const { requests } = stubPasskeys();
    const { router } = await givePassword();
    await userEvent.click(await screen.findByRole('button', { name: 'Use a passkey instead' }));
    await waitFor(() => expect(requests).toHaveLength(1));
    requests[0]!.choose();
    await waitFor(() => expect(router.state.location.pathname).toBe('/orders'));
    expect(sent('/passkey/verify')).toMatchObject([{ temp: PASSKEY_CHALLENGE.temp, first_temp: TEMP }]);
  });
});

describe('the second step of customers with passkeys only', () => {
  beforeEach(() => {
    next = 'passkey';
  });

  test('asks for a passkey', async () => {
    const { requests } = stubPasskeys();
    const { router } = await givePassword();
    await userEvent.click(await screen.findByRole('button', { name: 'Use your passkey' }));
    await waitFor(() => expect(requests).toHaveLength(1));
    requests[0]!.choose();
    await waitFor(() => expect(router.state.location.pathname).toBe('/orders'));
    expect(sent('/passkey/verify')).toMatchObject([{ first_temp: TEMP }]);
  });

  test('starts over after it expires', async () => {
    const { requests } = stubPasskeys();
    answerStep = () => refusal('attempt_expired', 'That took too long. Please start signing in again.');
    await givePassword();
    await userEvent.click(await screen.findByRole('button', { name: 'Use your passkey' }));
    await waitFor(() => expect(requests).toHaveLength(1));
    requests[0]!.choose();
    expect(await screen.findByText('That took too long. Please start signing in again.')).toBeTruthy();
    expect(screen.getByLabelText('Password')).toBeTruthy();
  });

  test('says what to do where the browser has no passkeys', async () => {
    await givePassword();
    expect(await screen.findByText(/^This browser does not support passkeys\./)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Start over' })).toBeTruthy();
  });
});
