import { describe, expect, test } from 'vitest';
import type { GateEvent } from '#contract/gate/schemas.ts';
import { decideBoarding, readScan, type Scan } from '#domain/boarding/decide-boarding.ts';
import { createGateList } from '#domain/boarding/gate-list.ts';
import {
  buildGatePack,
  buildGateParty,
  buildGateSailing,
  buildGateTicket,
  newEventId,
} from '#tests/factories/gate.ts';
import { createTicketSigner } from '#tests/factories/gate-codes.ts';

const boat = buildGateSailing();
const at = (minute: number) => `2026-06-02T15:${minute}:00.000Z`;

function event<Type extends GateEvent['type']>(type: Type, minute: number, more: object, device = 'Ramp 1') {
  const common = { id: newEventId(), sailing_id: boat.id, device, occurred_at: at(minute) };
  return { ...common, type, ...more } as Extract<GateEvent, { type: Type }>;
}

describe('a gate’s list', () => {
  const ticket = buildGateTicket();
  const party = buildGateParty(boat.id, { tickets: [ticket] });
  const board = event('board', 31, { tickets: [ticket.id] });
  const withBoarding = (minute: number, device: string) =>
    buildGatePack({
      sailings: [boat],
      parties: [
        {
          ...party,
          tickets: [
            {
              ...ticket,
              status: 'boarded',
              boarding: { sailing_id: boat.id, at: at(minute), device, times: 1 },
            },
          ],
        },
      ],
    });
  const read = (pack: ReturnType<typeof withBoarding>, events: GateEvent[]) =>
    createGateList(pack, events).parties.values()[0]?.tickets[0];

  test('takes an event back that the list contains already', () => {
    const undo = event('undo', 32, { event_id: board.id });
    expect(read(withBoarding(31, 'Ramp 1'), [board, undo])).toMatchObject({
      status: 'issued',
      boarding: null,
    });
  });

  test('leaves a ticket aboard that another device boarded after it was taken back here', () => {
    const undo = event('undo', 32, { event_id: board.id });
    expect(read(withBoarding(33, 'Ramp 2'), [board, undo])?.boarding?.device).toBe('Ramp 2');
  });

  test('leaves a ticket aboard that boarded again after it left the boat', () => {
    const leave = event('leave', 32, { tickets: [ticket.id] });
    expect(read(withBoarding(33, 'Ramp 2'), [board, leave])?.boarding?.device).toBe('Ramp 2');
    expect(read(withBoarding(31, 'Ramp 1'), [board, leave])?.boarding).toBeNull();
  });

  test('does not count people twice who were counted and taken back', () => {
    const count = event('count', 31, { people: 2 });
    const undo = event('undo', 32, { event_id: count.id });
    const pack = buildGatePack({ sailings: [boat] });
    expect(createGateList(pack, [count]).sailings.get(boat.id)?.unticketed).toBe(2);
    expect(createGateList(pack, [count, undo]).sailings.get(boat.id)?.unticketed).toBe(0);
  });
});

describe('a ticket that was sold after the list was made', () => {
  const { signTicket, signParty } = createTicketSigner();
  const gate = { sailing: boat, now: Date.parse(at(30)) };

  function scan(text: string): Scan {
    const read = readScan(text);
    if ('spoken' in read || !read.parsed.ok) throw new Error('The code is not signed.');
    return { type: 'signed', code: read.parsed, signature: 'genuine' };
  }

  test('goes aboard once', () => {
    const { id } = buildGateTicket();
    const code = scan(signTicket({ ticketId: id, sailingId: boat.id }));
    const pack = buildGatePack({ sailings: [boat] });
    expect(decideBoarding(code, gate, createGateList(pack))).toMatchObject({ answer: 'go', party: null });
    const board = event('board', 30, { tickets: [id] });
    expect(decideBoarding(code, gate, createGateList(pack, [board]))).toMatchObject({
      answer: 'stop',
      reason: 'boarded_before',
    });
    const undo = event('undo', 31, { event_id: board.id });
    expect(decideBoarding(code, gate, createGateList(pack, [board, undo])).answer).toBe('go');
  });

  test('goes aboard once with its party', () => {
    const code = scan(signParty({ sailingId: boat.id, passengers: 2 }));
    const named = { reference: 'K7M4-QXP8', sailing_id: boat.id };
    const pack = buildGatePack({ sailings: [boat] });
    expect(decideBoarding(code, gate, createGateList(pack))).toMatchObject({
      answer: 'go',
      event: { tickets: [], party: named },
    });
    const board = event('board', 30, { tickets: [], party: named });
    expect(decideBoarding(code, gate, createGateList(pack, [board]))).toMatchObject({
      reason: 'boarded_before',
    });
    const ticket = scan(signTicket({ ticketId: buildGateTicket().id, sailingId: boat.id }));
    expect(decideBoarding(ticket, gate, createGateList(pack, [board]))).toMatchObject({
      reason: 'boarded_before',
    });
  });
});
