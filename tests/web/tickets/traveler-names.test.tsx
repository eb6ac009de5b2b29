import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openPage, success, TICKETS } from '../platform/page.ts';
import {
  answerApi,
  buildCatalogue,
  buildHold,
  buildQuote,
  buildUnpaidOrder,
  changeDraft,
  currentDraft,
  refusal,
  visit,
} from './visit-tickets.tsx';

const user = userEvent.setup();
const MANY = 'Add travelers’ names (optional)';

beforeEach(() => {
  openPage(`${TICKETS}/`);
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const line = { leg: 'out', kind: 'passenger', unit_amount: 100, amount: 100 } as const;
const FAMILY = buildQuote({
  lines: [
    { ...line, description: 'Adult', quantity: 2 },
    { ...line, description: 'Adult, driver', quantity: 1 },
    { ...line, description: 'Child', quantity: 1 },
    { ...line, kind: 'vehicle', description: 'Car', quantity: 1 },
    { ...line, leg: 'back', description: 'Adult', quantity: 2 },
  ],
});

/** The details step of a party with held places. */
async function openDetails(quote = FAMILY, answers: Parameters<typeof answerApi>[0] = {}) {
  const api = answerApi({ 'POST /api/quotes': () => success(quote), ...answers });
  await visit('/');
  await user.click(await screen.findByRole('button', { name: 'Show sailings' }));
  await user.click(await screen.findByRole('button', { name: /^Choose the / }));
  await user.click(await screen.findByRole('button', { name: 'Continue' }));
  await user.type(await screen.findByLabelText('Name'), 'Ada Lovelace');
  await user.type(screen.getByLabelText('Email'), 'ada@example.com');
  await user.click(screen.getByRole('checkbox', { name: 'I accept the terms of carriage' }));
  return api;
}

const openNames = () => user.click(screen.getByText(MANY));
const fields = () => within(screen.getByRole('group', { name: 'Travelers’ names' })).getAllByRole('combobox');
const labels = () => fields().map((field) => (field as HTMLInputElement).labels?.[0]?.textContent);
const pay = () => user.click(screen.getByRole('button', { name: 'Go to payment' }));

test('the names are folded away, and not sent if none is typed', async () => {
  const api = await openDetails();
  expect(screen.getByText(MANY).closest('details')?.open).toBe(false);
  expect(screen.queryByLabelText('Adult 1')).toBeNull();
  await pay();
  await screen.findByRole('heading', { name: 'Payment' });
  expect(api.to('POST /api/orders')[0]?.body).not.toHaveProperty('traveler_names');
});

test('assistance is asked for by traveler, and not at all where the operator takes no requests', async () => {
  const ASK = 'Ask for assistance (optional)';
  await openDetails();
  expect(screen.queryByText(ASK)).toBeNull();
  cleanup();
  openPage(`${TICKETS}/`);
  const api = await openDetails(FAMILY, {
    'GET /api/catalogue': () => success({ ...buildCatalogue(), assistance_notice_hours: 100_000 }),
  });
  await user.click(await screen.findByText(ASK));
  expect(await screen.findByText(/less than 100000 hours’ notice for the departure from/)).toBeDefined();
  await user.click(screen.getByText('Child', { selector: 'summary' }));
  const child = within(screen.getByRole('group', { name: 'Assistance for Child' }));
  await user.click(child.getByRole('checkbox', { name: 'Deaf or hard of hearing' }));
  await user.type(child.getByLabelText(/^Anything else/), ' Quiet seat ');
  await pay();
  await screen.findByRole('heading', { name: 'Payment' });
  expect(api.to('POST /api/orders')[0]?.body.assistance).toEqual([
    { traveler: 4, needs: ['hearing'], note: 'Quiet seat' },
  ]);
  expect(currentDraft().orderContact?.assistance).toHaveLength(1);
});

test('names are sent in the order of the fare lines', async () => {
  const api = await openDetails();
  await openNames();
  expect(labels()).toEqual(['Adult 1', 'Adult 2', 'Adult, driver', 'Child']);
  for (const field of fields()) expect((field as HTMLInputElement).autocomplete).toBe('off');
  await user.type(screen.getByLabelText('Adult 2'), 'Bo');
  await user.type(screen.getByLabelText('Child'), 'Cy');
  await pay();
  await screen.findByRole('heading', { name: 'Payment' });
  expect(api.to('POST /api/orders')[0]?.body.traveler_names).toEqual(['', 'Bo', '', 'Cy']);

  await user.click(screen.getByRole('button', { name: 'Back to Details' }));
  expect(await screen.findByLabelText('Child')).toHaveProperty('value', 'Cy');
  await user.clear(screen.getByLabelText('Adult 2'));
  api.answers['PATCH /api/orders/ord_1'] = () => success(buildUnpaidOrder());
  await pay();
  await screen.findByRole('heading', { name: 'Payment' });
  expect(api.to('PATCH /api/orders/ord_1')[0]?.body.traveler_names).toEqual(['', '', '', 'Cy']);
});

test('the buyer’s name is suggested until one traveler has it, and never filled in', async () => {
  await openDetails();
  await openNames();
  const offered = () =>
    [...document.querySelectorAll<HTMLOptionElement>('datalist option')].map(({ value }) => value);
  for (const field of fields()) {
    expect(field).toHaveProperty('value', '');
    expect(document.querySelector(`datalist#${field.getAttribute('list')}`)).not.toBeNull();
  }
  expect(offered()).toEqual(['Ada Lovelace']);
  await user.type(screen.getByLabelText('Adult, driver'), 'Ada Lovelace');
  expect(offered()).toEqual([]);
});

test('the names of a single traveler have their own question', async () => {
  const api = await openDetails(buildQuote());
  expect(screen.queryByText(MANY)).toBeNull();
  await user.click(screen.getByText('Buying for someone else?'));
  await user.type(screen.getByLabelText('Traveler’s name'), 'Bo');
  await pay();
  await screen.findByRole('heading', { name: 'Payment' });
  expect(api.to('POST /api/orders')[0]?.body.traveler_names).toEqual(['Bo']);
});

test.each([
  ['x'.repeat(121), 'Use a shorter name, with at most 120 characters.'],
  ['Bo\u200f', 'Type this name again. It contains a hidden character.'],
])(
  'the invalid name %j shows an error beside its field, which then cannot be folded away',
  async (name, message) => {
    const api = await openDetails();
    await openNames();
    await user.click(screen.getByLabelText('Adult 2'));
    await user.paste(name);
    await pay();
    const link = await screen.findByRole('link', { name: message });
    expect(api.to('POST /api/orders')).toHaveLength(0);
    await openNames();
    await user.click(link);
    const field = screen.getByLabelText('Adult 2');
    expect(document.activeElement).toBe(field);
    expect(field.closest('details')?.open).toBe(true);
    await user.clear(field);
    expect(screen.getAllByText(message)).toHaveLength(1);
  },
);

test('a name that the server refuses shows its error beside the field', async () => {
  await openDetails(FAMILY, {
    'POST /api/orders': () => refusal('invalid_input', 'Please check this.', { field: 'traveler_names.1' }),
  });
  await openNames();
  await user.type(screen.getByLabelText('Adult 2'), 'Bo');
  await pay();
  await user.click(await screen.findByRole('link', { name: 'Please check this.' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Adult 2'));
});

test('names stay after a reload, an expired hold and a larger party', async () => {
  await openDetails();
  await openNames();
  await user.type(screen.getByLabelText('Child'), 'Cy');
  cleanup();
  await visit('/?step=details');
  expect(await screen.findByLabelText('Child')).toHaveProperty('value', 'Cy');
  const { hold } = currentDraft();
  changeDraft({ hold: hold && { ...hold, expiresAt: new Date(Date.now() - 1000).toISOString() } });
  expect(await screen.findByText(/^Your hold expired/)).toBeDefined();
  cleanup();
  const largerQuote = buildQuote({
    lines: [
      { ...line, description: 'Adult', quantity: 3 },
      { ...line, description: 'Child', quantity: 1 },
    ],
  });
  answerApi({
    'POST /api/quotes': () => success(largerQuote),
    'POST /api/holds': () => success(buildHold({ id: 'hld_2' })),
  });
  await visit('/?step=sailings');
  await user.click(await screen.findByRole('button', { name: 'Continue' }));
  expect(await screen.findByLabelText('Child')).toHaveProperty('value', 'Cy');
  expect(labels()).toEqual(['Adult 1', 'Adult 2', 'Adult 3', 'Child']);
});
