import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider } from 'react-router/dom';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { FareCard } from '#contract/gate/fares/schemas.ts';
import type { GateEvent } from '#contract/gate/schemas.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { buildFareCard, buildGateFares, buildGatePack, buildGateSailing } from '#tests/factories/gate.ts';
import { createTicketSigner } from '#tests/factories/gate-codes.ts';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { GateScreen } from '#web/staff/gate/gate-screen.tsx';
import { answerFetches, json, openPage, STAFF, success } from '../../platform/page.ts';
import { createTestRouter } from '../../test-router.ts';

const NUMBER = '9000 0000 0000 0001';
const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const signer = createTicketSigner();
const boat = buildGateSailing({ departs_at: at(30), destination: 'Heron Island' });
const user = userEvent.setup();
let card: FareCard | null;
let role: StaffRole;
let sent: GateEvent[];
let taken: unknown[];
let undone: string[];
let isLost: boolean;
/** Called for each charge; what it returns is the answer. */
let onCharge: () => Promise<Response | undefined>;
let keys: (string | null)[];
let blocked: string[];

beforeEach(() => {
  openPage(`${STAFF}/gate`);
  // happy-dom has none.
  Element.prototype.scrollTo = () => undefined;
  [card, role, sent, taken, undone] = [buildFareCard(), 'gate', [], [], []];
  [isLost, blocked, keys] = [false, [], []];
  onCharge = async () => undefined;
  localStorage.setItem('staff-signed-in', 'true');
  localStorage.setItem('gate-device', JSON.stringify({ port: 'NOR', name: 'Ramp 1' }));
  answerFetches(async ({ url, init }) => {
    const { pathname } = new URL(url, STAFF);
    if (pathname === '/api/staff/session') {
      const staff = { id: 'stf_1', name: 'Grace Hopper', email: 'grace@ferry.example', role };
      return success({ staff, expires_at: at(600) });
    }
    if (pathname.endsWith('/pack')) {
      const fares = buildGateFares([boat], { blocked });
      return success(buildGatePack({ as_of: at(0), sailings: [boat], keys: [signer.key], fares }));
    }
    if (pathname.endsWith('/events')) {
      sent.push(...(JSON.parse(String(init.body)) as { events: GateEvent[] }).events);
      return success({ twice: [], unknown: [], as_of: at(0) });
    }
    if (pathname.endsWith('/fares/card')) {
      if (isLost) throw new TypeError('Failed to fetch');
      if (card !== null) return success(card);
      const errors = [{ code: 'unknown_trip_card', message: 'Unknown.' }];
      return json({ success: false, data: null, errors, status_code: 422 }, 422);
    }
    if (pathname.endsWith('/undo')) {
      undone.push(pathname);
      return success({ order_id: 'ord_1' });
    }
    taken.push(JSON.parse(String(init.body)));
    keys.push(new Headers(init.headers).get('Idempotency-Key'));
    const failure = await onCharge();
    if (failure) return failure;
    return success({ order_id: 'ord_1', reference: 'K7M4-QXP8', ticket_ids: ['tkt_1'], balance: 725 });
  });
});
afterEach(cleanup);

async function show(text: string) {
  await openGate();
  return scan(text);
}

async function openGate() {
  const router = createTestRouter([{ path: '*', Component: GateScreen }], ['/gate']);
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await screen.findByLabelText('Letters below the code');
}

async function scan(text: string) {
  await user.click(screen.getByLabelText('Letters below the code'));
  await user.paste(text);
  await user.keyboard('{Enter}');
  await screen.findByRole('dialog');
  // The answer has a dialog of its own.
  await waitFor(() => expect(screen.queryByText('Reading the trip card…')).toBeNull());
  return within(screen.getByRole('dialog'));
}

const press = async (name: string) => user.click(await screen.findByRole('button', { name }));

