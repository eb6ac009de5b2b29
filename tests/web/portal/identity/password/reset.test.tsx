import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { stubStrengthWorker } from '#tests/web/features/identity/fake-strength.ts';
import { openPage, success } from '#tests/web/platform/page.ts';
import { refusal } from '#tests/web/portal/refusal.ts';
import { answerApi, visitPortal } from '#tests/web/portal/visit-portal.tsx';

const SECRET = 'R'.repeat(43);
const LINK = `/password/new#token=${SECRET}`;

let answer: () => Response;
let requests: ReturnType<typeof answerApi>;
beforeEach(() => {
  openPage();
  stubStrengthWorker();
  answer = () => success(null);
  requests = answerApi(({ url }) => (url.pathname.includes('/password/') ? answer() : undefined));
});
afterEach(() => {
  cleanup();
  openPage();
  vi.unstubAllGlobals();
});
afterAll(() => {
  vi.unstubAllGlobals();
});

const sent = (path: string) =>
  requests.filter(({ url }) => url.endsWith(path)).map(({ init }) => JSON.parse(String(init.body)));

describe('requesting a password reset', () => {
  async function ask(address: string) {
    await visitPortal('/password/reset');
    await userEvent.type(screen.getByLabelText('Email'), address);
    await userEvent.click(screen.getByRole('button', { name: 'Email me a link' }));
  }

  test('shows the same screen for every address, and moves the focus there', async () => {
    await ask(' robin@example.com ');
    expect(await screen.findByRole('heading', { name: 'Check your email' })).toBeTruthy();
    expect(sent('/reset_instructions')).toEqual([{ email: 'robin@example.com' }]);
    expect(document.activeElement).toBe(document.querySelector('main'));
    expect(document.title).toBe('Reset Password | Sound Ferries');
    await userEvent.click(screen.getByRole('button', { name: 'Use another address' }));
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('robin@example.com');
  });

  test('requires an address', async () => {
    await ask('robin');
    expect(await screen.findByText('We could not send the email')).toBeTruthy();
    expect(sent('/reset_instructions')).toEqual([]);
  });

  test('says how long to wait after too many requests', async () => {
    answer = () => refusal('rate_limited', 'Too many tries.', { status: 429, retryAfter: 3600 });
    await ask('robin@example.com');
    expect(await screen.findByText('Too many tries. You can try again in 60 minutes.')).toBeTruthy();
  });
});

describe('setting a new password', () => {
  const password = () => screen.findByLabelText<HTMLInputElement>('New password');
  const press = () => userEvent.click(screen.getByRole('button', { name: 'Set password' }));

  async function set(text = 'by ferry across') {
    const visit = await visitPortal(LINK);
    await userEvent.type(await password(), text);
    await press();
    return visit;
  }

  test('leads to the sign-in page', async () => {
    const { router } = await set();
    await waitFor(() => expect(router.state.location.pathname).toBe('/sign_in'));
    expect(await screen.findByText(/^Your password is changed/)).toBeTruthy();
    expect(sent('/reset')).toEqual([{ token: SECRET, password: 'by ferry across' }]);
  });

  test('refuses a short password before sending it', async () => {
    await set('short');
    expect(await screen.findAllByText('Choose a longer password.')).not.toEqual([]);
    expect(sent('/reset')).toEqual([]);
  });

  test('shows the server’s error beside the field, and keeps the typed password', async () => {
    answer = () =>
      refusal('password_too_common', 'That password is too easy to guess.', { field: 'password' });
    await set();
    await waitFor(async () => expect((await password()).getAttribute('aria-invalid')).toBe('true'));
    expect((await password()).value).toBe('by ferry across');
  });

  test('asks for the second step if the account has one, and keeps the typed password', async () => {
    answer = () => refusal('second_step_required', 'Enter the code from your authenticator too.');
    const { router } = await set();
    const code = await screen.findByLabelText('Code from your authenticator');
    expect((await password()).value).toBe('by ferry across');
    await userEvent.type(code, '123');
    await press();
    expect(await screen.findAllByText('Enter the 6 digits, or a recovery code.')).not.toEqual([]);
    answer = () => refusal('invalid_code', 'That code is not right. Check it and try again.');
    await userEvent.type(code, '456');
    await press();
    expect(await screen.findAllByText(/^That code is not right/)).not.toEqual([]);
    answer = () => success(null);
    await press();
    await waitFor(() => expect(router.state.location.pathname).toBe('/sign_in'));
    expect(sent('/reset').at(-1)).toEqual({ token: SECRET, password: 'by ferry across', code: '123456' });
  });

  test('offers a new link if this one has expired', async () => {
    answer = () => refusal('link_expired', 'That link has been used or is too old. Ask for a new one.');
    await set();
    expect(await screen.findByText(/^That link has been used/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Ask for a new link' }).getAttribute('href')).toBe(
      '/password/reset',
    );
    expect(screen.queryByLabelText('New password')).toBeNull();
  });

  test('cannot start without the token of a link', async () => {
    await visitPortal('/password/new');
    expect(await screen.findByText(/^This link is incomplete\./)).toBeTruthy();
  });
});
