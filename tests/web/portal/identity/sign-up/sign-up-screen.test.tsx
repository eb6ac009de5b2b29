import { act, cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { stubStrengthWorker } from '#tests/web/features/identity/fake-strength.ts';
import { openPage, success } from '#tests/web/platform/page.ts';
import { refusal } from '#tests/web/portal/refusal.ts';
import { answerApi, visitPortal } from '#tests/web/portal/visit-portal.tsx';
import { startSession } from '#web/platform/session/session.ts';
import { isBusy } from '#web/platform/updates/busy.ts';

let answer: () => Response;
let requests: ReturnType<typeof answerApi>;
beforeEach(() => {
  openPage();
  stubStrengthWorker();
  answer = () => success(null);
  requests = answerApi(({ url }) => (url.pathname.endsWith('/register') ? answer() : undefined));
});
afterEach(() => {
  cleanup();
  openPage();
  vi.unstubAllGlobals();
});

const sent = () =>
  requests.filter(({ url }) => url.endsWith('/register')).map(({ init }) => JSON.parse(String(init.body)));
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const press = () => userEvent.click(screen.getByRole('button', { name: 'Create my account' }));

async function fillIn() {
  await visitPortal('/sign_up');
  await userEvent.type(field('Name'), ' Robin Castellanos ');
  await userEvent.type(field('Email'), ' robin@example.com');
  await userEvent.type(field('Phone (optional)'), '+1 206 555 0142');
  await userEvent.type(field('Password'), ' by ferry across ');
  await userEvent.click(field('I accept the terms of carriage'));
}

describe('creating an account', () => {
  test('restores the typed values after a reload, except the password, which is never stored', async () => {
    await fillIn();
    window.dispatchEvent(new Event('pagehide'));
    expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain('by ferry across');
    cleanup();
    await visitPortal('/sign_up');
    expect(field('Name').value).toBe(' Robin Castellanos ');
    expect(field('Phone (optional)').value).toBe('+1 206 555 0142');
    expect(field('Password').value).toBe('');
    expect(sessionStorage.getItem('drafts')).toBeNull();
  });

  test('sends the typed values with the accepted terms, and asks to check the email', async () => {
    await fillIn();
    await waitFor(() => expect(isBusy()).toBe(true));
    await press();
    expect(await screen.findByRole('heading', { name: 'Check your email' })).toBeTruthy();
    expect(screen.getByText('robin@example.com')).toBeTruthy();
    expect(sent()).toEqual([
      {
        name: 'Robin Castellanos',
        email: 'robin@example.com',
        phone: '+1 206 555 0142',
        password: ' by ferry across ',
        terms_version: '1',
      },
    ]);
    await waitFor(() => expect(isBusy()).toBe(false));
  });

  test('stores the proof of this browser’s request, and leaves the screen once the link has signed the browser in', async () => {
    answer = () => success({ temp: 'T'.repeat(43), expires_in: 60 });
    await fillIn();
    await press();
    await screen.findByRole('heading', { name: 'Check your email' });
    expect(localStorage.getItem('registration')).toContain('T'.repeat(43));
    expect(localStorage.getItem('registration')).not.toContain('robin');
    startSession('gw_new');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    expect(await screen.findByRole('heading', { name: 'My Orders' })).toBeTruthy();
  });

  test('sends the email again after a minute, and says so', async () => {
    await fillIn();
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    try {
      await press();
      const resend = await screen.findByRole('button', { name: 'Send another email in 1:00' });
      expect(resend.getAttribute('aria-disabled')).toBe('true');
      act(() => void vi.advanceTimersByTime(60_000));
      await userEvent.click(screen.getByRole('button', { name: 'Send another email' }));
      expect(await screen.findByText('We sent another email. Use the newest one.')).toBeTruthy();
      expect(sent()).toHaveLength(2);
      expect(sent()[1]).toEqual(sent()[0]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('keeps the typed values for a correction after the email was sent', async () => {
    await fillIn();
    await press();
    await userEvent.click(await screen.findByRole('button', { name: 'Use another address' }));
    expect(field('Name').value).toBe(' Robin Castellanos ');
    expect(field('Email').value.trim()).toBe('robin@example.com');
  });

  test('marks each field so that a browser can fill it in', async () => {
    await visitPortal('/sign_up');
    const purposes = ['Name', 'Email', 'Phone (optional)', 'Password'].map(
      (label) => field(label).autocomplete,
    );
    expect(purposes).toEqual(['name', 'username', 'tel', 'new-password']);
  });

  test('lists every invalid field, and sends nothing', async () => {
    await visitPortal('/sign_up');
    await userEvent.type(field('Phone (optional)'), 'none');
    await press();
    const links = (await screen.findAllByRole('link')).filter((link) => link.closest('[role=alert]'));
    expect(links.map(({ textContent }) => textContent)).toEqual([
      'Enter your name.',
      'Enter an email address, like name@example.com.',
      'Enter a phone number, like +1 206 555 0142, or leave it empty.',
      'Choose a longer password.',
      'Accept the terms of carriage to continue.',
    ]);
    await userEvent.click(links[4] as HTMLElement);
    expect(document.activeElement).toBe(field('I accept the terms of carriage'));
    expect(sent()).toEqual([]);
  });

  test('hides the problem of a field that changes', async () => {
    await visitPortal('/sign_up');
    await press();
    expect(field('Name').getAttribute('aria-invalid')).toBe('true');
    await userEvent.type(field('Name'), 'R');
    expect(field('Name').getAttribute('aria-invalid')).toBeNull();
    await userEvent.click(field('I accept the terms of carriage'));
    expect(field('I accept the terms of carriage').getAttribute('aria-invalid')).toBeNull();
    expect(field('Email').getAttribute('aria-invalid')).toBe('true');
  });

  test('shows the server’s problems beside their fields', async () => {
    answer = () =>
      refusal('password_too_common', 'That password is too easy to guess.', { field: 'password' });
    await fillIn();
    await press();
    await waitFor(() => expect(field('Password').getAttribute('aria-invalid')).toBe('true'));
    answer = () => refusal('invalid_input', 'That is not an email address.', { field: 'email' });
    await press();
    await waitFor(() => expect(field('Email').getAttribute('aria-invalid')).toBe('true'));
    expect(field('Password').getAttribute('aria-invalid')).toBeNull();
  });

  test('asks for the terms again if they have changed', async () => {
    answer = () => refusal('terms_outdated', 'Our terms have changed. Please read and accept them again.');
    await fillIn();
    await press();
    expect(await screen.findAllByText(/^Our terms have changed\./)).not.toEqual([]);
    expect(field('I accept the terms of carriage').checked).toBe(false);
  });
});
