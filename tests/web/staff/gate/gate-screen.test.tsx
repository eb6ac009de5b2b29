import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider } from 'react-router/dom';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { GateEvent, GatePack } from '#contract/gate/schemas.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { buildGatePack, buildGateParty, buildGateSailing, buildGateTicket } from '#tests/factories/gate.ts';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { GateScreen } from '#web/staff/gate/gate-screen.tsx';
import { answerFetches, json, openPage, STAFF, success } from '../../platform/page.ts';
import { createTestRouter } from '../../test-router.ts';

const now = Date.now();
const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
const boat = buildGateSailing({ departs_at: at(30), destination: 'Heron Island' });
const later = buildGateSailing({
  departs_at: at(120),
  departs_local: '2026-06-02T11:00:00-07:00',
  destination: 'Ebb Point',
});
const party = buildGateParty(boat.id, {
  vehicle: { plate: '5KJH 220', length_cm: 480, height_cm: null },
  tickets: [
    buildGateTicket({ code: 'K7M4 QXP8' }),
    buildGateTicket({ code: '2NWB 2WMB', name: 'Bo Diaz', needs_proof: true, title: 'Senior' }),
  ],
});
const otherParty = buildGateParty(later.id, {
  reference: '2NWB-2WMB',
  contact_name: 'Carla Ek',
  tickets: [buildGateTicket({ code: '2222 2222' })],
});

const user = userEvent.setup();
let pack: GatePack;
let role: StaffRole;
let sent: GateEvent[];
let called: string[];

beforeEach(() => {
  openPage(`${STAFF}/gate`);
  // happy-dom has none.
  Element.prototype.scrollTo = () => undefined;
  pack = buildGatePack({ as_of: at(0), sailings: [boat, later], parties: [party, otherParty] });
  role = 'gate';
  sent = [];
  called = [];
  localStorage.setItem('staff-signed-in', 'true');
  answerFetches(({ url, init }) => {
    const { pathname } = new URL(url, STAFF);
    called.push(`${init.method} ${pathname}`);
    if (pathname === '/api/staff/session') {
      const staff = { id: 'stf_1', name: 'Grace Hopper', email: 'grace@ferry.example', role };
      return success({ staff, expires_at: at(600) });
    }
    if (pathname.endsWith('/ports')) return success([{ code: 'NOR', name: 'North Quay' }]);
    if (pathname.endsWith('/pack')) return success(pack);
    if (pathname.endsWith('/events')) {
      sent.push(...(JSON.parse(String(init.body)) as { events: GateEvent[] }).events);
      return success({ twice: [], unknown: [], as_of: new Date().toISOString() });
    }
    if (pathname.endsWith('/override_key')) {
      return success({ key_id: 'sts_1', key: 'secret', expires_at: at(600) });
    }
    if (pathname.endsWith('/close')) {
      pack = { ...pack, sailings: [{ ...boat, check_in_closed_at: at(0) }, later] };
      return success({ sailings: [pack.sailings[0]], as_of: at(0) });
    }
    return json({ success: true, data: null, errors: [] });
  });
});
afterEach(cleanup);

async function openGate({ isSetUp = true } = {}) {
  if (isSetUp) localStorage.setItem('gate-device', JSON.stringify({ port: 'NOR', name: 'Ramp 1' }));
  const router = createTestRouter([{ path: '*', Component: GateScreen }], ['/gate']);
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  if (isSetUp) await screen.findByRole('heading', { level: 1, name: /Heron Island/ });
}

async function type(code: string) {
  await user.click(screen.getByRole('button', { name: 'Scan' }));
  await user.type(screen.getByLabelText('Letters below the code'), `${code}{Enter}`);
  return within(await screen.findByRole('dialog'));
}

