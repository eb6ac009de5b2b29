import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import Cookies from 'js-cookie';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { json, openPage, success, TOKEN } from '#tests/web/platform/page.ts';
import { refusal, stepUpRefusal } from '#tests/web/portal/refusal.ts';
import { buildTripCard, OTHER_ID } from '#tests/web/portal/trip-cards/build-trip-card.ts';
import { answerApi, CUSTOMER, listAnswer, visitPortal } from '#tests/web/portal/visit-portal.tsx';
import { profileStore } from '#web/platform/account/profile.ts';
import { hasSessionEnded, readToken, startSession } from '#web/platform/session/session.ts';
import { isBusy } from '#web/platform/updates/busy.ts';

type Answer = (request: { path: string; method: string; body: unknown }) => Response | undefined;

let answer: Answer;
let requests: ReturnType<typeof answerApi>;
beforeEach(() => {
  openPage();
  startSession(TOKEN);
  answer = () => undefined;
  requests = answerApi(({ url, init }) => {
    const path = url.pathname.replace('/api/customers', '');
    const body = init.body ? JSON.parse(String(init.body)) : null;
    const answered = answer({ path, method: init.method ?? 'GET', body });
    return answered ?? (path === '/trip_cards' ? listAnswer([]) : undefined);
  });
});
afterEach(() => {
  cleanup();
  openPage();
  vi.unstubAllGlobals();
});

const sent = (method: string, path: string) =>
  requests
    .filter(({ url, init }) => init.method === method && url === `/api/customers${path}`)
    .map(({ init }) => JSON.parse(String(init.body)));
const input = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label);
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const press = (name: string | RegExp) => userEvent.click(button(name));

async function open(customer: object = {}) {
  const before = answer;
  answer = (request) =>
    before(request) ??
    (request.path === '/details' ? json({ success: true, ...CUSTOMER, ...customer }) : undefined);
  const visit = await visitPortal('/account');
  await screen.findByLabelText('Name');
  return visit;
}

