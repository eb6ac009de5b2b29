import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openPage, success, TOKEN } from '#tests/web/platform/page.ts';
import { refusal } from '#tests/web/portal/refusal.ts';
import { answerApi, visitPortal } from '#tests/web/portal/visit-portal.tsx';
import { readToken } from '#web/platform/session/session.ts';
import { isBusy } from '#web/platform/updates/busy.ts';
import {
  createChallenge,
  findChallenge,
  saveChallenge,
} from '#web/portal/identity/sign-in/sign-in-challenge.ts';

const SECRET = 'L'.repeat(43);
const LINK = `/sessions/magic_link/verify#token=${SECRET}`;

let answer: () => Response;
let requests: ReturnType<typeof answerApi>;
beforeEach(() => {
  openPage();
  answer = () => success({ token: TOKEN });
  requests = answerApi(({ url }) => (url.pathname.endsWith('/verify') ? answer() : undefined));
});
afterEach(() => {
  cleanup();
  openPage();
  vi.unstubAllGlobals();
});

const sent = () =>
  requests.filter(({ url }) => url.endsWith('/verify')).map(({ init }) => JSON.parse(String(init.body)));
const press = async () =>
  userEvent.click(await screen.findByRole('button', { name: 'Sign in on this device' }));

describe('the screen of a mailed sign-in link', () => {
  test('does nothing until its button is pressed, and removes the token from the address', async () => {
    const { router } = await visitPortal(LINK);
    await screen.findByRole('button', { name: 'Sign in on this device' });
    await waitFor(() => expect(router.state.location.hash).toBe(''));
    expect(sent()).toEqual([]);
    expect(readToken()).toBeNull();
    await waitFor(() => expect(isBusy()).toBe(true));
    await press();
    await waitFor(() => expect(router.state.location.pathname).toBe('/orders'));
    expect(sent()).toEqual([{ token: SECRET }]);
    expect(readToken()).toBe(TOKEN);
    await waitFor(() => expect(isBusy()).toBe(false));
  });

  test('says what to do if the email was requested in another browser', async () => {
    await visitPortal(LINK);
    expect(await screen.findByText('You asked for this email somewhere else')).toBeTruthy();
    cleanup();
    const step = { temp: 't'.repeat(43), next: 'email_code', expiresIn: 600, resendIn: 60 } as const;
    saveChallenge(createChallenge(step, 'robin@example.com'));
    await visitPortal(LINK);
    await screen.findByRole('button', { name: 'Sign in on this device' });
    expect(screen.queryByText('You asked for this email somewhere else')).toBeNull();
    await press();
    await waitFor(() => expect(findChallenge()).toBeNull());
  });

  test('asks for the second step if the account has one', async () => {
    answer = () => success({ temp: 's'.repeat(43), next: 'authenticator', expires_in: 600 });
    const { router } = await visitPortal(LINK);
    await press();
    const field = await screen.findByLabelText('Code from your authenticator');
    answer = () => success({ token: TOKEN });
    await userEvent.type(field, '123456');
    await waitFor(() => expect(router.state.location.pathname).toBe('/orders'));
    expect(sent().at(-1)).toEqual({ temp: 's'.repeat(43), code: '123456' });
  });

  test('leads to the sign-in page after the second step expires, and says why', async () => {
    answer = () => success({ temp: 's'.repeat(43), next: 'authenticator', expires_in: 600 });
    const { router } = await visitPortal(LINK);
    await press();
    const field = await screen.findByLabelText('Code from your authenticator');
    answer = () => refusal('attempt_expired', 'That took too long. Please start signing in again.');
    await userEvent.type(field, '123456');
    await waitFor(() => expect(router.state.location.pathname).toBe('/sign_in'));
    expect(await screen.findByText('That took too long. Please start signing in again.')).toBeTruthy();
    expect(await screen.findByLabelText('Password')).toBeTruthy();
  });

  test('offers another way for an expired link', async () => {
    answer = () => refusal('link_expired', 'That link has been used or is too old. Ask for a new one.');
    await visitPortal(LINK);
    await press();
    expect(await screen.findByText(/^That link has been used/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Sign in another way' }).getAttribute('href')).toBe('/sign_in');
    expect(screen.queryByRole('button', { name: 'Sign in on this device' })).toBeNull();
  });

  test('can be repeated after a failed request', async () => {
    answer = () => refusal('internal_server_error', '', { status: 500 });
    const { router } = await visitPortal(LINK);
    await press();
    expect(await screen.findByText('Something went wrong and has been reported.')).toBeTruthy();
    answer = () => success({ token: TOKEN });
    await press();
    await waitFor(() => expect(router.state.location.pathname).toBe('/orders'));
  });

  test.each(['/sessions/magic_link/verify', '/sessions/magic_link/verify#token=cut'])(
    'says that the link is incomplete (%s)',
    async (link) => {
      await visitPortal(link);
      expect(await screen.findByText(/^This link is incomplete\./)).toBeTruthy();
      expect(sent()).toEqual([]);
    },
  );

  test('uses a newer link that is opened on the same screen', async () => {
    const { router } = await visitPortal(LINK);
    await screen.findByRole('button', { name: 'Sign in on this device' });
    await router.navigate(`/sessions/magic_link/verify#token=${'N'.repeat(43)}`);
    await waitFor(() => expect(router.state.location.hash).toBe(''));
    await press();
    expect(sent()).toEqual([{ token: 'N'.repeat(43) }]);
  });
});