describe('the gate', () => {
  test('is set up once, and opens on the next boat of its port', async () => {
    await openGate({ isSetUp: false });
    await user.click(await screen.findByRole('button', { name: 'Open the gate' }));
    expect(screen.getByText('Choose the port.')).toBeDefined();
    await user.selectOptions(screen.getByLabelText('Port'), 'NOR');
    await user.type(screen.getByLabelText('Name of this device'), 'Ramp 1');
    await user.click(screen.getByRole('button', { name: 'Open the gate' }));
    expect(await screen.findByRole('heading', { level: 1, name: /9:00 AM Heron Island/ })).toBeDefined();
    expect(screen.getByText('List is up to date')).toBeDefined();
    expect(JSON.parse(localStorage.getItem('gate-device') ?? '')).toEqual({ port: 'NOR', name: 'Ramp 1' });
  });

  test('lets people aboard with the letters below the code, and takes it back', async () => {
    await openGate();
    const answer = await type('k7m4qxp8');
    expect(answer.getByRole('heading', { name: 'Let aboard' })).toBe(document.activeElement);
    expect(answer.getByText('1 of 2 aboard, one more')).toBeDefined();
    await user.click(answer.getByRole('button', { name: 'Undo: not aboard' }));
    expect(await screen.findByRole('heading', { name: 'Taken back' })).toBeDefined();
    await waitFor(() => expect(sent.map((event) => event.type)).toEqual(['board', 'undo']));
    expect(sent[0]).toMatchObject({ device: 'Ramp 1', sailing_id: boat.id });
  });

  test('names the person who works at it in what it sends', async () => {
    localStorage.setItem('staff-signed-in', 'stf_1');
    await openGate();
    await type('k7m4qxp8');
    await waitFor(() => expect(sent[0]).toMatchObject({ staff_id: 'stf_1' }));
  });

  test.each([
    [-2 * 60 * 60_000, 'The clock of this device is 120 min fast'],
    [3 * 60_000, 'The clock of this device is 3 min slow'],
    [90_000, null],
  ])('tells a clock that the server’s is %i ms ahead of', async (offset, text) => {
    localStorage.setItem('clock-offset', String(offset));
    await openGate();
    const told = screen.queryByText(/The clock of this device/)?.textContent ?? null;
    expect(told).toBe(text);
  });

  test('stops a ticket whose letters are typed again after “Next”', async () => {
    await openGate();
    const first = await type('k7m4qxp8');
    await user.click(first.getByRole('button', { name: 'Next' }));
    const second = await type('K7M4 QXP8');
    expect(second.getByText('Already aboard')).toBeDefined();
    await waitFor(() => expect(sent).toHaveLength(1));
  });

  test('opens the order whose reference is typed, with its tickets to let aboard', async () => {
    pack = { ...pack, parties: [{ ...party, reference: '3333-333X' }, otherParty] };
    await openGate();
    const sheet = await type('3333 333x');
    expect(sheet.getByRole('heading', { name: 'Ada Lovelace' })).toBeDefined();
    await user.click(sheet.getByRole('button', { name: 'Let 2 aboard' }));
    expect(await screen.findByText('All 2 aboard')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await user.click(screen.getByRole('button', { name: 'Scan' }));
    await user.click(screen.getByRole('button', { name: 'Search' }));
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('');
  });

  test('finds an order of another boat by its typed reference', async () => {
    pack = { ...pack, parties: [party, { ...otherParty, reference: '4444-444U' }] };
    await openGate();
    await user.type(screen.getByLabelText('Letters below the code'), '4444 444U{Enter}');
    expect(await screen.findByRole('button', { name: /Carla Ek/ })).toBeDefined();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('says that letters are wrong before it stops anyone', async () => {
    await openGate();
    await user.type(screen.getByLabelText('Letters below the code'), 'K7M4 QXP9{Enter}');
    expect(screen.getByText('No ticket can have these letters. Check them.')).toBeDefined();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('asks to look at a proof, and says who needs one', async () => {
    await openGate();
    const answer = await type('2NWB 2WMB');
    expect(answer.getByRole('heading', { name: 'Look first' })).toBeDefined();
    expect(answer.getByText('Ask for the proof of the reduced fare')).toBeDefined();
    expect(answer.getAllByText('Senior').length).toBeGreaterThan(0);
  });

  test('says for which boat a ticket is, and lets only a manager override it with a reason', async () => {
    await openGate();
    const answer = await type('2222 2222');
    expect(answer.getByText('Ticket for another boat')).toBeDefined();
    expect(answer.getByText(/11:00 AM to Ebb Point, from North Quay/)).toBeDefined();
    expect(answer.queryByRole('button', { name: 'Let aboard with a reason' })).toBeNull();
    cleanup();

    role = 'manager';
    await openGate();
    const asManager = await type('2222 2222');
    await user.click(await asManager.findByRole('button', { name: 'Let aboard with a reason' }));
    await user.click(asManager.getByRole('button', { name: 'Let aboard' }));
    expect(asManager.getByText('Enter the reason. It is recorded.')).toBeDefined();
    await user.type(asManager.getByLabelText('Why do you let them aboard?'), 'Their boat is late.');
    await user.click(asManager.getByRole('button', { name: 'Let aboard' }));
    expect(await screen.findByText('Your reason is recorded.')).toBeDefined();
    await waitFor(() =>
      expect(sent.at(-1)).toMatchObject({
        ...{ override: 'Their boat is late.', proof: { key_id: 'sts_1' } },
      }),
    );
  });

  test('finds a party by its plate only after three letters, and boards some of it', async () => {
    await openGate();
    await user.click(screen.getByRole('button', { name: 'Search' }));
    const field = screen.getByRole('searchbox');
    await user.type(field, '5k');
    expect(screen.queryByRole('listitem')).toBeNull();
    await user.type(field, 'jh');
    await user.click(await screen.findByRole('button', { name: /Ada Lovelace/ }));
    const sheet = within(screen.getByRole('dialog', { name: 'Ada Lovelace' }));
    await user.click(sheet.getByRole('checkbox', { name: /Bo Diaz/ }));
    await user.click(sheet.getByRole('button', { name: 'Let 1 aboard' }));
    expect(await screen.findByText('1 of 2 aboard, one more')).toBeDefined();
    await waitFor(() => expect(sent).toMatchObject([{ type: 'board', tickets: [party.tickets[0]?.id] }]));
  });

  test('counts people with and without tickets, and closes check-in after everything is sent', async () => {
    await openGate();
    const answer = await type('k7m4qxp8');
    await user.click(answer.getByRole('button', { name: 'Next' }));
    await user.click(screen.getByRole('button', { name: 'Count' }));
    await user.click(screen.getByRole('button', { name: 'More: People without a ticket' }));
    expect(screen.getByText('2 people aboard')).toBeDefined();
    expect(screen.getByText('1 ticket is not aboard')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Close check-in' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Close check-in?' }));
    expect(dialog.getByText(/1 ticket is not aboard\. Its place is free/)).toBeDefined();
    expect(dialog.queryByText(/^If the list was printed/)).toBeNull();
    await user.click(dialog.getByRole('button', { name: 'Close check-in' }));
    expect(await screen.findByRole('button', { name: 'Open check-in again' })).toBeDefined();
    expect(sent.map((event) => event.type)).toEqual(['board', 'count']);
    const closing = called.indexOf(`POST /api/staff/gate/sailings/${boat.id}/close`);
    expect(closing).toBeGreaterThan(called.lastIndexOf('POST /api/staff/gate/events'));
  });

  test('says before check-in is closed that a printed list keeps the places, if nothing was scanned', async () => {
    await openGate();
    await user.click(screen.getByRole('button', { name: 'Count' }));
    await user.click(screen.getByRole('button', { name: 'Close check-in' }));
    const dialog = within(screen.getByRole('dialog', { name: 'Close check-in?' }));
    expect(dialog.getByText(/^If the list was printed, the places stay taken/)).toBeDefined();
  });

  test('warns when the list is older than five minutes', async () => {
    pack = { ...pack, as_of: at(-7) };
    await openGate();
    expect(screen.getByText('List is 7 min old').closest('[data-tone]')?.getAttribute('data-tone')).toBe(
      'warning',
    );
  });

  test('prints the parties of the boat with the age of the list', async () => {
    const print = vi.fn();
    // happy-dom has none.
    window.print = print;
    await openGate();
    await user.click(screen.getByRole('button', { name: 'Count' }));
    await user.click(screen.getByRole('button', { name: 'Print the list' }));
    expect(print).toHaveBeenCalledOnce();
    const table = within(screen.getByRole('table'));
    expect(table.getByText('Ada Lovelace')).toBeDefined();
    expect(table.queryByText('Carla Ek')).toBeNull();
    expect(screen.getByText(/^As of/)).toBeDefined();
  });
});
