import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider } from 'react-router/dom';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Queue, QueueEntry } from '#contract/gate/queue/schemas.ts';
import type { Leg } from '#contract/orders/schemas.ts';
import { newId } from '#server/core/ids.ts';
import { buildGateSailing } from '#tests/factories/gate.ts';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { QueueView } from '#web/staff/gate/queue/queue-view.tsx';
import { buildOrder } from '../../features/orders.ts';
import { answerFetches, json, openPage, STAFF, success } from '../../platform/page.ts';
import { createTestRouter } from '../../test-router.ts';

const now = Date.now();
const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
const boat = buildGateSailing({ departs_at: at(30), destination: 'Heron Island' });
const catalogue = {
  ...{ ports: [], fare_classes: [], currency: 'USD', max_party: 12 },
  routes: [{ id: boat.route_id, carries_vehicles: true, carries_bicycles: true }],
  passenger_types: [
    { id: 'pty_1', code: 'adult', name: 'Adult', is_default: true },
    { id: 'pty_2', code: 'child', name: 'Child', is_default: false },
  ],
  vehicle_types: [{ id: 'vty_1', code: 'car', name: 'Car', length_required: true, height_required: false }],
};

const SOLD = {
  ...{ order_id: newId('ord'), reference: 'K7M4-QXP8', ticket_ids: ['tkt_1', 'tkt_2'] },
  link: 'http://tickets.ferry.localhost/orders/x/confirmation',
  legs: [],
};

const user = userEvent.setup();
let queue: Queue;
let sent: { method: string; path: string; body: unknown }[];
let isDown: boolean;
let boarded: string[];
/** What calls about sales answer. */
let answers: { quotes?: unknown; returns?: unknown; returnQuotes?: unknown; sale?: unknown; hold?: unknown };

function entry(changes: Partial<QueueEntry>): QueueEntry {
  return {
    ...{ id: newId('que'), sailing_id: boat.id, arrived_at: at(-20), was_left_behind: false },
    party: { passengers: [{ type: 'adult', count: 2 }], vehicle: null, bicycles: 0 },
    ...{ plate: null, label: '', phone: '', status: 'waiting', fits: true, fits_held_back: false },
    ...changes,
  };
}

beforeEach(() => {
  openPage(`${STAFF}/gate`);
  // happy-dom has none.
  Element.prototype.scrollTo = () => undefined;
  sent = [];
  isDown = false;
  boarded = [];
  answers = {};
  queue = {
    entries: [
      entry({
        label: 'red van',
        party: {
          passengers: [{ type: 'adult', count: 1 }],
          vehicle: { type: 'car', length_cm: 450 },
          bicycles: 0,
        },
        plate: '5KJH 220',
        fits: false,
      }),
      entry({ was_left_behind: true, phone: '+12065550123' }),
    ],
    free: [{ sailing_id: boat.id, places: [{ resource: 'passenger', amount: 3 }] }],
    next_departs_local: '2026-06-02T13:00:00-07:00',
    as_of: at(0),
  };
  answerFetches(({ url, init }) => {
    const { pathname } = new URL(url, STAFF);
    if (pathname === '/api/catalogue') return success(catalogue);
    if (isDown)
      return json({ success: false, data: null, errors: [{ code: 'unavailable', message: '' }] }, 503);
    if (init.method !== 'GET') {
      sent.push({ method: String(init.method), path: pathname, body: JSON.parse(String(init.body ?? null)) });
    }
    if (pathname.endsWith('/quotes')) return success(init.body ? answers.returnQuotes : answers.quotes);
    if (pathname.endsWith('/returns')) return success(answers.returns);
    if (pathname.endsWith('/hold')) return success(answers.hold);
    if (pathname.endsWith('/sale')) return success(answers.sale);
    if (pathname.endsWith('/queue') && init.method === 'POST') {
      return success({ ...queue, entry_id: queue.entries.at(-1)?.id });
    }
    return success(queue);
  });
});
afterEach(cleanup);

