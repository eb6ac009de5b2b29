import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openPage, success } from '#tests/web/platform/page.ts';
import { refusal } from '#tests/web/portal/refusal.ts';
import { answerApi, visitPortal } from '#tests/web/portal/visit-portal.tsx';
import { readToken } from '#web/platform/session/session.ts';

const SECRET = 'V'.repeat(43);
const LINK = `/account/verify/${SECRET}`;

let answer: () => Response;
let requests: ReturnType<typeof answerApi>;
beforeEach(() => {
  openPage();
  answer = () => success({ email: 'robin@example.com' });
  requests = answerApi(({ url }) => (url.pathname.includes('/verify/') ? answer() : undefined));
});
afterEach(() => {
  cleanup();
  openPage();
  vi.unstubAllGlobals();
});

const calls = () => requests.filter(({ url }) => url.includes('/verify/'));
const press = async () => userEvent.click(await screen.findByRole('button', { name: 'Confirm my account' }));

test('confirming an account requires the button, signs in no other browser and leads to the sign-in page', async () => {
  const { router } = await visitPortal(LINK);
  await screen.findByRole('heading', { name: 'Confirm your account' });
  expect(calls()).toEqual([]);
  await press();
  await waitFor(() => expect(router.state.location.pathname).toBe('/sign_in'));
  expect(await screen.findByText('Your account is ready. Sign in to see it.')).toBeTruthy();
  expect(calls().map(({ url, init }) => [init.method, url])).toEqual([
    ['POST', `/api/customers/verify/${SECRET}`],
  ]);
  expect(readToken()).toBeNull();
});

test('confirming an account fills in the address on the sign-in page', async () => {
  await visitPortal(LINK);
  await press();
  expect(await screen.findByLabelText('Email')).toHaveProperty('value', 'robin@example.com');
});

test('confirming an account signs in the browser that requested it, and deletes the stored registration', async () => {
  const temp = 'T'.repeat(43);
  localStorage.setItem('registration', JSON.stringify({ temp, expiresAt: Date.now() + 60_000 }));
  answer = () => success({ email: 'robin@example.com', has_password: true, token: 'gw_new' });
  const { router } = await visitPortal(LINK);
  await press();
  await waitFor(() => expect(router.state.location.pathname).toBe('/orders'));
  expect(await screen.findByText('Your account is ready.')).toBeTruthy();
  expect(calls().map(({ init }) => JSON.parse(String(init.body)))).toEqual([{ temp }]);
  expect(readToken()).toBe('gw_new');
  expect(localStorage.getItem('registration')).toBeNull();
});

test('confirming an account ignores a registration that has expired', async () => {
  localStorage.setItem('registration', JSON.stringify({ temp: 'T'.repeat(43), expiresAt: Date.now() - 1 }));
  await visitPortal(LINK);
  await press();
  await screen.findByText('Your account is ready. Sign in to see it.');
  expect(calls().map(({ init }) => init.body ?? null)).toEqual([null]);
});

test('an expired link leads to another registration', async () => {
  answer = () => refusal('link_expired', 'That link has been used or is too old. Ask for a new one.');
  await visitPortal(LINK);
  await press();
  expect(await screen.findByText(/^That link has been used/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Create an account' }).getAttribute('href')).toBe('/sign_up');
});
