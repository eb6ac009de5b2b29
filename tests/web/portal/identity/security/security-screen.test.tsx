import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type {
  Passkey,
  SecurityEvent,
  SecurityOverview,
  SignedInDevice,
} from '#contract/identity/security/schemas.ts';
import { json, openPage, success, TOKEN } from '#tests/web/platform/page.ts';
import { refusal } from '#tests/web/portal/refusal.ts';
import { answerApi, CUSTOMER, listAnswer, OVERVIEW, visitPortal } from '#tests/web/portal/visit-portal.tsx';
import { profileStore } from '#web/platform/account/profile.ts';
import { startSession } from '#web/platform/session/session.ts';
import { isBusy } from '#web/platform/updates/busy.ts';

const NOW = new Date(2026, 5, 5, 8, 12);
const at = (daysAgo: number) => new Date(NOW.getTime() - daysAgo * 86_400_000).toISOString();
const CODES = Array.from({ length: 10 }, (_, index) => `ABCD-EFGH-IJKL-MN${index}`);
const startRegistration = vi.hoisted(() => vi.fn());
vi.mock('@simplewebauthn/browser', () => ({ startRegistration }));

let overview: SecurityOverview;
let passkeys: Passkey[];
let sessions: SignedInDevice[];
let events: (page: number) => Response;
let answer: (path: string, method: string, body: unknown) => Response | Promise<Response> | undefined;
let requests: ReturnType<typeof answerApi>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW });
  openPage();
  startSession(TOKEN);
  vi.stubGlobal('PublicKeyCredential', class {});
  overview = { ...OVERVIEW };
  passkeys = [];
  sessions = [buildSession({ current: true })];
  events = () => listAnswer([]);
  answer = () => undefined;
  requests = answerApi(({ url, init }) => {
    const path = url.pathname.replace('/api/customers', '');
    const special = answer(path, init.method ?? 'GET', init.body ? JSON.parse(String(init.body)) : null);
    if (special !== undefined) return special;
    if (init.method !== undefined && init.method !== 'GET') return undefined;
    if (path === '/security') return success(overview);
    if (path === '/passkeys') return success(passkeys);
    if (path === '/sessions') return success(sessions);
    return path === '/security_events' ? events(Number(url.searchParams.get('page'))) : undefined;
  });
});
afterEach(() => {
  cleanup();
  openPage();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function buildPasskey(over: Partial<Passkey> = {}): Passkey {
  return {
    id: 'pk_00000000000000000000000001',
    name: 'Phone',
    inserted_at: at(40),
    last_used_at: at(0),
    backed_up: true,
    credential_id: 'Y3JlZA',
    ...over,
  };
}

function buildSession(over: Partial<SignedInDevice> = {}): SignedInDevice {
  return {
    id: 'ses_00000000000000000000000001',
    kind: 'password',
    device: 'Safari on iPhone',
    inserted_at: at(1),
    last_seen_at: at(0),
    current: false,
    ...over,
  };
}

const sent = (method: string, path: string) =>
  requests.filter(({ url, init }) => init.method === method && url === `/api/customers${path}`);
const bodyOf = (method: string, path: string) => JSON.parse(String(sent(method, path)[0]?.init.body));
const card = (title: string) =>
  within(screen.getByRole('heading', { name: title, level: 2 }).closest('section') as HTMLElement);
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const inDialog = () => within(screen.getByRole('dialog'));

async function open() {
  const visit = await visitPortal('/security');
  await screen.findByText(/^You sign in with (your email|a code we email you)/);
  await screen.findByRole('button', { name: 'Add a passkey' });
  return visit;
}

describe('Password & Security', () => {
  test('shows all cards together', async () => {
    const late = Promise.withResolvers<Response>();
    answer = (path) => (path === '/passkeys' ? late.promise : undefined);
    const { client } = await visitPortal('/security');
    await waitFor(() => expect(client.isFetching()).toBe(1));
    expect(screen.getByText('Loading your security settings…')).toBeTruthy();
    expect(screen.queryByRole('heading', { level: 2 })).toBeNull();
    late.resolve(success([]));
    expect(await screen.findByRole('button', { name: 'Add a passkey' })).toBeTruthy();
    expect(screen.queryByText('Loading your security settings…')).toBeNull();
    expect(screen.getByText(/^You sign in with your email/)).toBeTruthy();
  });

  test('shows the loaded cards if one fails', async () => {
    answer = (path) => (path === '/passkeys' ? json({}, 500) : undefined);
    await visitPortal('/security');
    expect(await screen.findByText('We could not load your passkeys')).toBeTruthy();
    expect(await screen.findByText(/^You sign in with your email/)).toBeTruthy();
    answer = () => undefined;
    await press('Try again');
    expect(await screen.findByRole('button', { name: 'Add a passkey' })).toBeTruthy();
  });

  test('keeps the text of a failed card while it is fetched again', async () => {
    answer = (path) =>
      path === '/passkeys' ? refusal('rate_limited', 'Too many tries.', { status: 429 }) : undefined;
    await visitPortal('/security');
    const reason = await screen.findByText('Too many tries.');
    const late = Promise.withResolvers<Response>();
    answer = (path) => (path === '/passkeys' ? late.promise : undefined);
    await press('Try again');
    expect(await screen.findByText('Trying…')).toBeTruthy();
    expect(reason.isConnected).toBe(true);
    expect(reason.textContent).toBe('Too many tries.');
    late.resolve(success([]));
    expect(await screen.findByRole('button', { name: 'Add a passkey' })).toBeTruthy();
  });
});

describe('the password', () => {
  test('is changed, and all other devices are signed out', async () => {
    await open();
    expect(card('Password').getByText(/It was set on Mar 3, 2026\./)).toBeTruthy();
    await press('Change password');
    const field = screen.getByLabelText('New password');
    expect(field.getAttribute('autocomplete')).toBe('new-password');
    await userEvent.type(field, 'gull anchor seven kelp');
    await waitFor(() => expect(isBusy()).toBe(true));
    await press('Change password');
    expect(await screen.findByText(/^Your password is changed\./)).toBeTruthy();
    expect(bodyOf('POST', '/password')).toEqual({ password: 'gull anchor seven kelp' });
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change password' }));
    await waitFor(() => expect(isBusy()).toBe(false));
  });

  test('can be set for the first time', async () => {
    overview = { ...OVERVIEW, has_password: false, password_changed_at: null };
    await open();
    await press('Set a password');
    await userEvent.type(screen.getByLabelText('New password'), 'gull anchor seven kelp{Enter}');
    expect(await screen.findByText(/^Your password is set\./)).toBeTruthy();
  });

  test('remains in its field when it is refused, and the reason appears beside it and in the summary', async () => {
    answer = (path) =>
      path === '/password'
        ? refusal('password_too_common', 'That password is too easy to guess.')
        : undefined;
    await open();
    await press('Change password');
    const field = screen.getByLabelText<HTMLInputElement>('New password');
    await userEvent.type(field, 'password{Enter}');
    const link = await screen.findByRole('link', { name: 'That password is too easy to guess.' });
    expect(document.activeElement).toBe(link.closest('[role=alert]'));
    expect(field.value).toBe('password');
    expect(field.getAttribute('aria-invalid')).toBe('true');
  });
});

describe('passkeys', () => {
  test('are listed with the dates of their creation and last use, and whether they are synced', async () => {
    passkeys = [
      buildPasskey(),
      buildPasskey({ id: 'pk_2', name: 'Key', last_used_at: null, backed_up: false }),
    ];
    await open();
    const rows = card('Passkeys')
      .getAllByRole('listitem')
      .map((row) => row.textContent);
    expect(rows).toEqual([
      expect.stringMatching(/^Phone Synced.*Added Apr 26, 2026, last used today, 8:12 AM/),
      expect.stringMatching(/^Key This device only.*not used yet/),
    ]);
  });

  test('are created by the browser, whose response is sent unchanged', async () => {
    const response = { id: 'a', rawId: 'a', type: 'public-key', response: { clientDataJSON: 'b' } };
    startRegistration.mockResolvedValueOnce(response);
    const options = { challenge: 'c', pubKeyCredParams: [] };
    answer = (path, method) => {
      if (path === '/passkeys/challenge') return success({ temp: 'temp-1', options });
      if (path !== '/passkeys' || method !== 'POST') return undefined;
      passkeys = [buildPasskey()];
      return success(buildPasskey());
    };
    await open();
    await press('Add a passkey');
    expect(await screen.findByText('“Phone” is added. You can sign in with it from now on.')).toBeTruthy();
    expect(startRegistration).toHaveBeenCalledWith({ optionsJSON: options });
    expect(bodyOf('POST', '/passkeys')).toEqual({ temp: 'temp-1', response });
    expect(await screen.findByText('Synced')).toBeTruthy();
  });

  test.each([
    ['NotAllowedError', 'No passkey was added. You can try again.'],
    ['InvalidStateError', 'This device already has a passkey for your account.'],
  ])('show an explanation when the browser refuses them with %s', async (name, text) => {
    startRegistration.mockRejectedValueOnce(new DOMException('No.', name));
    answer = (path) =>
      path === '/passkeys/challenge' ? success({ temp: 'temp-1', options: { challenge: 'c' } }) : undefined;
    await open();
    await press('Add a passkey');
    expect(await screen.findByText(text)).toBeTruthy();
    expect(sent('POST', '/passkeys')).toEqual([]);
  });

  test('are not offered where the browser does not support them', async () => {
    vi.stubGlobal('PublicKeyCredential', undefined);
    await visitPortal('/security');
    expect(await screen.findByText(/^This browser does not support passkeys/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
  });

  test('are renamed', async () => {
    passkeys = [buildPasskey()];
    answer = (_, method) => {
      if (method !== 'PATCH') return undefined;
      passkeys = [buildPasskey({ name: 'Old phone' })];
      return success(passkeys[0]);
    };
    await open();
    await press('Change Phone');
    await userEvent.click(screen.getByRole('menuitem', { name: 'Rename' }));
    const field = inDialog().getByLabelText<HTMLInputElement>('Name');
    expect(document.activeElement).toBe(field);
    await userEvent.clear(field);
    await userEvent.type(field, '{Enter}');
    expect(inDialog().getByText('Enter a name.')).toBeTruthy();
    await userEvent.type(field, 'Old phone{Enter}');
    expect(await screen.findByText('Old phone')).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(bodyOf('PATCH', '/passkeys/pk_00000000000000000000000001')).toEqual({ name: 'Old phone' });
  });

  test('are removed after a confirmation, and the browser is informed', async () => {
    const told: unknown[] = [];
    const signalUnknownCredential = async (passkey: unknown) => void told.push(passkey);
    vi.stubGlobal('PublicKeyCredential', Object.assign(class {}, { signalUnknownCredential }));
    passkeys = [buildPasskey()];
    answer = (_, method) => {
      if (method !== 'DELETE') return undefined;
      passkeys = [];
      return success(null);
    };
    await open();
    await press('Change Phone');
    await userEvent.click(screen.getByRole('menuitem', { name: 'Remove' }));
    await userEvent.click(inDialog().getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('“Phone” is removed.')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Change Phone' })).toBeNull());
    expect(told).toEqual([{ rpId: 'ferry.localhost', credentialId: 'Y3JlZA' }]);
  });

  test('show why they cannot be removed yet', async () => {
    passkeys = [buildPasskey()];
    answer = (_, method) =>
      method === 'DELETE'
        ? refusal('last_second_factor', 'Turn off two-step sign-in before you remove this.')
        : undefined;
    await open();
    await press('Change Phone');
    await userEvent.click(screen.getByRole('menuitem', { name: 'Remove' }));
    await userEvent.click(inDialog().getByRole('button', { name: 'Remove' }));
    expect(await inDialog().findByText('Turn off two-step sign-in before you remove this.')).toBeTruthy();
  });
});

describe('the authenticator', () => {
  const SETUP = { secret: 'ABCDEFGHIJKLMNOP', otpauth_uri: 'otpauth://totp/Sound?secret=ABCDEFGHIJKLMNOP' };

  async function setUp() {
    answer = (path, method, body) => {
      if (path === '/authenticator' && method === 'POST') return success(SETUP);
      if (path !== '/authenticator/confirm') return undefined;
      if ((body as { code: string }).code !== '123456')
        return refusal('invalid_code', 'That code is not right.');
      overview = {
        ...OVERVIEW,
        mfa_required: true,
        authenticator: { status: 'active', confirmed_at: at(0) },
        recovery_codes_left: 10,
      };
      return success({ recovery_codes: CODES });
    };
    await open();
    await press('Set up an authenticator');
    await screen.findByRole('dialog', { name: 'Set up an authenticator' });
  }

  test('is set up from a QR code, a link or a key', async () => {
    await setUp();
    expect(inDialog().getByRole('img', { name: 'Code to scan with your authenticator app' })).toBeTruthy();
    expect(inDialog().getByText('ABCD EFGH IJKL MNOP')).toBeTruthy();
    expect(inDialog().getByRole('link', { name: 'Open it there' }).getAttribute('href')).toBe(
      SETUP.otpauth_uri,
    );
  });

  test('is active after one correct code, and then shows the recovery codes until they are saved', async () => {
    await setUp();
    const field = inDialog().getByLabelText('Code that the app shows');
    expect(document.activeElement).toBe(field);
    await userEvent.type(field, '000000');
    await waitFor(() => expect(inDialog().getAllByText('That code is not right.')).toHaveLength(2));
    await userEvent.clear(field);
    await userEvent.type(field, '123456');
    await screen.findByRole('dialog', { name: 'Save these recovery codes' });
    expect(
      inDialog()
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual(CODES);
    expect(inDialog().queryByRole('button', { name: 'Close' })).toBeNull();
    await waitFor(() => expect(isBusy()).toBe(true));
    // The codes stay visible after the rest of the screen is updated.
    await waitFor(() => expect(screen.getByText(/^Your authenticator was set up on/)).toBeTruthy());
    expect(inDialog().getByText(CODES[9] ?? '')).toBeTruthy();
    expect(profileStore.get().customer.mfaRequired).toBe(true);
    await userEvent.click(inDialog().getByRole('button', { name: 'Done' }));
    const box = inDialog().getByRole('checkbox', { name: 'I have saved these codes' });
    expect(document.activeElement).toBe(box);
    expect(inDialog().getByText('Copy or download your codes first, or check this box.')).toBeTruthy();
    await userEvent.click(box);
    await userEvent.click(inDialog().getByRole('button', { name: 'Done' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() => expect(isBusy()).toBe(false));
  });

  test('is removed after a confirmation', async () => {
    overview = {
      ...OVERVIEW,
      authenticator: { status: 'active', confirmed_at: at(3) },
      recovery_codes_left: 8,
    };
    answer = (path, method) => {
      if (path !== '/authenticator' || method !== 'DELETE') return undefined;
      overview = { ...OVERVIEW };
      return success(null);
    };
    await open();
    await press('Remove authenticator');
    await userEvent.click(inDialog().getByRole('button', { name: 'Remove' }));
    expect(await screen.findByText('Your authenticator is removed.')).toBeTruthy();
    expect(await screen.findByRole('button', { name: 'Set up an authenticator' })).toBeTruthy();
  });
});

describe('two-step sign-in', () => {
  const toggle = () => screen.getByRole<HTMLInputElement>('switch', { name: 'Ask for a second step' });

  test('requires an authenticator or a passkey', async () => {
    await open();
    expect(toggle().disabled).toBe(true);
    expect(screen.getByText(/^Set up an authenticator or add a passkey first/)).toBeTruthy();
  });

  test('is on once the server confirms it', async () => {
    overview = { ...OVERVIEW, passkeys: 1 };
    answer = (path, method) => {
      if (path !== '' || method !== 'PATCH') return undefined;
      overview = { ...overview, mfa_required: true };
      return success(null, { ...CUSTOMER, mfa_required: true });
    };
    await open();
    await userEvent.click(toggle());
    expect(await screen.findByText('Two-step sign-in is on.')).toBeTruthy();
    await waitFor(() => expect(toggle().checked).toBe(true));
    expect(bodyOf('PATCH', '')).toEqual({ mfa_required: true });
    expect(profileStore.get().customer.mfaRequired).toBe(true);
  });

  test('stays on while a step-up is pending', async () => {
    overview = { ...OVERVIEW, passkeys: 1, mfa_required: true };
    answer = (path, method) =>
      path === '' && method === 'PATCH'
        ? refusal('step_up_required', 'Please confirm.', { status: 403, details: { methods: ['password'] } })
        : undefined;
    await open();
    await userEvent.click(toggle());
    await screen.findByRole('dialog', { name: 'Confirm it’s you' });
    expect(toggle().checked).toBe(true);
    await press('Close');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(toggle().checked).toBe(true);
    expect(screen.queryByText('Two-step sign-in is off.')).toBeNull();
  });
});

describe('recovery codes', () => {
  const active = { status: 'active', confirmed_at: at(3) } as const;

  test.each([
    [10, /^You have 10 recovery codes\./],
    [3, /^You have 3 recovery codes left/],
    [1, /^You have one recovery code left/],
    [0, /^You have no recovery codes/],
  ])('say when %i are left', async (left, text) => {
    overview = { ...OVERVIEW, authenticator: active, recovery_codes_left: left };
    await open();
    expect(screen.getByText(text)).toBeTruthy();
  });

  test('are replaced after a confirmation, because the old ones stop working', async () => {
    overview = { ...OVERVIEW, authenticator: active, recovery_codes_left: 2 };
    answer = (path) => (path === '/recovery_codes' ? success({ recovery_codes: CODES }) : undefined);
    await open();
    await press('Get new codes');
    expect(sent('POST', '/recovery_codes')).toEqual([]);
    await userEvent.click(inDialog().getByRole('button', { name: 'Get new codes' }));
    await screen.findByRole('dialog', { name: 'Save these recovery codes' });
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue(undefined);
    await userEvent.click(inDialog().getByRole('button', { name: 'Copy' }));
    await waitFor(() => expect(inDialog().getAllByText('Copied')).toHaveLength(2));
    expect(write).toHaveBeenCalledWith(CODES.join('\n'));
    await userEvent.click(inDialog().getByRole('button', { name: 'Done' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('are not shown to customers who need none', async () => {
    await open();
    expect(screen.queryByRole('heading', { name: 'Recovery codes' })).toBeNull();
  });
});

describe('devices', () => {
  const OTHER = buildSession({
    id: 'ses_2',
    device: 'Firefox on Windows',
    kind: 'magic_link',
    last_seen_at: at(1),
  });

  test('are listed, this one first', async () => {
    sessions = [OTHER, buildSession({ current: true })];
    await open();
    const rows = await card('Where you are signed in').findAllByRole('listitem');
    expect(rows.map((row) => row.textContent)).toEqual([
      expect.stringMatching(/^Safari on iPhone This device.*with your password yesterday, 8:12 AM/),
      expect.stringMatching(/^Firefox on Windows.*by email yesterday.*Last seen yesterday, 8:12 AM/),
    ]);
    expect(
      within(rows[0] as HTMLElement)
        .getByRole('link', { name: 'Sign out' })
        .getAttribute('href'),
    ).toBe('/sign_out');
  });

  test('are signed out one by one', async () => {
    sessions = [OTHER, buildSession({ current: true })];
    answer = (_, method) => {
      if (method !== 'DELETE') return undefined;
      sessions = [buildSession({ current: true })];
      return success(null);
    };
    await open();
    await press('Sign out Firefox on Windows');
    expect(await screen.findByText('Firefox on Windows is signed out.')).toBeTruthy();
    expect(sent('DELETE', '/sessions/ses_2')).toHaveLength(1);
    expect(await screen.findByText('You’re not signed in anywhere else.')).toBeTruthy();
  });

  test('are signed out together, except this one', async () => {
    sessions = [OTHER, buildSession({ current: true })];
    await open();
    await press('Sign out all other devices');
    expect(await screen.findByText('All other devices are signed out.')).toBeTruthy();
    expect(sent('DELETE', '/sessions')).toHaveLength(1);
  });
});

describe('recent security events', () => {
  const build = (id: number, kind: SecurityEvent['kind']): SecurityEvent => ({
    id: `evt_${id}`,
    kind,
    device: 'Safari on iPhone',
    inserted_at: at(id),
  });

  test('are loaded by page, and the focus moves to the first new one', async () => {
    events = (page) =>
      listAnswer([build(page, page === 1 ? 'password_changed' : 'passkey_added')], { page, total_pages: 2 });
    await open();
    expect(await screen.findByText('Password changed')).toBeTruthy();
    await press('Show more');
    const next = (await screen.findByText('Passkey added')).closest('tr');
    await waitFor(() => expect(document.activeElement).toBe(next));
    expect(next?.textContent).toContain('Safari on iPhone');
    expect(next?.textContent).toContain('Jun 3, 8:12 AM');
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  test('say so when there are none', async () => {
    await open();
    expect(await screen.findByText(/^Sign-ins on new devices and security changes/)).toBeTruthy();
  });
});