describe('My Account', () => {
  test('says that it is loading, and offers to try again after a failure', async () => {
    answer = ({ path }) => (path === '/details' ? json({}, 500) : undefined);
    await visitPortal('/account');
    expect(await screen.findByText('Your details could not be loaded')).toBeTruthy();
    answer = () => undefined;
    await press('Try again');
    expect(await screen.findByLabelText('Name')).toBeTruthy();
  });

  test('shows the primary card, and links to the others', async () => {
    const card = { id: 'pcd_1', last_four: '4242', network: 'visa', exp_date: '12/30', expires_soon: true };
    answer = ({ path }) => (path === '/primary_card' ? success(card) : undefined);
    await open();
    expect(await screen.findByText(/^You pay with/)).toHaveProperty(
      'textContent',
      expect.stringMatching(/4242/),
    );
    expect(screen.getByText('Expires soon')).toBeTruthy();
    const link = screen.getByRole('link', { name: 'Payment Methods' });
    expect(link.getAttribute('href')).toBe('/payment_methods');
    expect(requests.filter(({ url }) => url.includes('payment_cards'))).toEqual([]);
  });

  test('says that no card is saved, and offers to try again if loading the cards fails', async () => {
    answer = ({ path }) => (path === '/primary_card' ? json({}, 422) : undefined);
    await open();
    expect(await screen.findByText('Your card could not be loaded')).toBeTruthy();
    answer = () => undefined;
    await press('Try again');
    expect(await screen.findByText('You have no saved cards.')).toBeTruthy();
  });

  test('marks each field so that a browser can fill it in', async () => {
    await open();
    expect([input('Name').autocomplete, input(/^Phone/).autocomplete]).toEqual(['name', 'tel']);
    await press('Change email');
    expect(input('New email').autocomplete).toBe('email');
  });

  test('shows the phone number in groups', async () => {
    await open({ phone: '+12065550142' });
    expect(input(/^Phone/).value).toBe('+1 206 555 0142');
  });

  test('sends only the changed fields, and shows the stored values', async () => {
    answer = ({ method }) =>
      method === 'PATCH' ? success(null, { ...CUSTOMER, phone: '+12065550199' }) : undefined;
    await open({ phone: '+12065550142' });
    await userEvent.clear(input(/^Phone/));
    await userEvent.type(input(/^Phone/), '+1 (206) 555-0199');
    await waitFor(() => expect(isBusy()).toBe(true));
    await press('Save');
    expect(await screen.findByText('Your details are saved.')).toBeTruthy();
    expect(sent('PATCH', '')).toEqual([{ phone: '+1 206 555 0199' }]);
    expect(input(/^Phone/).value).toBe('+1 206 555 0199');
    expect(profileStore.get().customer.phone).toBe('+12065550199');
    await waitFor(() => expect(isBusy()).toBe(false));
  });

  test('shows the language of pages and emails, and loads the page again in another one', async () => {
    const page = openPage();
    startSession(TOKEN);
    answer = ({ method }) =>
      method === 'PATCH' ? success(null, { ...CUSTOMER, language: 'nb' }) : undefined;
    await open({ language: 'en' });
    const choice = () =>
      screen.getByRole<HTMLSelectElement>('combobox', { description: 'For pages and emails.' });
    expect(choice().value).toBe('en');
    await userEvent.selectOptions(choice(), 'Norsk bokmål');
    await press('Save');
    await waitFor(() => expect(page.reloads).toBe(1));
    expect(sent('PATCH', '')).toEqual([{ language: 'nb' }]);
    expect(Cookies.get('my-language')).toBe('nb');
    Cookies.remove('my-language', { domain: 'ferry.localhost' });
  });

  test('sends nothing when nothing was changed', async () => {
    await open({ phone: '+12065550142' });
    await press('Save');
    expect(await screen.findByText('You haven’t changed anything.')).toBeTruthy();
    expect(sent('PATCH', '')).toEqual([]);
  });

  test('shows problems beside the fields and in a summary that takes the focus', async () => {
    await open();
    await userEvent.clear(input('Name'));
    await userEvent.type(input(/^Phone/), 'ask Robin');
    await press('Save');
    const summary = (await screen.findByText('Your details were not saved')).closest<HTMLElement>(
      '[role=alert]',
    );
    expect(document.activeElement).toBe(summary);
    expect(input('Name').getAttribute('aria-invalid')).toBe('true');
    expect(
      within(summary as HTMLElement)
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual([
      'Enter your name.',
      'Enter a phone number with its country code, like +1 206 555 0142, or leave it empty.',
    ]);
    expect(input(/^Phone/).value).toBe('ask Robin');
    expect(sent('PATCH', '')).toEqual([]);
  });

  test('keeps the typed values when the server refuses them', async () => {
    answer = ({ method }) =>
      method === 'PATCH'
        ? refusal('invalid_input', 'That name has a hidden sign.', { field: 'name' })
        : undefined;
    await open();
    await userEvent.type(input('Name'), ' II');
    await press('Save');
    expect(await screen.findByRole('link', { name: 'That name has a hidden sign.' })).toBeTruthy();
    expect(input('Name').value).toBe('Robin Castellanos II');
    expect(profileStore.get().customer.name).toBe('Robin Castellanos');
  });

  test('an ended session clears everything and leads to sign-in', async () => {
    const page = openPage();
    startSession(TOKEN);
    answer = ({ method }) => (method === 'PATCH' ? json({}, 401) : undefined);
    await open();
    await userEvent.type(input('Name'), ' II');
    await press('Save');
    await waitFor(() => expect(readToken()).toBeNull());
    expect(profileStore.get().loaded).toBe(false);
    expect(hasSessionEnded()).toBe(true);
    expect(page.navigations).toEqual(['http://my.ferry.localhost:8080/sign_in']);
  });
});

describe('changing the email', () => {
  const PENDING = { pending_email: 'new@example.com' };

  test('sends a link to the new address and says that the old one remains until it is opened', async () => {
    answer = ({ path }) => (path === '/change_email' ? success({ ...CUSTOMER, ...PENDING }) : undefined);
    await open();
    await press('Change email');
    expect(document.activeElement).toBe(input('New email'));
    expect(
      screen.getByText('We’ll email a link to this address. Your email changes when you open it.'),
    ).toBeTruthy();
    await userEvent.type(input('New email'), ' new@example.com {Enter}');
    expect(await screen.findByText('Waiting for you to confirm')).toBeTruthy();
    expect(sent('POST', '/change_email')).toEqual([{ new_email: 'new@example.com' }]);
    expect(screen.getByText('robin@example.com')).toBeTruthy();
    expect(document.activeElement).toBe(button('Change to another address'));
    expect(button(/^Send another email in/).getAttribute('aria-disabled')).toBe('true');
  });

  test.each([
    ['robin', 'Enter an email address, like name@example.com.'],
    ['Robin@example.com', 'This is already your address.'],
  ])('refuses "%s" before anything is sent', async (address, text) => {
    await open();
    await press('Change email');
    await userEvent.type(input('New email'), `${address}{Enter}`);
    expect(await screen.findByRole('link', { name: text })).toBeTruthy();
    expect(sent('POST', '/change_email')).toEqual([]);
    expect(input('New email').value).toBe(address);
  });

  test('can be canceled before it is sent', async () => {
    await open();
    await press('Change email');
    await press('Cancel');
    expect(screen.queryByLabelText('New email')).toBeNull();
    expect(document.activeElement).toBe(button('Change email'));
  });

  test('can be mailed again after a minute', async () => {
    await open(PENDING);
    await press('Send another email');
    expect(await screen.findByText(/^We sent another link to new@example.com/)).toBeTruthy();
    expect(sent('POST', '/resend_change_email_instructions')).toEqual([null]);
    expect(button(/^Send another email in (1:00|0:59)$/).getAttribute('aria-disabled')).toBe('true');
    await press(/^Send another email in/);
    expect(sent('POST', '/resend_change_email_instructions')).toHaveLength(1);
  });

  test('says when the next mail can be requested if the server sends that time', async () => {
    answer = ({ path }) =>
      path.startsWith('/resend')
        ? refusal('rate_limited', 'Too many tries.', { status: 429, retryAfter: 40 })
        : undefined;
    await open(PENDING);
    await press('Send another email');
    expect(await screen.findByText('Too many tries. You can try again in 40 seconds.')).toBeTruthy();
    expect(button(/^Send another email in 0:(40|39)$/)).toBeTruthy();
    expect(readToken()).toBe(TOKEN);
  });

  test('can be withdrawn while it is pending', async () => {
    answer = ({ method }) => (method === 'PATCH' ? success(null, CUSTOMER) : undefined);
    await open(PENDING);
    await press('Cancel the change');
    expect(await screen.findByText('Your email stays as it is.')).toBeTruthy();
    expect(sent('PATCH', '')).toEqual([{ pending_email: '' }]);
    expect(screen.queryByText('Waiting for you to confirm')).toBeNull();
    expect(button('Change email')).toBeTruthy();
  });

  test('disappears after it is completed elsewhere', async () => {
    let isDone = false;
    answer = ({ path }) => {
      if (path === '/details' && isDone)
        return json({ success: true, ...CUSTOMER, email: 'new@example.com' });
      if (!path.startsWith('/resend')) return undefined;
      isDone = true;
      return refusal(
        'no_email_change',
        'Your email address is not being changed. Reload the page to see it.',
      );
    };
    await open(PENDING);
    await press('Send another email');
    await waitFor(() => expect(screen.queryByText('Waiting for you to confirm')).toBeNull());
    expect(screen.getByText('new@example.com')).toBeTruthy();
  });
});

describe('the owner’s data', () => {
  test('is downloaded unchanged, in a file named after the day', async () => {
    const data = { customer: { pending_email: '' }, orders: [] };
    answer = ({ path }) => (path === '/export' ? success(data) : undefined);
    const files: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      files.push(blob as Blob);
      return 'blob:x';
    });
    const names: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download);
    });
    await open();
    await press('Download my data');
    expect(await screen.findByText('Your file is in your downloads.')).toBeTruthy();
    expect(names).toEqual([expect.stringMatching(/^my-data-\d{4}-\d\d-\d\d\.json$/)]);
    expect(JSON.parse(await (files[0] as Blob).text())).toEqual(data);
    vi.restoreAllMocks();
  });

  test('shows the server’s text after a failure', async () => {
    answer = ({ path }) =>
      path === '/export' ? refusal('rate_limited', 'Too many tries.', { status: 429 }) : undefined;
    await open();
    await press('Download my data');
    expect(await screen.findByText('Too many tries.')).toBeTruthy();
  });
});

