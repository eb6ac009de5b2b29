import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startSession } from '#web/platform/session/session.ts';
import { json, openPage, success, TICKETS, TOKEN } from '../platform/page.ts';
import { press, user } from './purchase-steps.ts';
import { answerApi, buildQuote, currentDraft, visit } from './visit-tickets.tsx';

beforeEach(() => {
  openPage(`${TICKETS}/`);
  startSession(TOKEN);
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  openPage(`${TICKETS}/`);
  vi.unstubAllGlobals();
});

const CAR = { id: 'sve_1', name: 'Golf', vehicle: { type: 'car', length_cm: 549 }, plate: '5KJH 220' };
const BEN = { id: 'str_1', name: 'Ben', type: 'child' };

function answerSaved(vehicles: object[], travelers: object[] = [], more: object = {}) {
  const quote = { ...buildQuote(), ...more };
  const [adult] = quote.lines;
  const lines = adult ? [adult, { ...adult, description: 'Child' }] : [];
  const api = answerApi({
    'GET /api/customers/sessions/ping': () => json({ success: true, errorCode: null }),
    'GET /api/customers/details': () =>
      json({ success: true, id: 'cus_1', email: 'a@example.com', name: 'A' }),
    'POST /api/quotes': () => success({ ...quote, lines }),
    'GET /api/customers/saved_party': () => success({ vehicles, travelers }),
    'POST /api/customers/saved_vehicles': ({ body }) => {
      vehicles.push({ id: 'sve_2', ...body });
      return success(vehicles.at(-1));
    },
    'POST /api/customers/saved_travelers': ({ body }) => {
      travelers.push({ id: 'str_2', ...body });
      return success(travelers.at(-1));
    },
  });
  return api;
}

async function goToDetails() {
  await press('More: Child');
  await press('Show sailings');
  await press(/^Choose the /);
  await screen.findByText('No refund.');
  await press('Continue');
  await screen.findByRole('heading', { name: 'Your details' });
}

describe('a saved vehicle', () => {
  test('is filled in with its sizes and its plate by one press, if it can still be booked', async () => {
    answerSaved([CAR, { ...CAR, id: 'sve_2', name: 'Bus', vehicle: { type: 'bus' } }]);
    await visit('/');
    await press('Golf');
    expect(currentDraft().trip).toMatchObject({ vehicle: 'car', length: '18 ft' });
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Under 18 ft' }).checked).toBe(true);
    expect(screen.queryByRole('button', { name: 'Bus' })).toBeNull();
    await goToDetails();
    expect(screen.getByLabelText<HTMLInputElement>('License plate').value).toBe('5KJH 220');
    expect(screen.queryByRole('button', { name: 'Save this vehicle' })).toBeNull();
  });

  test('takes the place of a length that was typed', async () => {
    answerSaved([CAR]);
    await visit('/');
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Vehicle' }), 'Car');
    await user.click(screen.getByRole('radio', { name: 'Exact length' }));
    await press('Golf');
    expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Under 18 ft' }).checked).toBe(true);
  });

  test('is saved from a purchase, with its plate', async () => {
    const api = answerSaved([]);
    await visit('/');
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Vehicle' }), 'Car');
    await user.click(screen.getByRole('radio', { name: 'Under 18 ft' }));
    await goToDetails();
    await user.type(screen.getByLabelText('License plate'), '5kjh  220');
    await press('Save this vehicle');
    expect(await screen.findByText('The vehicle is saved in your account.')).toBeTruthy();
    expect(api.to('POST /api/customers/saved_vehicles').map(({ body }) => body)).toEqual([
      { vehicle: { type: 'car', length_cm: 549 }, plate: '5KJH 220' },
    ]);
  });

  test('is not asked for without a session', async () => {
    openPage(`${TICKETS}/`);
    const api = answerSaved([CAR]);
    await visit('/');
    await screen.findByRole('combobox', { name: 'Vehicle' });
    expect(api.to('GET /api/customers/saved_party')).toEqual([]);
  });
});

describe('a saved traveler', () => {
  test('gives a ticket of their type its name by one press', async () => {
    answerSaved([], [BEN, { id: 'str_3', name: 'Gran', type: 'senior' }]);
    await visit('/');
    await goToDetails();
    await press('Ben');
    expect((await screen.findByLabelText<HTMLInputElement>('Child')).value).toBe('Ben');
    expect(screen.queryByRole('button', { name: 'Ben' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Gran' })).toBeNull();
  });

  test('gives the names that the law asks for on some routes, which can be corrected', async () => {
    const gran = { id: 'str_3', name: 'Ada Augusta Lovelace', type: 'adult' };
    answerSaved([], [gran], { needs_passenger_list: true });
    await visit('/');
    await goToDetails();
    await press('Ada Augusta Lovelace');
    const [family] = await screen.findAllByLabelText<HTMLInputElement>('Family name');
    const [forenames] = screen.getAllByLabelText<HTMLInputElement>('Forenames');
    await waitFor(() => expect([family?.value, forenames?.value]).toEqual(['Lovelace', 'Ada Augusta']));
    expect(screen.queryByRole('button', { name: 'Ada Augusta Lovelace' })).toBeNull();
  });

  test('is saved from a purchase with the type of their ticket', async () => {
    const api = answerSaved([], []);
    await visit('/');
    await goToDetails();
    await user.click(screen.getByText('Add travelers’ names (optional)'));
    await user.type(await screen.findByLabelText('Child'), 'Mia');
    await press('Save these names in your account');
    await waitFor(() =>
      expect(api.to('POST /api/customers/saved_travelers').map(({ body }) => body)).toEqual([
        { name: 'Mia', type: 'child' },
      ]),
    );
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: 'Save these names in your account' })).toBeNull(),
    );
  });
});