describe('a trip card at the gate', () => {
  test('shows the fare, takes it with one press, lets aboard, and gives it back', async () => {
    const panel = await show(NUMBER);
    expect(await panel.findByRole('heading', { name: '$12.75' })).toBeDefined();
    expect(panel.getByText('Trip card ··4821')).toBeDefined();
    expect(panel.getByText('$20.00 on it')).toBeDefined();
    expect(taken).toEqual([]);
    await press('Take $12.75: let aboard');
    expect(await screen.findByRole('heading', { name: 'Let aboard' })).toBeDefined();
    expect(screen.getByText('Trip card ··4821: $7.25 left')).toBeDefined();
    expect(taken).toEqual([
      {
        ...{ sailing_id: boat.id, card: NUMBER, device: 'Ramp 1' },
        ...{ passengers: [{ type: 'adult', count: 1 }], amount: 1275 },
      },
    ]);
    await waitFor(() => expect(sent).toMatchObject([{ type: 'board', tickets: ['tkt_1'] }]));
    await press('Undo: not aboard');
    expect(await screen.findByText('$12.75 given back')).toBeDefined();
    expect(sent.map(({ type }) => type)).toEqual(['board', 'undo']);
    expect(undone).toEqual(['/api/staff/gate/fares/ord_1/undo']);
  });

  test('is charged once if its code is read again meanwhile', async () => {
    const answer = Promise.withResolvers<undefined>();
    onCharge = () => answer.promise;
    const code = signer.signCard({ cardId: buildFareCard().id });
    await show(code);
    await press('Take $12.75: let aboard');
    await waitFor(() => expect(taken).toHaveLength(1));
    for (const read of [code, NUMBER]) {
      const panel = await scan(read);
      await user.click(await panel.findByRole('button', { name: 'Take $12.75: let aboard' }));
    }
    answer.resolve(undefined);
    expect(await screen.findByRole('heading', { name: 'Let aboard' })).toBeDefined();
    expect(taken).toHaveLength(1);
  });

  test('stays shown as it is if its code is read again', async () => {
    await show(NUMBER);
    await press('Change who travels');
    await press('More: Child');
    await scan(NUMBER);
    expect(await screen.findByRole('heading', { name: '$17.75' })).toBeDefined();
  });

  test('continues the same sale if its answer was lost and another code of it is read', async () => {
    const errors = [{ code: 'internal_server_error', message: 'The server failed.' }];
    onCharge = async () => json({ success: false, data: null, errors, status_code: 500 }, 500);
    await show(NUMBER);
    await press('Take $12.75: let aboard');
    await waitFor(() => expect(taken).toHaveLength(1));
    onCharge = async () => undefined;
    await screen.findByText(/^Something went wrong/);
    await press('Take nothing');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await scan(signer.signCard({ cardId: buildFareCard().id }));
    await press('Take $12.75: let aboard');
    expect(await screen.findByRole('heading', { name: 'Let aboard' })).toBeDefined();
    expect(new Set(keys).size).toBe(1);
    expect(taken[1]).toEqual(taken[0]);
  });

  test('says without a connection that a fare whose answer was lost may be taken', async () => {
    const errors = [{ code: 'internal_server_error', message: 'The server failed.' }];
    onCharge = async () => json({ success: false, data: null, errors, status_code: 500 }, 500);
    await show(NUMBER);
    await press('Take $12.75: let aboard');
    await screen.findByText(/^Something went wrong/);
    await press('Take nothing');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    isLost = true;
    const panel = await scan(signer.signCard({ cardId: card?.id ?? '' }));
    expect(await panel.findByText(/just got no answer and may be taken/)).toBeDefined();
  });

  test('pays for others too, as far as its balance goes', async () => {
    const panel = await show(NUMBER);
    await press('Change who travels');
    await press('More: Child');
    expect(await panel.findByRole('heading', { name: '$17.75' })).toBeDefined();
    await press('More: Child');
    expect(await panel.findByText('Not enough on the card')).toBeDefined();
    expect(panel.getByText('They pay $22.75.')).toBeDefined();
    expect(panel.queryByRole('button', { name: /let aboard/ })).toBeNull();
    await press('Fewer: Child');
    await press('Take $17.75: let aboard');
    await waitFor(() => expect(taken).toHaveLength(1));
    expect(taken).toMatchObject([
      {
        passengers: [
          { type: 'adult', count: 1 },
          { type: 'child', count: 1 },
        ],
      },
    ]);
  });

  test('of a pass pays in trips', async () => {
    const pass = { name: '10-trip pass', ends_at: null, lines: null, passenger_types: null };
    card = buildFareCard({ unit: 'trips', balance: 3, pass });
    const panel = await show(signer.signCard({ cardId: card.id, product: 'ten_trips' }));
    expect(await panel.findByRole('button', { name: 'Take 1 trip: let aboard' })).toBeDefined();
    expect(panel.getByText('10-trip pass ··4821')).toBeDefined();
  });

  test.each([
    ['Forged trip card', () => createTicketSigner().signCard({ cardId: buildFareCard().id })],
    [
      'This trip card cannot be checked',
      () => createTicketSigner('k9').signCard({ cardId: buildFareCard().id }),
    ],
    ['The code cannot be read', () => signer.signCard({ cardId: buildFareCard().id }).slice(0, -9)],
  ])('is stopped with “%s”, and the server is not asked', async (reason, code) => {
    const panel = await show(code());
    expect(await panel.findByText(reason)).toBeDefined();
    expect(panel.queryByRole('button', { name: /let aboard/ })).toBeNull();
  });

  test('that is unknown is stopped', async () => {
    card = null;
    expect(await (await show(NUMBER)).findByText('No trip card has this number')).toBeDefined();
  });

  test('that is blocked is stopped, and its balance is not shown', async () => {
    card = buildFareCard({ is_blocked: true });
    const panel = await show(NUMBER);
    expect(await panel.findByText('This card is blocked')).toBeDefined();
    expect(panel.queryByText('$20.00 on it')).toBeNull();
  });

  test('is not taken by those who may not', async () => {
    role = 'office';
    expect(await (await show(NUMBER)).findByText('You may not take trip cards')).toBeDefined();
  });
});

