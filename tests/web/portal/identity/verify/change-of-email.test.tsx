import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { json, openPage, PORTAL, success, TOKEN } from '#tests/web/platform/page.ts';
import { refusal } from '#tests/web/portal/refusal.ts';
import { answerApi, CUSTOMER, visitPortal } from '#tests/web/portal/visit-portal.tsx';
import { profileStore } from '#web/platform/account/profile.ts';
import { readToken, startSession } from '#web/platform/session/session.ts';

const SECRET = 'E'.repeat(43);

let answer: () => Response;
let email: string;
let isSessionOver: boolean;
let requests: ReturnType<typeof answerApi>;
let page: ReturnType<typeof openPage>;
beforeEach(() => {
  page = openPage();
  email = CUSTOMER.email;
  isSessionOver = false;
  answer = () => success({ email: 'new@example.com' });
  requests = answerApi(({ url }) => {
    if (/change_email$/.test(url.pathname)) return answer();
    if (url.pathname.endsWith('/details')) return json({ success: true, ...CUSTOMER, email });
    const isPing = url.pathname.endsWith('/sessions/ping');
    if (isPing && isSessionOver) return json({ success: false, errorCode: 'session_expired' }, 401);
    return undefined;
  });
});
afterEach(() => {
  cleanup();
  openPage();
  vi.unstubAllGlobals();
});

const sent = (path: string) =>
  requests.filter(({ url }) => url.endsWith(path)).map(({ init }) => JSON.parse(String(init.body)));

describe('confirming a new address', () => {
  const LINK = `/account/verify_email#token=${SECRET}`;
  const press = async () => userEvent.click(await screen.findByRole('button', { name: 'Use this address' }));

  test('works without a sign-in, when the button is pressed', async () => {
    const { router } = await visitPortal(LINK);
    await waitFor(() => expect(router.state.location.hash).toBe(''));
    expect(sent('/verify_change_email')).toEqual([]);
    await press();
    expect(await screen.findByText('new@example.com')).toBeTruthy();
    expect(sent('/verify_change_email')).toEqual([{ token: SECRET }]);
    expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/sign_in');
  });

  test('updates the profile of a signed-in customer at once', async () => {
    startSession(TOKEN);
    await visitPortal(LINK);
    await waitFor(() => expect(profileStore.get().customer.email).toBe(CUSTOMER.email));
    email = 'new@example.com';
    await press();
    await waitFor(() => expect(profileStore.get().customer.email).toBe('new@example.com'));
    const main = document.querySelector('main');
    const links = [...(main?.querySelectorAll('a') ?? [])].map((link) => link.getAttribute('href'));
    expect(links).toEqual(['/account']);
  });

  test('says that the link has expired', async () => {
    answer = () => refusal('link_expired', 'That link has been used or is too old. Ask for a new one.');
    await visitPortal(LINK);
    await press();
    expect(await screen.findByText(/^That link has been used/)).toBeTruthy();
  });
});

describe('keeping the old address', () => {
  const LINK = `/account/undo_email#token=${SECRET}`;

  test('ends this browser’s session too, stays on the page and links to the form for a new password', async () => {
    page = openPage(`${PORTAL}/account/undo_email`);
    startSession(TOKEN);
    const { router } = await visitPortal(LINK);
    answer = () => success({ email: CUSTOMER.email });
    isSessionOver = true;
    await userEvent.click(await screen.findByRole('button', { name: 'Keep my old address' }));
    expect(await screen.findByRole('heading', { name: 'Your old address stays' })).toBeTruthy();
    await waitFor(() => expect(readToken()).toBeNull());
    expect(sent('/undo_change_email')).toEqual([{ token: SECRET }]);
    expect(router.state.location.pathname).toBe('/account/undo_email');
    expect(page.navigations).toEqual([]);
    expect(screen.getByRole('link', { name: 'Set a new password' }).getAttribute('href')).toBe(
      '/password/reset',
    );
  });
});
