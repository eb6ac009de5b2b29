import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { exportCustomer } from '#contract/privacy/endpoints.ts';
import { openPage, success, TOKEN } from '#tests/web/platform/page.ts';
import { refusal, stepUpRefusal } from '#tests/web/portal/refusal.ts';
import { answerApi, visitPortal } from '#tests/web/portal/visit-portal.tsx';
import { profileStore } from '#web/platform/account/profile.ts';
import { request } from '#web/platform/api/request.ts';
import { runWithStepUp, StepUpCanceled, setIdentityCheck } from '#web/platform/forms/step-up.ts';
import { clearSession, readToken, renewToken, startSession } from '#web/platform/session/session.ts';
import { isBusy } from '#web/platform/updates/busy.ts';
import { cancelStepUp, confirmIdentity, stepUpStore } from '#web/portal/identity/step-up/step-up.ts';

const FRESH = 'gw_fresh';
let methods: string[];
/** The response to a proof. The session is fresh after an accepted proof. */
let check: (proof: Record<string, unknown>) => Response | Promise<Response>;
let requests: ReturnType<typeof answerApi>;

beforeEach(() => {
  openPage();
  startSession(TOKEN);
  methods = ['password'];
  check = () => success({ token: FRESH });
  requests = answerApi(({ url, init }) => {
    if (url.pathname.endsWith('/reauthenticate')) return check(JSON.parse(String(init.body)));
    if (!url.pathname.endsWith('/export')) return undefined;
    return tokenOf(init) === FRESH ? success({ orders: [] }) : stepUpRefusal(...methods);
  });
});
afterEach(async () => {
  await act(async () => cancelStepUp());
  cleanup();
  openPage();
  vi.unstubAllGlobals();
});

const tokenOf = (init: RequestInit) =>
  new Headers(init.headers).get('authorization')?.replace('Bearer ', '') ?? null;
const proofs = () =>
  requests
    .filter(({ url }) => url.endsWith('/reauthenticate'))
    .map(({ init }) => JSON.parse(String(init.body)));
const exports = () => requests.filter(({ url }) => url.endsWith('/export'));
const dialog = () => screen.findByRole('dialog', { name: 'Confirm it’s you' });
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));

/** Opens My Account and presses a button whose call requires a step-up. */
async function ask() {
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x');
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue(undefined);
  const visit = await visitPortal('/account');
  await userEvent.click(await screen.findByRole('button', { name: 'Download my data' }));
  await dialog();
  return visit;
}

