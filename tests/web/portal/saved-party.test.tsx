import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startSession } from '#web/platform/session/session.ts';
import { json, openPage, success, TOKEN } from '../platform/page.ts';
import { answerApi, CUSTOMER, listAnswer, visitPortal } from './visit-portal.tsx';

let saved: { vehicles: object[]; travelers: object[] };
let requests: ReturnType<typeof answerApi>;
beforeEach(() => {
  openPage();
  startSession(TOKEN);
  saved = {
    vehicles: [{ id: 'sve_1', name: '', vehicle: { type: 'car', length_cm: 480 }, plate: '5KJH 220' }],
    travelers: [{ id: 'str_1', name: 'Ben', type: 'child' }],
  };
  requests = answerApi(({ url, init }) => {
    if (url.pathname === '/api/customers/details') return json({ success: true, ...CUSTOMER });
    if (url.pathname === '/api/customers/trip_cards') return listAnswer([]);
    if (url.pathname === '/api/customers/saved_party') return success(saved);
    if (url.pathname.endsWith('sve_1') && init.method === 'PATCH') {
      saved.vehicles = [{ ...saved.vehicles[0], ...JSON.parse(String(init.body)) }];
      return success(saved.vehicles[0]);
    }
    if (url.pathname.endsWith('str_1') && init.method === 'DELETE') {
      saved.travelers = [];
      return success({ id: 'str_1' });
    }
    return undefined;
  });
});
afterEach(() => {
  cleanup();
  openPage();
  vi.unstubAllGlobals();
});

async function openMenu(name: string, item: string) {
  await userEvent.click(await screen.findByRole('button', { name: `Change ${name}` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: item }));
  return within(await screen.findByRole('dialog'));
}

test('a saved vehicle is renamed and a saved traveler deleted on the account’s page', async () => {
  await visitPortal('/account');
  const rename = await openMenu('5KJH 220', 'Rename');
  await userEvent.type(rename.getByLabelText(/^Name/), 'Golf');
  await userEvent.click(rename.getByRole('button', { name: 'Save' }));
  expect(await screen.findByRole('button', { name: 'Change Golf' })).toBeTruthy();
  const remove = await openMenu('Ben', 'Remove');
  await userEvent.click(remove.getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(screen.queryByText('Ben')).toBeNull());
  expect(requests.filter(({ init }) => init.method === 'DELETE')).toHaveLength(1);
});

test('an account without saved vehicles and travelers says how to save them', async () => {
  saved = { vehicles: [], travelers: [] };
  await visitPortal('/account');
  expect(await screen.findByText(/^You can save vehicles and travelers when you buy tickets/)).toBeTruthy();
});
