import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GateEvent } from '#contract/gate/schemas.ts';
import { countBoarding } from '#domain/boarding/count-boarding.ts';
import { foldBoarding, type TicketEvent } from '#domain/boarding/fold-boarding.ts';
import { createGateList } from '#domain/boarding/gate-list.ts';
import {
  buildGatePack,
  buildGateParty,
  buildGateSailing,
  buildGateTicket,
  newEventId,
} from '#tests/factories/gate.ts';

describe('foldBoarding', () => {
  const event = fc.record({
    type: fc.constantFrom('board' as const, 'leave' as const),
    sailingId: fc.constant('slg_1'),
    device: fc.constantFrom('Ramp 1', 'Ramp 2'),
    at: fc.nat(20),
    isUndone: fc.boolean(),
  });
  const events = fc
    .array(event)
    .map((list) => list.map((each, index) => ({ ...each, id: `event ${index}` })));

  test('gives the same result in whatever order the events arrive', () =>
    fc.assert(
      fc.property(events, fc.nat(), (inOrder, turn) => {
        const at = turn % Math.max(1, inOrder.length);
        const inOtherOrder = [...inOrder.slice(at), ...inOrder.slice(0, at)].reverse();
        expect(foldBoarding(inOtherOrder)).toEqual(foldBoarding(inOrder));
      }),
      { numRuns: 1000, seed: 20_260_601 },
    ));

  const make = (type: 'board' | 'leave', at: number, changes: Partial<TicketEvent> = {}): TicketEvent => ({
    ...{ id: `event ${at}`, type, sailingId: 'slg_1', device: 'Ramp 1', at, isUndone: false },
    ...changes,
  });

  test('keeps the first boarding and counts the others, without those that were undone', () => {
    const second = make('board', 2, { device: 'Ramp 2' });
    expect(foldBoarding([make('board', 1), second])).toMatchObject({ device: 'Ramp 1', at: 1, times: 2 });
    expect(foldBoarding([make('board', 1, { isUndone: true }), second])).toMatchObject({
      device: 'Ramp 2',
      times: 1,
    });
  });

  test('is null for a ticket that has left, and a new boarding after that counts once', () => {
    const events = [make('board', 1), make('leave', 2)];
    expect(foldBoarding(events)).toBeNull();
    expect(foldBoarding([...events, make('board', 3)])).toMatchObject({ at: 3, times: 1 });
  });
});

const boat = buildGateSailing({ through_passengers: 4, unticketed: 2 });
const car = buildGateTicket({ kind: 'vehicle', title: 'Car' });
const party = buildGateParty(boat.id, {
  vehicle: { plate: '5KJH 220', length_cm: 480, height_cm: null },
  tickets: [buildGateTicket(), buildGateTicket({ title: 'Child' }), car],
});
const pack = buildGatePack({ sailings: [boat], parties: [party] });
const [adult, child] = party.tickets;

function happened(event: Partial<GateEvent> & Pick<GateEvent, 'type'>): GateEvent {
  const common = { id: newEventId(), sailing_id: boat.id, device: 'Ramp 1' };
  return { ...common, occurred_at: '2026-06-02T15:31:00.000Z', tickets: [], ...event } as GateEvent;
}

describe('createGateList', () => {
  test('shows what the device did since the list was made', () => {
    const events = [
      happened({ type: 'board', tickets: [adult?.id ?? '', car.id] }),
      happened({ type: 'count', people: 3 }),
    ];
    const now = createGateList(pack, events);
    expect(now.parties.values()[0]?.tickets.map(({ status }) => status)).toEqual([
      'boarded',
      'issued',
      'boarded',
    ]);
    expect(now.sailings.get(boat.id)?.unticketed).toBe(5);
  });

  test('boards everybody of a party that an event names', () => {
    const named = { reference: party.reference, sailing_id: boat.id };
    const now = createGateList(pack, [happened({ type: 'board', party: named })]);
    expect(now.parties.values()[0]?.tickets.every(({ boarding }) => boarding !== null)).toBe(true);
  });

  test('takes back what was undone, and who left', () => {
    const board = happened({ type: 'board', tickets: [adult?.id ?? ''] });
    const undone = createGateList(pack, [board, happened({ type: 'undo', event_id: board.id })]);
    expect(undone.parties.values()[0]?.tickets[0]).toMatchObject({ status: 'issued', boarding: null });
    const left = createGateList(pack, [board, happened({ type: 'leave', tickets: [adult?.id ?? ''] })]);
    expect(left.parties.values()[0]?.tickets[0]).toMatchObject({ status: 'issued', boarding: null });
  });
});

describe('countBoarding', () => {
  test('counts people with and without tickets, those from earlier ports, and the length of vehicles', () => {
    const now = createGateList(pack, [happened({ type: 'board', tickets: [adult?.id ?? '', car.id] })]);
    const count = countBoarding([...now.sailings.values()], now.parties.values());
    expect(count).toMatchObject({ people: 4 + 2 + 1, certificate: 300, laneCm: 480 });
    expect(count.titles).toEqual([
      { kind: 'passenger', title: 'Adult', sold: 1, aboard: 1 },
      { kind: 'passenger', title: 'Child', sold: 1, aboard: 0 },
      { kind: 'vehicle', title: 'Car', sold: 1, aboard: 1 },
    ]);
    expect(count.missing.map(({ tickets }) => tickets.map(({ id }) => id))).toEqual([[child?.id]]);
  });

  test('counts people of another boat who were let aboard, and a canceled ticket that is aboard', () => {
    const boarding = { sailing_id: boat.id, at: '2026-06-02T15:31:00.000Z', device: 'Ramp 1', times: 2 };
    const other = buildGateParty('slg_other', { tickets: [buildGateTicket({ boarding })] });
    const canceled = buildGateParty(boat.id, {
      tickets: [buildGateTicket({ status: 'canceled', boarding })],
    });
    const count = countBoarding([boat], [other, canceled]);
    expect(count.people).toBe(6 + 2);
    expect(count.titles).toEqual([{ kind: 'passenger', title: 'Adult', sold: 0, aboard: 2 }]);
    expect(count.twice).toHaveLength(2);
    expect(count.missing).toEqual([]);
  });
});