async function openQueue({ sailing = boat, maySell = false, isAtDesk = false } = {}) {
  const onBoard = (tickets: readonly string[]) => boarded.push(...tickets);
  const view = () => (
    <QueueView boat={{ sailings: [sailing] }} maySell={maySell} {...(isAtDesk ? {} : { onBoard })} />
  );
  const router = createTestRouter([{ path: '*', Component: view }], ['/gate']);
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await screen.findAllByRole('listitem');
}

describe('the queue', () => {
  test('shows the parties in order, who fits, and what is free', async () => {
    await openQueue();
    expect(screen.getByText('Free now: 3 people')).toBeDefined();
    const [van, couple] = screen.getAllByRole('listitem');
    expect(van?.textContent).toMatch(/^Car|Adult, Car/);
    expect(van?.textContent).toContain('5KJH 220');
    expect(van?.textContent).toContain('Does not fit');
    expect(couple?.textContent).toContain('2 × Adult');
    expect(couple?.textContent).toContain('left behind by an earlier boat');
    expect(couple?.textContent).toContain('Fits');
  });

  test('says that nothing is sold for a canceled boat, instead of what is free', async () => {
    await openQueue({ sailing: { ...boat, status: 'canceled' }, maySell: true });
    expect(screen.getByText('This boat is canceled, so no more tickets are sold for it.')).toBeDefined();
    expect(screen.queryByText(/Free now/)).toBeNull();
  });

  test('does not say what is free on a boat that has departed', async () => {
    await openQueue({ sailing: { ...boat, departed_at: '2026-06-05T15:41:00.000Z' }, maySell: true });
    expect(screen.queryByText(/Free now/)).toBeNull();
  });

  test('calls the next that fits with one press', async () => {
    await openQueue();
    await user.click(screen.getByRole('button', { name: 'Call the next: 2 × Adult' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({ method: 'PATCH', body: { status: 'called' } });
    expect(sent[0]?.path).toContain(queue.entries[1]?.id);
  });

  test('removes a party, and gets it back', async () => {
    await openQueue();
    await user.click(screen.getByRole('button', { name: /red van/ }));
    const before = queue;
    queue = { ...queue, entries: queue.entries.slice(1) };
    await user.click(screen.getByRole('button', { name: 'Remove from the queue' }));
    expect(await screen.findByText(/^Removed: Adult, Car/)).toBeDefined();
    expect(screen.getAllByRole('listitem')).toHaveLength(1);
    queue = before;
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(2));
    expect(sent.map(({ body }) => body)).toEqual([{ status: 'removed' }, { status: 'waiting' }]);
  });

  test('takes one adult on foot with two presses', async () => {
    await openQueue();
    await user.click(screen.getByRole('button', { name: 'Add to the queue' }));
    await user.click(screen.getByRole('button', { name: 'Add' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent).toMatchObject([
      {
        path: `/api/staff/gate/sailings/${boat.id}/queue`,
        body: { passengers: [{ type: 'adult', count: 1 }], vehicle: null, bicycles: 0, label: '', phone: '' },
      },
    ]);
  });

  test('asks for the length of a vehicle', async () => {
    await openQueue();
    await user.click(screen.getByRole('button', { name: 'Add to the queue' }));
    const form = within(screen.getByRole('dialog'));
    await user.selectOptions(form.getByLabelText('Vehicle'), 'car');
    await user.click(form.getByRole('button', { name: 'Add' }));
    expect(form.getAllByText('Enter the length.').length).toBeGreaterThan(0);
    await user.type(form.getByLabelText('Length'), '4.5 m');
    await user.type(form.getByLabelText(/License plate/), '5kjh 220');
    await user.click(form.getByRole('button', { name: 'Add' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toMatchObject({ vehicle: { type: 'car', length_cm: 450 }, plate: '5kjh 220' });
  });

  test('of a canceled boat can only be moved to the next one', async () => {
    await openQueue({ sailing: { ...boat, status: 'canceled' } });
    expect(screen.queryByRole('button', { name: /^Call the next/ })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Move all to the boat at 1:00 PM' }));
    await waitFor(() =>
      expect(sent).toMatchObject([{ path: `/api/staff/gate/sailings/${boat.id}/queue/move` }]),
    );
  });

  test('says that it needs a connection', async () => {
    isDown = true;
    const router = createTestRouter(
      [
        {
          path: '*',
          Component: () => (
            <QueueView boat={{ sailings: [boat] }} maySell={false} onBoard={() => undefined} />
          ),
        },
      ],
      ['/gate'],
    );
    render(
      <QueryClientProvider client={createQueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>,
    );
    expect(await screen.findByText('The queue needs a connection', {}, { timeout: 5000 })).toBeDefined();
  });
});

describe('selling to a party of the queue', () => {
  const [out] = buildOrder().legs as [Leg];
  const quote = (code: string, name: string, total: number) => ({
    ...{ id: `quote-${code}`, lines: [], subtotal: total, discount: 0, tax: 0, total, currency: 'USD' },
    ...{ promo_code: null, fare_class: { code, name, summary: '' }, policy: {}, policy_text: [] },
    expires_at: at(15),
  });

  test('is offered only to those who may sell', async () => {
    await openQueue();
    await user.click(screen.getByRole('button', { name: /2 × Adult.*left behind/ }));
    expect(screen.queryByRole('button', { name: 'Sell tickets' })).toBeNull();
  });

  test('at the desk takes one adult on foot with three presses, and lets no one aboard', async () => {
    const added = entry({ party: { passengers: [{ type: 'adult', count: 1 }], vehicle: null, bicycles: 0 } });
    queue = { ...queue, entries: [...queue.entries, added] };
    answers = { quotes: { quotes: [quote('flex', 'Flex', 1275)], as_of: at(0) }, sale: SOLD };
    await openQueue({ maySell: true, isAtDesk: true });
    await user.click(screen.getByRole('button', { name: 'Sell tickets' }));
    expect(document.activeElement).toBe(screen.getByRole('spinbutton', { name: 'Adult' }));
    await user.click(screen.getByRole('button', { name: 'Show the price' }));
    const sell = await screen.findByRole('button', { name: '$12.75 taken: sell' });
    expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'Cash' }));
    await user.click(sell);
    expect(await screen.findByText('K7M4-QXP8')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Let them aboard' })).toBeNull();
    expect(sent.map(({ path }) => path)).toEqual([
      `/api/staff/gate/sailings/${boat.id}/queue`,
      `/api/staff/gate/queue/${added.id}/quotes`,
      `/api/staff/gate/queue/${added.id}/sale`,
    ]);
    expect(sent.at(-1)?.body).toMatchObject({ payment: { method: 'cash' } });
  });

  test('says of a sale that misses something that nothing is sold, not that they do not wait', async () => {
    await openQueue({ maySell: true, isAtDesk: true });
    await user.click(screen.getByRole('button', { name: 'Sell tickets' }));
    await user.selectOptions(screen.getByLabelText('Vehicle'), 'car');
    await user.click(screen.getByRole('button', { name: 'Show the price' }));
    expect(screen.getByText('Nothing is sold yet')).toBeDefined();
    expect(screen.queryByText('They are not in the queue yet')).toBeNull();
    expect(sent).toEqual([]);
  });

  test('leaves no one in the queue who only asked for the price', async () => {
    const added = entry({ party: { passengers: [{ type: 'adult', count: 1 }], vehicle: null, bicycles: 0 } });
    queue = { ...queue, entries: [...queue.entries, added] };
    answers = { quotes: { quotes: [quote('flex', 'Flex', 1275)], as_of: at(0) } };
    await openQueue({ maySell: true, isAtDesk: true });
    await user.click(screen.getByRole('button', { name: 'Sell tickets' }));
    await user.click(screen.getByRole('button', { name: 'Show the price' }));
    await screen.findByRole('button', { name: '$12.75 taken: sell' });
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    const removed = {
      method: 'PATCH',
      path: `/api/staff/gate/queue/${added.id}`,
      body: { status: 'removed' },
    };
    await waitFor(() => expect(sent.at(-1)).toEqual(removed));
  });

  test('keeps those in the queue who waited before they asked for the price', async () => {
    answers = { quotes: { quotes: [quote('flex', 'Flex', 2550)], as_of: at(0) } };
    await openQueue({ maySell: true, isAtDesk: true });
    await user.click(screen.getByRole('button', { name: /2 × Adult.*left behind/ }));
    const sheet = within(screen.getByRole('dialog'));
    await user.click(sheet.getByRole('button', { name: 'Sell tickets' }));
    await screen.findByRole('button', { name: '$25.50 taken: sell' });
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent.map(({ path }) => path)).toEqual([`/api/staff/gate/queue/${queue.entries[1]?.id}/quotes`]);
  });

  test('does not begin while those before them take the free places', async () => {
    queue = { ...queue, entries: [entry({ fits: false })] };
    await openQueue({ maySell: true, isAtDesk: true });
    await user.click(screen.getByRole('button', { name: 'Sell tickets' }));
    await user.click(screen.getByRole('button', { name: 'Show the price' }));
    expect(
      await screen.findByText('There is no place for 2 × Adult now. They wait in the queue.'),
    ).toBeDefined();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('offers the places that are held back, and sells to those who fit only into them', async () => {
    const added = entry({ fits: false, fits_held_back: true });
    queue = { ...queue, entries: [added] };
    const places = { passenger: 12, lane_cm: 0, tall_lane_cm: 0, bicycle: 2 };
    const heldBack = [{ id: 'hbk_1', reason: 'School trip', places, at: at(-60) }];
    answers = {
      quotes: { quotes: [quote('flex', 'Flex', 2550)], held_back: heldBack, as_of: at(0) },
      sale: SOLD,
    };
    await openQueue({ maySell: true, isAtDesk: true });
    expect(screen.getByText('Fits only in places held back')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Sell tickets' }));
    await user.click(screen.getByRole('button', { name: 'Show the price' }));
    const choice = await screen.findByLabelText('From the places held back');
    expect(
      within(choice)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['None of these', 'School trip: 12 people and 2 bicycles left']);
    await user.selectOptions(choice, 'hbk_1');
    await user.click(screen.getByRole('button', { name: '$25.50 taken: sell' }));
    await screen.findByText('K7M4-QXP8');
    expect(sent.at(-1)?.body).toMatchObject({ held_back: ['hbk_1'] });
  });

  test('holds the places for a caller who pays at the pier', async () => {
    answers = {
      quotes: { quotes: [quote('flex', 'Flex', 2550)], as_of: at(0) },
      hold: { reference: 'K7M4-QXP8', pay_until: at(60), legs: [out] },
    };
    await openQueue({ maySell: true, isAtDesk: true });
    await user.click(screen.getByRole('button', { name: /2 × Adult.*left behind/ }));
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Sell tickets' }));
    await user.click(await screen.findByRole('radio', { name: 'Paid at the pier' }));
    await user.clear(screen.getByLabelText('Phone'));
    await user.click(screen.getByRole('button', { name: 'Hold the places' }));
    expect(screen.getAllByText('Enter a phone number or an email.').length).toBeGreaterThan(0);
    await user.type(screen.getByLabelText('The buyer’s name'), 'Beatrix');
    await user.type(screen.getByLabelText('Phone'), '+12065550123');
    await user.click(screen.getByRole('button', { name: 'Hold the places' }));
    const held = within(await screen.findByRole('dialog', { name: 'The places are held' }));
    held.getByText('K7M4-QXP8');
    held.getByText(/^The places are held until /);
    const buyer = { name: 'Beatrix', phone: '+12065550123', email: null, minutes: null };
    expect(sent.at(-1)?.body).toEqual({ quote_id: 'quote-flex', held_back: [], ...buyer });
  });

  test('adds the return by its day and boat, at the price of both ways', async () => {
    queue = { ...queue, entries: [entry({})] };
    const back = {
      ...{ sailing_id: 'slg_back', vessel_name: 'MV Tidewater', status: 'scheduled', delay_minutes: 0 },
      ...{ departs_at: '2026-06-02T18:00:00Z', arrives_at: '2026-06-02T18:35:00Z' },
      ...{ departs_local: '2026-06-02T11:00:00', arrives_local: '2026-06-02T11:35:00' },
    };
    answers = {
      quotes: { quotes: [quote('flex', 'Flex', 2550)], as_of: at(0) },
      returns: { day: '2026-06-02', first_day: '2026-06-02', last_day: '2026-06-30', boats: [back] },
      returnQuotes: { quotes: [quote('flex-return', 'Flex', 4000)], as_of: at(0) },
      sale: {
        ...SOLD,
        legs: [out, { ...out, ...back, leg: 'back', origin: out.destination, destination: out.origin }],
      },
    };
    await openQueue({ maySell: true, isAtDesk: true });
    await user.click(screen.getByRole('button', { name: /^2 × Adult/ }));
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Sell tickets' }));
    await user.click(await screen.findByRole('button', { name: 'Add the return' }));
    const choice = await screen.findByLabelText('Return: boat');
    await user.click(screen.getByRole('button', { name: '$25.50 taken: sell' }));
    expect(choice.getAttribute('aria-invalid')).toBe('true');
    expect(screen.getAllByText('Choose the boat back, or sell without the return.').length).toBeGreaterThan(
      0,
    );
    expect(sent.some(({ path }) => path.endsWith('/sale'))).toBe(false);
    await user.selectOptions(choice, '11:00 AM · arrives 11:35 AM · MV Tidewater');
    await user.click(await screen.findByRole('button', { name: '$40.00 taken: sell' }));
    await screen.findByText('K7M4-QXP8');
    const crossings = within(screen.getByRole('list', { name: 'Crossings' })).getAllByRole('listitem');
    expect(crossings).toHaveLength(2);
    expect(crossings[1]?.textContent).toContain('11:00 AM · arrives 11:35 AM · MV Tidewater');
    expect(sent.at(-2)?.body).toEqual({ return_sailing_id: 'slg_back' });
    expect(sent.at(-1)?.body).toMatchObject({ quote_id: 'quote-flex-return' });
  });

  test('notes how they paid, shows the code of their tickets, and lets them aboard', async () => {
    answers = {
      quotes: { quotes: [quote('saver', 'Saver', 2000), quote('flex', 'Flex', 2550)], as_of: at(0) },
      sale: SOLD,
    };
    await openQueue({ maySell: true });
    await user.click(screen.getByRole('button', { name: /2 × Adult.*left behind/ }));
    const sheet = within(screen.getByRole('dialog'));
    await user.click(sheet.getByRole('button', { name: 'Sell tickets' }));
    const form = within(await screen.findByRole('dialog', { name: '2 × Adult' }));
    await user.selectOptions(await form.findByLabelText('Fare'), 'flex');
    await user.click(form.getByRole('radio', { name: 'Card terminal' }));
    await user.click(form.getByRole('button', { name: '$25.50 taken: sell' }));
    expect(form.getAllByText('Enter it to go on.').length).toBeGreaterThan(0);
    await user.type(form.getByLabelText('Number on the receipt'), 'R 42');
    await user.click(form.getByRole('button', { name: '$25.50 taken: sell' }));
    expect(await screen.findByText('K7M4-QXP8')).toBeDefined();
    expect(screen.getByRole('img', { name: 'Code that opens the tickets' })).toBeDefined();
    expect(sent.at(-1)).toMatchObject({
      path: `/api/staff/gate/queue/${queue.entries[1]?.id}/sale`,
      body: { quote_id: 'quote-flex', payment: { method: 'terminal', reference: 'R 42' }, email: null },
    });
    await user.click(screen.getByRole('button', { name: 'Let them aboard' }));
    expect(screen.getByText('They are aboard.')).toBeDefined();
    expect(boarded).toEqual(['tkt_1', 'tkt_2']);
  });
});
