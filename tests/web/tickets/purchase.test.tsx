import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { profileStore } from '#web/platform/account/profile.ts';
import { buildPageConfig, openPage, success, TICKETS } from '../platform/page.ts';
import { chooseSailing, fillDetails, findSummary, press, user } from './purchase-steps.ts';
import {
  answerApi,
  buildCustomer,
  buildHold,
  buildQuote,
  buildUnpaidOrder,
  changeDraft,
  currentDraft,
  refusal,
  visit,
} from './visit-tickets.tsx';

beforeEach(() => {
  openPage(`${TICKETS}/orders/new`);
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('the purchase leads from the trip to the payment, and the browser’s back button one step back', async () => {
  const api = answerApi();
  const { router } = await visit('/orders/new');
  await chooseSailing();
  await press('Continue');
  const heading = await screen.findByRole('heading', { name: 'Your details' });
  await waitFor(() => expect(document.activeElement).toBe(heading));
  const purposes = ['Name', 'Email', /^Phone/].map(
    (label) => screen.getByLabelText<HTMLInputElement>(label).autocomplete,
  );
  expect(purposes).toEqual(['name', 'email', 'tel']);
  await fillDetails();
  await press('Go to payment');
  await screen.findByRole('heading', { name: 'Payment' });

  expect(router.state.location.pathname).toBe('/orders/new');
  expect(router.state.location.search).toBe('?step=pay');
  expect(api.to('POST /api/holds')[0]?.body).toEqual({ quote_id: 'quote-00000000000000000-saver' });
  expect(api.to('POST /api/orders')[0]?.body).toEqual({
    hold_id: 'hld_1',
    quote_id: 'quote-00000000000000000-saver',
    contact: { name: 'Ada Lovelace', email: 'ada@example.com', phone: '' },
    plate: null,
    terms_version: '1',
  });
  expect(currentDraft().orderContact).toMatchObject({ email: 'ada@example.com' });
  await router.navigate(-1);
  const name = await screen.findByLabelText<HTMLInputElement>('Name');
  expect(name.value).toBe('Ada Lovelace');
});

test('a party of the largest size explains at each counter why no one can be added', async () => {
  answerApi();
  await visit('/');
  const adults = await screen.findByRole('spinbutton', { name: 'Adult' });
  await user.clear(adults);
  await user.type(adults, '9');
  const reason = screen.getByText(/^You can book up to 9 people at once. For a larger group, call/);
  const more = screen.getByRole('button', { name: 'More: Adult' });
  expect(more.getAttribute('aria-disabled')).toBe('true');
  expect(more.getAttribute('aria-describedby')).toBe(reason.id);
  expect(adults.getAttribute('aria-describedby')).toContain(reason.id);
  await press('Fewer: Adult');
  expect(screen.queryByText(/people at once/)).toBeNull();
  expect(more.hasAttribute('aria-describedby')).toBe(false);
});

test('each completed step links back, and choices, details and the order stay', async () => {
  const api = answerApi();
  await visit('/');
  await chooseSailing();
  await press('Continue');
  await fillDetails();
  await press('Go to payment');
  await screen.findByRole('heading', { name: 'Payment' });

  await press('Back to Details');
  const name = await screen.findByLabelText<HTMLInputElement>('Name');
  expect(name.value).toBe('Ada Lovelace');
  expect(screen.queryByRole('button', { name: 'Back to Pay' })).toBeNull();
  await press('Back to Sailing');
  await screen.findByRole('heading', { name: 'Choose your sailing' });
  expect(currentDraft()).toMatchObject({ outward: { id: 'sai_out1' }, orderId: 'ord_1' });
  await press('Continue');
  await screen.findByRole('heading', { name: 'Your details' });
  expect(api.to('POST /api/holds')).toHaveLength(1);
  expect(api.to('POST /api/orders/ord_1/cancel')).toHaveLength(0);
});

test('no step links back while a payment is pending', async () => {
  answerApi();
  await visit('/');
  await chooseSailing();
  await press('Continue');
  await fillDetails();
  await press('Go to payment');
  await screen.findByRole('button', { name: 'Back to Details' });
  act(() => changeDraft({ isPaymentOpen: true }));
  expect(screen.queryByRole('button', { name: /^Back to/ })).toBeNull();
});

test('both addresses show the same screen under the same title', async () => {
  answerApi();
  await visit('/orders/new');
  await screen.findByRole('heading', { name: 'Purchase tickets' });
  await waitFor(() => expect(document.title).toBe('Purchase Tickets | Sound Ferries'));
  cleanup();
  await visit('/');
  await screen.findByRole('heading', { name: 'Purchase tickets' });
  await waitFor(() => expect(document.title).toBe('Purchase Tickets | Sound Ferries'));
});

test('a step that was not reached yet shows the last step reached', async () => {
  answerApi();
  await visit('/?step=pay');
  expect(await screen.findByRole('heading', { name: 'Purchase tickets' })).toBeDefined();
});

test('an incomplete trip shows an error summary that takes the focus', async () => {
  const api = answerApi();
  await visit('/');
  await press('Fewer: Adult');
  await press('Show sailings');
  const summary = await findSummary('Please check your trip');
  expect(document.activeElement).toBe(summary);
  await user.click(within(summary).getByRole('link', { name: 'Choose at least one passenger.' }));
  expect(document.activeElement).toBe(screen.getByRole('spinbutton', { name: 'Adult' }));
  expect(api.to('GET /api/sailings')).toHaveLength(0);
});

test('a write with a lost answer is repeated under the same key, and a refused one is not', async () => {
  let isDown = true;
  const api = answerApi({
    'POST /api/holds': () => {
      if (isDown) throw new TypeError('Failed to fetch');
      return success(buildHold());
    },
  });
  await visit('/');
  await chooseSailing();
  await press('Continue');
  await waitFor(() => expect(api.to('POST /api/holds')).toHaveLength(1));
  const key = api.to('POST /api/holds')[0]?.key;
  expect(Object.values(currentDraft().idempotencyKeys)).toEqual([key]);
  isDown = false;
  await waitFor(() => expect(screen.getByRole('button', { name: 'Continue', hidden: true })).toBeDefined());
  await user.click(screen.getByRole('button', { name: 'Continue', hidden: true }));
  await waitFor(() => expect(api.to('POST /api/holds')).toHaveLength(2));
  expect(api.to('POST /api/holds')[1]?.key).toBe(key);
  await waitFor(() => expect(currentDraft().idempotencyKeys).toEqual({}));
});

test('invalid details are shown beside their fields and in a summary', async () => {
  const api = answerApi();
  await visit('/');
  await chooseSailing();
  await press('Continue');
  await press('Go to payment');
  const summary = await findSummary('Please check your details');
  expect(document.activeElement).toBe(summary);
  expect(within(summary).getAllByRole('link')).toHaveLength(3);
  expect(screen.getByLabelText('Name').getAttribute('aria-invalid')).toBe('true');
  expect(api.to('POST /api/orders')).toHaveLength(0);
});

test('an error of the server is shown beside its field', async () => {
  answerApi({
    'POST /api/orders': () =>
      refusal('invalid_input', 'That address does not take mail.', { field: 'contact.email' }),
  });
  await visit('/');
  await chooseSailing();
  await press('Continue');
  await fillDetails();
  await press('Go to payment');
  expect(await screen.findByRole('link', { name: 'That address does not take mail.' })).toBeDefined();
  expect(screen.getByLabelText('Email').getAttribute('aria-invalid')).toBe('true');
});

test('outdated terms must be accepted again', async () => {
  answerApi({ 'POST /api/orders': () => refusal('terms_outdated', 'Our terms have changed.') });
  await visit('/');
  await chooseSailing();
  await press('Continue');
  await fillDetails();
  await press('Go to payment');
  await waitFor(() =>
    expect(screen.getByRole('checkbox', { name: /terms of carriage/ })).toHaveProperty('checked', false),
  );
});

test('where paying accepts the terms, the details have no checkbox, and a free order shows the sentence', async () => {
  const { settings } = buildPageConfig();
  const terms = { ...settings.terms, acceptance: 'pay_button' as const };
  openPage(`${TICKETS}/`, { settings: { ...settings, terms } });
  answerApi({ 'POST /api/quotes': () => success(buildQuote({ total: 0 })) });
  const { container } = await visit('/');
  await chooseSailing();
  await press('Continue');
  expect(await screen.findByRole('button', { name: 'Get the tickets' })).toBeDefined();
  expect(screen.queryByRole('checkbox', { name: /terms/ })).toBeNull();
  expect(container.textContent).toContain('By getting the tickets you accept the terms.');
});

test('an expired hold leads back to the sailings, and everything else stays', async () => {
  answerApi({ 'POST /api/orders': () => refusal('hold_expired', 'Too late.') });
  await visit('/');
  await chooseSailing();
  await press('Continue');
  await fillDetails();
  await press('Go to payment');
  expect(
    await screen.findByText('Your hold expired. Your trip is still here. Tap Continue to try again.'),
  ).toBeDefined();
  expect(currentDraft()).toMatchObject({
    hold: null,
    contact: { name: 'Ada Lovelace', email: 'ada@example.com' },
    outward: { id: 'sai_out1' },
  });
});

test('a signed-in customer’s contact is filled in', async () => {
  answerApi();
  profileStore.set({
    customer: buildCustomer({ name: 'Ada Lovelace', email: 'ada@example.com' }),
    loaded: true,
  });
  await visit('/');
  await chooseSailing();
  await press('Continue');
  expect(await screen.findByDisplayValue('ada@example.com')).toBeDefined();
});

test('a free order needs no card', async () => {
  const free = buildUnpaidOrder({ total: 0, status: 'confirmed', payment_status: 'none' });
  answerApi({
    'POST /api/orders': () => success(free),
    'GET /api/orders/ord_1': () => success(free),
  });
  const { router } = await visit('/');
  await chooseSailing();
  await press('Continue');
  await fillDetails();
  await press('Go to payment');
  await waitFor(() => expect(router.state.location.pathname).toBe('/orders/ord_1/confirmation'));
});

test('a reload restores the step and the choices', async () => {
  answerApi();
  await visit('/');
  await chooseSailing();
  await press('Continue');
  await user.type(await screen.findByLabelText('Name'), 'Ada');
  cleanup();
  await visit('/?step=details');
  expect((await screen.findByLabelText<HTMLInputElement>('Name')).value).toBe('Ada');
  expect(screen.getAllByText('$18.50').length).toBeGreaterThan(0);
});

test('a draft stored by another version is ignored', async () => {
  sessionStorage.setItem('purchase', JSON.stringify({ version: 0, draft: { hasSearched: true } }));
  answerApi();
  await visit('/?step=sailings');
  expect(await screen.findByRole('heading', { name: 'Purchase tickets' })).toBeDefined();
});