describe('deleting the account', () => {
  const dialog = () => within(screen.getByRole('dialog', { name: 'Delete your account?' }));

  test('says what happens and requires the checkbox before anything is sent', async () => {
    await open();
    await press('Delete my account');
    const text = screen.getByRole('dialog').textContent ?? '';
    for (const fact of ['tickets stay valid', 'no longer listed', 'cannot be undone'])
      expect(text).toContain(fact);
    await userEvent.click(dialog().getByRole('button', { name: 'Delete my account' }));
    expect(dialog().getByText('Check this box if you want to delete your account.')).toBeTruthy();
    expect(document.activeElement).toBe(dialog().getByRole('checkbox'));
    expect(sent('DELETE', '')).toEqual([]);
    await userEvent.click(dialog().getByRole('button', { name: 'Keep my account' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('shows the money on trip cards, and is not possible until it is spent', async () => {
    const empty = buildTripCard({ id: OTHER_ID, name: 'Work', balance: 0 });
    answer = ({ path }) => (path === '/trip_cards' ? listAnswer([buildTripCard(), empty]) : undefined);
    await open();
    await press('Delete my account');
    expect(await dialog().findByText('You still have money on your trip cards')).toBeTruthy();
    expect(
      dialog()
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['Family card, ending 3280: $34.50']);
    expect(dialog().queryByRole('button', { name: 'Delete my account' })).toBeNull();
    expect(dialog().getByRole('link', { name: 'Trip Cards' }).getAttribute('href')).toBe('/trip_cards');
  });

  test('clears the session and confirms the deletion', async () => {
    const { router } = await open();
    await press('Delete my account');
    await userEvent.click(dialog().getByRole('checkbox'));
    await userEvent.click(dialog().getByRole('button', { name: 'Delete my account' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/sign_in'));
    expect(await screen.findByText('Your account is deleted. Thank you for traveling with us.')).toBeTruthy();
    expect(readToken()).toBeNull();
    expect(profileStore.get().loaded).toBe(false);
    expect(hasSessionEnded()).toBe(false);
  });

  test('shows why the deletion was refused, and deletes nothing on the device', async () => {
    answer = ({ method }) =>
      method === 'DELETE'
        ? refusal('account_in_use', 'Your account cannot be deleted yet. Please call us.')
        : undefined;
    await open();
    await press('Delete my account');
    await userEvent.click(dialog().getByRole('checkbox'));
    await userEvent.click(dialog().getByRole('button', { name: 'Delete my account' }));
    expect(await dialog().findByText('Your account cannot be deleted yet. Please call us.')).toBeTruthy();
    expect(readToken()).toBe(TOKEN);
  });

  test('asks for a step-up above the dialog, which stays open if the step-up is canceled', async () => {
    answer = ({ method }) => (method === 'DELETE' ? stepUpRefusal('password') : undefined);
    await open();
    await press('Delete my account');
    await userEvent.click(dialog().getByRole('checkbox'));
    await userEvent.click(dialog().getByRole('button', { name: 'Delete my account' }));
    const confirm = await screen.findByRole('dialog', { name: 'Confirm it’s you' });
    await userEvent.click(within(confirm).getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByText('Confirm it’s you')).toBeNull());
    expect(dialog().getByRole<HTMLInputElement>('checkbox').checked).toBe(true);
    expect(dialog().queryByRole('alert')).toBeNull();
    expect(readToken()).toBe(TOKEN);
  });
});