describe('an action that requires a step-up', () => {
  test('runs again after the password, with the new token', async () => {
    await ask();
    await waitFor(() => expect(isBusy()).toBe(true));
    const name = profileStore.get().customer.name;
    const field = screen.getByLabelText('Password');
    expect(document.activeElement).toBe(field);
    await userEvent.type(field, 'by ferry{Enter}');
    expect(await screen.findByText('Your file is in your downloads.')).toBeTruthy();
    expect(proofs()).toEqual([{ password: 'by ferry' }]);
    expect(exports().map(({ init }) => tokenOf(init))).toEqual([TOKEN, FRESH]);
    expect(readToken()).toBe(FRESH);
    expect(profileStore.get()).toMatchObject({ loaded: true, customer: { name } });
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Download my data' }));
    await waitFor(() => expect(isBusy()).toBe(false));
  });

  test('changes nothing when the step-up is canceled', async () => {
    await ask();
    await press('Close');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(exports()).toHaveLength(1);
    expect(readToken()).toBe(TOKEN);
    expect(screen.queryByRole('alert', { name: '' })?.textContent ?? '').toBe('');
    const button = screen.getByRole('button', { name: 'Download my data' });
    expect(document.activeElement).toBe(button);
    expect(button.getAttribute('aria-busy')).toBeNull();
  });

  test('shows the error and can be repeated', async () => {
    check = ({ password }) =>
      password === 'right'
        ? success({ token: FRESH })
        : refusal('invalid_credentials', 'That email and password do not match. Check both and try again.');
    await ask();
    const field = screen.getByLabelText<HTMLInputElement>('Password');
    await press('Confirm');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(proofs()).toEqual([]);
    await userEvent.type(field, 'wrong{Enter}');
    await waitFor(() => expect(screen.getAllByText('That password is not right.').length).toBe(2));
    expect(readToken()).toBe(TOKEN);
    await userEvent.clear(field);
    await userEvent.type(field, 'right{Enter}');
    expect(await screen.findByText('Your file is in your downloads.')).toBeTruthy();
  });

  test('says how long to wait after too many tries, and ends no session', async () => {
    check = () => refusal('rate_limited', 'Too many tries.', { status: 429, retryAfter: 120 });
    await ask();
    await userEvent.type(screen.getByLabelText('Password'), 'x{Enter}');
    await waitFor(() =>
      expect(screen.getAllByText('Too many tries. You can try again in 2 minutes.').length).toBe(2),
    );
    expect(readToken()).toBe(TOKEN);
  });

  test('offers the passkey first if the browser supports it, and the other methods below', async () => {
    vi.stubGlobal('PublicKeyCredential', class {});
    methods = ['password', 'authenticator', 'passkey'];
    await ask();
    const inside = within(await dialog());
    expect(document.activeElement).toBe(inside.getByRole('button', { name: 'Use a passkey' }));
    await press('Use your authenticator instead');
    expect(document.activeElement).toBe(screen.getByLabelText('Code from your authenticator'));
    expect(inside.getByRole('button', { name: 'Use a passkey instead' })).toBeTruthy();
    expect(inside.getByRole('button', { name: 'Use your password instead' })).toBeTruthy();
  });

  test('starts with another method if the browser does not support passkeys', async () => {
    methods = ['passkey', 'password'];
    await ask();
    expect(screen.getByLabelText('Password')).toBeTruthy();
  });

  test('sends a code of the authenticator as soon as all digits are typed', async () => {
    methods = ['authenticator'];
    await ask();
    const field = screen.getByLabelText('Code from your authenticator');
    await userEvent.type(field, '12345{Enter}');
    expect(screen.getAllByText('Enter all 6 digits of the code.')).toHaveLength(2);
    await userEvent.type(field, '6');
    expect(await screen.findByText('Your file is in your downloads.')).toBeTruthy();
    expect(proofs()).toEqual([{ code: '123456' }]);
  });

  test('accepts a recovery code instead of the authenticator', async () => {
    methods = ['authenticator'];
    await ask();
    await press('Use a recovery code');
    await userEvent.type(screen.getByLabelText('Recovery code'), 'abcd-efgh-ijkl-mnop{Enter}');
    expect(await screen.findByText('Your file is in your downloads.')).toBeTruthy();
    expect(proofs()).toEqual([{ code: 'abcd-efgh-ijkl-mnop' }]);
  });

  test('mails a code if there is no other method, and another on demand', async () => {
    methods = ['email_code'];
    check = ({ send }) =>
      send === undefined
        ? success({ token: FRESH })
        : success({ temp: 'temp-1', next: 'email_code', expires_in: 600, resend_in: 60 });
    await ask();
    await press('Send a code to robin@example.com');
    expect(await screen.findByText('We sent a code to robin@example.com.')).toBeTruthy();
    expect(screen.getByRole('button', { name: /^Send another email in/ })).toBeTruthy();
    await userEvent.type(screen.getByLabelText('Code from the email'), '123456');
    expect(await screen.findByText('Your file is in your downloads.')).toBeTruthy();
    expect(proofs()).toEqual([{ send: 'email_code' }, { temp: 'temp-1', code: '123456' }]);
  });

  test('shows how to reach the office if there is no method', async () => {
    methods = [];
    await ask();
    expect((await dialog()).textContent).toContain('a@example.com');
  });

  test('cancels the step-up when its screen is left', async () => {
    const { router } = await ask();
    await act(() => router.navigate('/404'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(stepUpStore.get()).toBeNull();
  });

  test('cancels the step-up when the session ends', async () => {
    await ask();
    await act(async () => clearSession());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });
});

describe('running a call with a step-up', () => {
  const run = () => runWithStepUp(() => request(exportCustomer));

  beforeEach(() => {
    setIdentityCheck(confirmIdentity);
  });

  test('asks once for calls refused at the same time', async () => {
    const both = Promise.all([run(), run()]);
    await waitFor(() => expect(stepUpStore.get()).not.toBeNull());
    const request = stepUpStore.get();
    await waitFor(() => expect(exports()).toHaveLength(2));
    renewToken(FRESH);
    request?.settle(true);
    expect(await both).toHaveLength(2);
    expect(exports()).toHaveLength(4);
  });

  test('throws StepUpCanceled when it is canceled', async () => {
    const result = run().catch((error: unknown) => error);
    await waitFor(() => expect(stepUpStore.get()).not.toBeNull());
    cancelStepUp();
    expect(await result).toBeInstanceOf(StepUpCanceled);
  });

  test('rethrows other errors', async () => {
    answerApi(() => refusal('rate_limited', 'Too many tries.', { status: 429 }));
    await expect(run()).rejects.toMatchObject({ code: 'rate_limited' });
    expect(stepUpStore.get()).toBeNull();
  });

  test('does not ask again if the second call is refused too', async () => {
    const result = run().catch((error: unknown) => error);
    await waitFor(() => expect(stepUpStore.get()).not.toBeNull());
    stepUpStore.get()?.settle(true);
    expect(await result).toMatchObject({ code: 'step_up_required' });
    expect(stepUpStore.get()).toBeNull();
  });
});
