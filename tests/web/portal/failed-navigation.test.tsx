import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { DataRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openPage, success, TOKEN } from '../platform/page.ts';
import { answerApi, visitPortal } from './visit-portal.tsx';

const SECRET = 'S'.repeat(43);
const STEP = { temp: 'att_1', next: 'email_code', expires_in: 600, resend_in: 60 };

let outcome: object;
beforeEach(() => {
  openPage();
  outcome = { token: TOKEN };
  answerApi(({ url }) => {
    if (url.pathname.endsWith('/sessions/sign_in')) return success(outcome);
    if (url.pathname.endsWith('/magic_link')) return success({ token: TOKEN });
    return undefined;
  });
});
afterEach(() => {
  cleanup();
  openPage();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

async function visitAndBlockNavigation(path: string) {
  blockNavigation((await visitPortal(path)).router);
}

function blockNavigation(router: DataRouter): void {
  vi.spyOn(router, 'navigate').mockRejectedValue(new TypeError('This page cannot be opened.'));
}

async function signIn() {
  await userEvent.type(await screen.findByLabelText('Email'), 'robin@example.com');
  await userEvent.type(screen.getByLabelText('Password'), 'by ferry');
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
}

async function expectRefused(button: string) {
  expect(await screen.findByText('Something went wrong')).toBeTruthy();
  const enabled = screen.getByRole('button', { name: button });
  expect(enabled.getAttribute('aria-busy')).not.toBe('true');
  expect(enabled.getAttribute('aria-disabled')).not.toBe('true');
}

describe('a failed navigation', () => {
  test('ends the pending state and shows an error after signing in with a password', async () => {
    await visitAndBlockNavigation('/sign_in');
    await signIn();
    await expectRefused('Sign in');
  });

  test('ends the pending state and shows an error after signing in with an emailed code', async () => {
    outcome = STEP;
    await visitAndBlockNavigation('/sign_in');
    await signIn();
    await userEvent.type(await screen.findByLabelText('6-digit code'), '123456');
    await expectRefused('Sign in');
  });

  test('ends the pending state and shows an error after confirming an account', async () => {
    await visitAndBlockNavigation(`/account/verify/${SECRET}`);
    await userEvent.click(await screen.findByRole('button', { name: 'Confirm my account' }));
    await expectRefused('Confirm my account');
  });

  test('ends the pending state and shows an error after setting a new password', async () => {
    const { router } = await visitPortal(`/password/new#token=${SECRET}`);
    await waitFor(() => expect(router.state.location.hash).toBe(''));
    blockNavigation(router);
    await userEvent.type(await screen.findByLabelText('New password'), 'lantern orbit walnut');
    await userEvent.click(screen.getByRole('button', { name: 'Set password' }));
    await expectRefused('Set password');
  });
});

test('a browser without cookies shows a message instead of a loop of redirects', async () => {
  const cookies = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie');
  vi.spyOn(document, 'cookie', 'set').mockImplementation(function (this: Document, text: string) {
    if (!text.startsWith('my-session=')) cookies?.set?.call(this, text);
  });
  await visitPortal('/sign_in');
  await signIn();
  expect(await screen.findByText(/Allow cookies for this site/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Sign in' }).getAttribute('aria-busy')).not.toBe('true');
});
