import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startSession } from '#web/platform/session/session.ts';
import { openPage, TOKEN } from '../platform/page.ts';
import { answerApi, visitPortal } from './visit-portal.tsx';

const SECRET = 'S'.repeat(43);
const RESET = 'Use the Password & Security page to reset your password when already signed in';

beforeEach(() => {
  openPage();
  answerApi();
});
afterEach(() => {
  cleanup();
  openPage();
  vi.unstubAllGlobals();
});

describe('pages for signed-out customers only', () => {
  test.each([
    ['/sign_up', 'You cannot signup when you are already signed in.'],
    ['/sign_in', 'You are already signed in'],
    [`/account/verify/${SECRET}`, 'You cannot complete a new signup when you are already signed in'],
    ['/password/reset', RESET],
    [`/password/new#token=${SECRET}`, RESET],
    [`/sessions/magic_link/verify#token=${SECRET}`, 'Cannot use a magic link when already signed in'],
  ])('%s leads signed-in customers to their orders and says why', async (path, warning) => {
    startSession(TOKEN);
    const { router } = await visitPortal(path);
    expect(router.state.location.pathname).toBe('/orders');
    expect(await screen.findByText(warning)).toBeTruthy();
    await waitFor(() => expect(document.title).toBe('My Orders | Sound Ferries'));
  });

  test.each([
    ['/sign_up', 'Create an account', 'Create an account | Sound Ferries'],
    [`/account/verify/${SECRET}`, 'Confirm your account', 'Confirm your account | Sound Ferries'],
    ['/password/reset', 'Reset your password', 'Reset Password | Sound Ferries'],
    [`/password/new#token=${SECRET}`, 'Set a new password', 'Reset Password | Sound Ferries'],
    [`/sessions/magic_link/verify#token=${SECRET}`, 'Sign in', 'Sign in | Sound Ferries'],
  ])('%s shows "%s" under the title "%s"', async (path, heading, title) => {
    await visitPortal(path);
    expect(await screen.findByRole('heading', { level: 1, name: heading })).toBeTruthy();
    await waitFor(() => expect(document.title).toBe(title));
  });
});

test.each([
  [
    `/account/verify_email#token=${SECRET}`,
    'Confirm your new email address',
    'Confirm your new email address | Sound Ferries',
  ],
  [
    `/account/undo_email#token=${SECRET}`,
    'Keep your old email address',
    'Keep your old email address | Sound Ferries',
  ],
])('%s is open to customers who are signed in or signed out', async (path, heading, title) => {
  await visitPortal(path);
  expect(await screen.findByRole('heading', { level: 1, name: heading })).toBeTruthy();
  await waitFor(() => expect(document.title).toBe(title));
  cleanup();
  startSession(TOKEN);
  await visitPortal(path);
  expect(await screen.findByRole('heading', { level: 1, name: heading })).toBeTruthy();
});