describe('a trip card without a connection', () => {
  beforeEach(() => {
    isLost = true;
  });
  const next = () => press('Next');
  const made = Math.floor(Date.now() / 60_000) - 1;
  const takeOne = async (code: string) => {
    await scan(code);
    await press('Take $12.75: let aboard');
    expect(await screen.findByRole('heading', { name: 'Let aboard' })).toBeDefined();
  };

  test('pays as its code says, within the limit of the device, and is sent as an event', async () => {
    const code = signer.signCard({ cardId: buildFareCard().id, balance: 9000 });
    await openGate();
    await takeOne(code);
    expect(screen.getByText('The card is charged when this device has a connection.')).toBeDefined();
    await next();
    await takeOne(code);
    await next();
    const panel = await scan(code);
    expect(await panel.findByText('The limit without a connection is reached')).toBeDefined();
    await press('Take nothing');
    const passengers = [{ type: 'adult', count: 1 }];
    const event = { type: 'fare', sailing_id: boat.id, code, passengers, amount: 1275 };
    await waitFor(() => expect(sent).toMatchObject([event, event]));
    expect(taken).toEqual([]);
  });

  test('pays no more than its balance, and what is undone is not taken', async () => {
    const code = signer.signCard({ cardId: buildFareCard().id, balance: 2000, madeMinute: made });
    await openGate();
    await takeOne(code);
    await next();
    expect(await (await scan(code)).findByText('Not enough on the card')).toBeDefined();
    await press('Take nothing');
    await user.click(screen.getByRole('button', { name: /Let aboard: Adult/ }));
    await press('Undo: not aboard');
    expect(await screen.findByText('$12.75 given back')).toBeDefined();
    await next();
    await takeOne(code);
    await waitFor(() => expect(sent.map(({ type }) => type)).toEqual(['fare', 'undo', 'fare']));
    expect(undone).toEqual([]);
  });

  test('is stopped if it is blocked, its code is out of date, or only its number is known', async () => {
    const id = buildFareCard().id;
    blocked = [id];
    await openGate();
    expect(
      await (await scan(signer.signCard({ cardId: id }))).findByText('This card is blocked'),
    ).toBeDefined();
    await press('Take nothing');
    const old = signer.signCard({ cardId: buildFareCard().id, validUntilMinute: made });
    expect(await (await scan(old)).findByText('This code is out of date')).toBeDefined();
    await press('Take nothing');
    expect(await (await scan(NUMBER)).findByText('This needs a connection')).toBeDefined();
  });

  test('of a pass pays trips on its lines', async () => {
    await openGate();
    const sign = (product: string) => signer.signCard({ cardId: buildFareCard().id, balance: 3, product });
    await scan(sign('ten_trips'));
    await press('Take 1 trip: let aboard');
    await waitFor(() => expect(sent).toMatchObject([{ type: 'fare', amount: 1 }]));
    await next();
    expect(await (await scan(sign('gone'))).findByText('This pass is not for this line')).toBeDefined();
  });
});
