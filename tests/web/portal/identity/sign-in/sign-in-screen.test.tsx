import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import Cookies from 'js-cookie';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { json, openPage, success, TOKEN } from '#tests/web/platform/page.ts';
import { refusal } from '#tests/web/portal/refusal.ts';
import { answerApi, CUSTOMER, visitPortal } from '#tests/web/portal/visit-portal.tsx';
import { formatWait } from '#web/platform/forms/problems.ts';
import { readToken, rejectSession, startSession } from '#web/platform/session/session.ts';
import { isBusy } from '#web/platform/updates/busy.ts';

let answer: () => Response | Promise<Response>;
let requests: ReturnType<typeof answerApi>;
beforeEach(() => {
  openPage();
  answer = () => success({ token: TOKEN });
  requests = answerApi(({ url }) => (url.pathname.endsWith('/sign_in') ? answer() : undefined));
});
afterEach(() => {
  cleanup();
  openPage();
  vi.unstubAllGlobals();
});

const email = () => screen.getByLabelText('Email');
const password = () => screen.getByLabelText('Password');
const submit = () => screen.getByRole('button', { name: /^Sign in|^Signing in/ });
const sent = () => requests.filter(({ url }) => url.endsWith('/sign_in'));

async function signIn(address = ' robin@example.com ', secret = ' by ferry ') {
  const user = userEvent.setup();
  await user.type(email(), address);
  if (secret) await user.type(password(), secret);
  await user.click(submit());
}

describe('signing in', () => {
  test('sends the typed values and opens the orders', async () => {
    const { router } = await visitPortal('/sign_in');
    await signIn();
    await waitFor(() => expect(router.state.location.pathname).toBe('/orders'));
    expect(JSON.parse(String(sent()[0]?.init.body))).toEqual({
      email: 'robin@example.com',
      password: ' by ferry ',
    });
    expect(readToken()).toBe(TOKEN);
    expect(await screen.findByText('No orders yet')).toBeTruthy();
    await waitFor(() => expect(isBusy()).toBe(false));
  });

  test('opens the orders as a new document if the account is in another language', async () => {
    const page = openPage();
    requests = answerApi(({ url }) => {
      if (url.pathname.endsWith('/sign_in')) return answer();
      return url.pathname.endsWith('/details') ? success(null, { ...CUSTOMER, language: 'de' }) : undefined;
    });
    const { router } = await visitPortal('/sign_in');
    await signIn();
    await waitFor(() => expect(page.navigations).toEqual(['/orders']));
    expect(router.state.location.pathname).toBe('/sign_in');
    expect(Cookies.get('my-language')).toBe('de');
    Cookies.remove('my-language', { domain: 'ferry.localhost' });
  });

  test('returns to the page that required it', async () => {
    const { router } = await visitPortal('/orders?view=past');
    expect(router.state.location.pathname).toBe('/sign_in');
    await signIn();
    await waitFor(() => expect(router.state.location.search).toBe('?view=past'));
    expect(router.state.location.pathname).toBe('/orders');
  });

  test('sends one request, however often the button is pressed', async () => {
    answer = () => new Promise(() => undefined);
    await visitPortal('/sign_in');
    await signIn();
    await userEvent.click(submit());
    await userEvent.type(password(), '{Enter}');
    expect(sent()).toHaveLength(1);
    expect(submit().getAttribute('aria-busy')).toBe('true');
    await waitFor(() => expect(isBusy()).toBe(true));
  });

  test('marks its fields for password managers', async () => {
    await visitPortal('/sign_in');
    expect(email().getAttribute('autocomplete')).toBe('username webauthn');
    expect(password().getAttribute('autocomplete')).toBe('current-password');
    expect(password().getAttribute('type')).toBe('password');
    await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
    expect(password().getAttribute('type')).toBe('text');
  });
});

describe('a failed sign-in', () => {
  test('lists the missing fields with links to them, and sends nothing', async () => {
    await visitPortal('/sign_in');
    await signIn('robin', '');
    expect(await screen.findByText('We could not sign you in')).toBeTruthy();
    expect(sent()).toHaveLength(0);
    const links = screen.getAllByRole('link').filter((link) => link.closest('[role=alert]'));
    expect(links.map((link) => link.textContent)).toEqual([
      'Enter an email address, like name@example.com.',
      'Enter your password.',
    ]);
    await userEvent.click(links[1] as HTMLElement);
    expect(document.activeElement).toBe(password());
  });

  test('shows the server’s text, keeps the email and takes the focus', async () => {
    answer = () =>
      refusal('invalid_credentials', 'That email and password do not match. Check both and try again.');
    await visitPortal('/sign_in');
    await signIn();
    const link = await screen.findByRole('link', {
      name: 'That email and password do not match. Check both and try again.',
    });
    const summary = link.closest<HTMLElement>('[role=alert]');
    expect(document.activeElement).toBe(summary);
    expect(within(summary as HTMLElement).getByText('We could not sign you in')).toBeTruthy();
    expect(password().getAttribute('aria-invalid')).toBe('true');
    expect((email() as HTMLInputElement).value.trim()).toBe('robin@example.com');
    expect(readToken()).toBeNull();
  });

  test('says how long to wait after too many tries', async () => {
    answer = () => refusal('rate_limited', 'Too many tries.', { status: 429, retryAfter: 840 });
    await visitPortal('/sign_in');
    await signIn();
    expect(await screen.findByText('Too many tries. You can try again in 14 minutes.')).toBeTruthy();
  });

  test('shows the server’s text if it sends no waiting time', async () => {
    answer = () =>
      refusal('rate_limited', 'Too many tries. Please wait a moment and try again.', { status: 429 });
    await visitPortal('/sign_in');
    await signIn();
    expect(await screen.findByText('Too many tries. Please wait a moment and try again.')).toBeTruthy();
  });

  test('can be repeated after a failure of the server', async () => {
    answer = () => json({}, 500);
    const { router } = await visitPortal('/sign_in');
    await signIn();
    expect(await screen.findByText('Something went wrong and has been reported.')).toBeTruthy();
    answer = () => success({ token: TOKEN });
    await userEvent.click(submit());
    await waitFor(() => expect(router.state.location.pathname).toBe('/orders'));
  });
});

test('links to all alternatives', async () => {
  await visitPortal('/sign_in');
  const links = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  expect(links).toContainEqual(['Forgot your password?', '/password/reset']);
  expect(links).toContainEqual(['Create an account', '/sign_up']);
  expect(screen.queryByRole('button', { name: 'Use a passkey' })).toBeNull();
});

test('says that the session has ended only if there was one', async () => {
  await visitPortal('/sign_in');
  expect(screen.queryByText(/session has ended/)).toBeNull();
  cleanup();
  await visitPortal('/account');
  expect(screen.getByText('Please sign in to open that page.')).toBeTruthy();
  expect(screen.queryByText(/session has ended/)).toBeNull();
  cleanup();
  startSession(TOKEN);
  rejectSession(TOKEN);
  await visitPortal('/sign_in');
  expect(screen.getByText('Your session has ended. Please sign in again.')).toBeTruthy();
});

test.each([
  [1, '1 second'],
  [59, '59 seconds'],
  [60, '1 minute'],
  [61, '2 minutes'],
  [840, '14 minutes'],
  [7140, '119 minutes'],
  [7200, '2 hours'],
  [86_400, '24 hours'],
])('formats a wait of %i seconds as %s', (seconds, text) => {
  expect(formatWait(seconds)).toBe(text);
});
