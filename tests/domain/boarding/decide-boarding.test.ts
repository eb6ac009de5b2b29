import { describe, expect, test } from 'vitest';
import type { GateEvent, GateParty, GateSailing } from '#contract/gate/schemas.ts';
import {
  type BoardTarget,
  type Decision,
  decideBoarding,
  readScan,
  type Scan,
} from '#domain/boarding/decide-boarding.ts';
import { createGateList } from '#domain/boarding/gate-list.ts';
import { formatTicketCode, parseCode, partyFormat, ticketFormat } from '#domain/orders/ticket-code.ts';
import { newId } from '#server/core/ids.ts';
import { buildGateParty, buildGateSailing, buildGateTicket } from '#tests/factories/gate.ts';

const NOW = Date.parse('2026-06-02T15:40:00.000Z');
const MINUTE = 60_000;
const boat = buildGateSailing();
const onward = buildGateSailing({ voyage_id: boat.voyage_id, destination: 'West Quay' });
const later = buildGateSailing({ departs_at: '2026-06-02T18:00:00.000Z' });
const elsewhere = buildGateSailing({ origin_port_id: 'prt_south' });
const boarded = { sailing_id: boat.id, at: '2026-06-02T15:35:00.000Z', device: 'Ramp 2', times: 1 };

type Situation = {
  parties?: GateParty[];
  sailings?: GateSailing[];
  gate?: GateSailing;
  now?: number;
  events?: GateEvent[];
};

function decide(
  scan: Scan,
  { parties = [], sailings = [], gate = boat, now = NOW, events = [] }: Situation = {},
): Decision {
  const all = [gate, boat, onward, later, elsewhere, ...sailings];
  const list = createGateList({ sailings: all, parties }, events);
  return decideBoarding(scan, { sailing: gate, now }, list);
}

function ticketCode(ticketId: string, sailingId = boat.id): Scan {
  const signed = ticketFormat.encode({
    ...{ keyId: 'k1', ticketId, sailingId, departsMinute: Date.parse(boat.departs_at) / MINUTE },
    validUntilMinute: Date.parse(boat.departs_at) / MINUTE + 1440,
    ...{ kind: 'passenger', lengthCm: 0, partyIndex: 1, partySize: 1, version: 1 },
    ...{ reference: 'K7M4-QXP8', typeCode: 'adult' },
  });
  return genuine(signed);
}

function partyCode(passengers: number, vehicles = 0): Scan {
  const signed = partyFormat.encode({
    ...{ keyId: 'k1', sailingId: boat.id, departsMinute: Date.parse(boat.departs_at) / MINUTE },
    validUntilMinute: Date.parse(boat.departs_at) / MINUTE + 1440,
    ...{ passengers, vehicles, bicycles: 0, lengthCm: 0, version: 1, reference: 'K7M4-QXP8' },
  });
  return genuine(signed);
}

function letAboard({ event }: Decision): BoardTarget {
  if (event === null) throw new Error('It is not let aboard.');
  return event;
}

function genuine(signed: Uint8Array): Scan {
  const code = parseCode(formatTicketCode(signed, new Uint8Array(64)));
  if (!code.ok) throw new Error('The code is damaged.');
  return { type: 'signed', code, signature: 'genuine' };
}

/** The decision for the only ticket of a party. */
function decideTicket(ticket: Parameters<typeof buildGateTicket>[0], situation: Situation = {}): Decision {
  const party = buildGateParty(boat.id, { tickets: [buildGateTicket(ticket)] });
  return decide(ticketCode(party.tickets[0]?.id ?? ''), { parties: [party], ...situation });
}

describe('a ticket of the boat at the gate', () => {
  test('goes aboard', () => {
    expect(decideTicket({})).toMatchObject({ answer: 'go', looks: [], tickets: [{ title: 'Adult' }] });
  });

  test('goes aboard if it is for another port of the same voyage', () => {
    const party = buildGateParty(onward.id);
    expect(decide(ticketCode(party.tickets[0]?.id ?? ''), { parties: [party] }).answer).toBe('go');
  });

  test('goes aboard by the code read aloud, in any spelling', () => {
    const party = buildGateParty(boat.id, { tickets: [buildGateTicket({ code: '2222 2222' })] });
    const scan = readScan('2222-2222');
    if (!('spoken' in scan)) throw new Error('The code was not read as a spoken one.');
    expect(decide({ type: 'spoken', code: scan.spoken }, { parties: [party] }).answer).toBe('go');
    expect(decide({ type: 'spoken', code: scan.spoken })).toMatchObject({ reason: 'unknown_code' });
  });

  test.each([
    ['proof', { needs_proof: true }],
    ['vehicle', { kind: 'vehicle' as const }],
    ['assistance', { assistance: 'Travels in a wheelchair' }],
    ['details', { lacks_details: true as const }],
  ])('asks the staff to look: %s', (look, ticket) => {
    expect(decideTicket(ticket)).toMatchObject({ answer: 'look', looks: [look] });
  });

  test.each([
    ['canceled', { status: 'canceled' as const }],
    ['replaced', { status: 'replaced' as const }],
    ['boarded_before', { status: 'boarded' as const, boarding: boarded }],
    ['missed', { status: 'no_show' as const }],
  ])('is refused: %s', (reason, ticket) => {
    expect(decideTicket(ticket)).toMatchObject({ answer: 'stop', reason });
  });

  test('is refused with when and where it was boarded before', () => {
    expect(decideTicket({ status: 'boarded', boarding: boarded }).tickets).toMatchObject([
      { boarding: { at: boarded.at, device: 'Ramp 2' } },
    ]);
  });
});

describe('the state of the boat', () => {
  test('after check-in closed lets aboard who was sold a ticket since', () => {
    const gate = { ...boat, check_in_closed_at: '2026-06-02T15:39:00.000Z' };
    const answerTo = (sold_at: string) => {
      const party = buildGateParty(boat.id, { sold_at });
      const situation = { parties: [party], sailings: [gate], gate };
      return decide(ticketCode(party.tickets[0]?.id ?? ''), situation).answer;
    };
    expect(answerTo('2026-06-02T15:38:59.999Z')).toBe('stop');
    expect(answerTo('2026-06-02T15:39:00.000Z')).toBe('go');
  });

  test.each([
    ['departed', { departed_at: '2026-06-02T15:39:00.000Z' }],
    ['check_in_closed', { check_in_closed_at: '2026-06-02T15:39:00.000Z' }],
    ['sailing_canceled', { status: 'canceled' as const }],
    ['sailing_canceled', { status: 'suspended' as const }],
  ])('refuses a valid ticket: %s', (reason, changes) => {
    const gate = { ...boat, ...changes };
    const party = buildGateParty(boat.id);
    const decision = decide(ticketCode(party.tickets[0]?.id ?? ''), {
      parties: [party],
      sailings: [gate],
      gate,
    });
    expect(decision).toMatchObject({ answer: 'stop', reason });
  });
});

describe('a ticket of another boat', () => {
  test.each([
    ['other_sailing', later],
    ['other_port', elsewhere],
    ['sailing_canceled', buildGateSailing({ status: 'canceled' })],
  ])('is refused and names its own boat: %s', (reason, sailing) => {
    const party = buildGateParty(sailing.id);
    const decision = decide(ticketCode(party.tickets[0]?.id ?? '', sailing.id), {
      parties: [party],
      sailings: [sailing],
    });
    expect(decision).toMatchObject({ answer: 'stop', reason, sailing: { id: sailing.id } });
  });

  test('may be let aboard with a reason, but not one from another port', () => {
    const event = ({ id }: GateSailing) => {
      const party = buildGateParty(id);
      return decide(ticketCode(party.tickets[0]?.id ?? '', id), { parties: [party] });
    };
    expect(event(later)).toMatchObject({ event: { tickets: [expect.any(String)] } });
    expect(event(elsewhere)).toMatchObject({ event: null });
  });

  test.each([
    [true, { answer: 'look', looks: ['missed_earlier'] }],
    [false, { answer: 'stop', reason: 'other_sailing' }],
  ])('that has left boards a later one of the day if its fare says so: %s', (mayTravelLater, expected) => {
    const left = { ...boat, departed_at: '2026-06-02T16:01:00.000Z' };
    const party = buildGateParty(boat.id, {
      may_travel_later: mayTravelLater,
      tickets: [buildGateTicket({ status: 'no_show' })],
    });
    const scan = ticketCode(party.tickets[0]?.id ?? '');
    const situation = { parties: [party], sailings: [left], gate: later, now: NOW + 90 * MINUTE };
    expect(decide(scan, situation)).toMatchObject(expected);
    const nextDay = { ...later, service_date: '2026-06-03', departs_at: '2026-06-03T16:00:00.000Z' };
    expect(decide(scan, { ...situation, gate: nextDay })).toMatchObject({ answer: 'stop' });
  });
});

describe('a code that the list does not have', () => {
  test('goes aboard if it is genuine, because it was sold after the list was made', () => {
    const id = newId('tkt');
    expect(decide(ticketCode(id))).toMatchObject({ answer: 'go', tickets: [], event: { tickets: [id] } });
    expect(decide(partyCode(2))).toMatchObject({
      answer: 'go',
      event: { tickets: [], party: { reference: 'K7M4-QXP8', sailing_id: boat.id } },
    });
  });

  test('of a party is looked at if a ticket of it went aboard alone', () => {
    const board: GateEvent = {
      ...{ type: 'board', id: newId('gev'), sailing_id: boat.id, device: 'Ramp 1' },
      ...{ occurred_at: '2026-06-02T15:35:00.000Z', ...letAboard(decide(ticketCode(newId('tkt')))) },
    };
    expect(decide(partyCode(2), { events: [board] })).toMatchObject({
      answer: 'look',
      looks: ['partly_aboard'],
      event: { party: { reference: 'K7M4-QXP8' } },
    });
    const undo: GateEvent = { ...board, type: 'undo', id: newId('gev'), event_id: board.id };
    expect(decide(partyCode(2), { events: [board, undo] })).toMatchObject({ answer: 'go', looks: [] });
    expect(decide(ticketCode(newId('tkt')), { events: [board] })).toMatchObject({ answer: 'go' });
  });

  test('is refused if its boat is not on the list either', () => {
    expect(decide(ticketCode(newId('tkt'), newId('slg')))).toMatchObject({ reason: 'other_sailing' });
  });

  test.each(['forged', 'unknown_key'] as const)('is refused if its signature is %s', (signature) => {
    expect(decide({ ...ticketCode(newId('tkt')), signature } as Scan)).toMatchObject({ reason: signature });
  });

  test('is refused a day after its boat has left', () => {
    const now = Date.parse(boat.departs_at) + 1441 * MINUTE;
    expect(decide(ticketCode(newId('tkt')), { now })).toMatchObject({ reason: 'expired', event: null });
  });

  test.each([
    ['not_a_ticket', 'https://example.com/menu'],
    ['not_a_ticket', '4006381333931'],
    ['unknown_format', 'GW2ABCDEF'],
    ['damaged', 'GW1ABCDEF'],
  ])('says what it is: %s', (reason, text) => {
    const scan = readScan(text);
    if (!('parsed' in scan) || scan.parsed.ok) throw new Error('It was read as a ticket.');
    expect(scan.parsed.reason).toBe(reason);
    expect(decide({ type: 'unreadable', reason: scan.parsed.reason })).toMatchObject({
      answer: 'stop',
      reason,
    });
  });
});

describe('the code of a party', () => {
  const family = buildGateParty(boat.id, {
    tickets: [buildGateTicket(), buildGateTicket({ title: 'Child' }), buildGateTicket({ title: 'Child' })],
  });
  const [ada, ...children] = family.tickets;

  test('lets everybody aboard', () => {
    expect(decide(partyCode(3), { parties: [family] })).toMatchObject({
      answer: 'go',
      event: { tickets: family.tickets.map(({ id }) => id) },
    });
  });

  test('lets aboard those who are not aboard yet', () => {
    const tickets = [{ ...buildGateTicket(), ...ada, boarding: boarded }, ...children];
    expect(decide(partyCode(3), { parties: [{ ...family, tickets }] })).toMatchObject({
      answer: 'go',
      event: { tickets: children.map(({ id }) => id) },
    });
    const all = family.tickets.map((ticket) => ({ ...ticket, boarding: boarded }));
    expect(decide(partyCode(3), { parties: [{ ...family, tickets: all }] })).toMatchObject({
      reason: 'boarded_before',
    });
  });

  test('is refused if tickets were canceled since, because it admits more than are left', () => {
    const tickets = family.tickets.map((ticket, index) =>
      index === 2 ? { ...ticket, status: 'canceled' as const } : ticket,
    );
    const parties = [{ ...family, tickets }];
    expect(decide(partyCode(3), { parties })).toMatchObject({ reason: 'party_changed', event: null });
    expect(decide(partyCode(2), { parties })).toMatchObject({ answer: 'go' });
  });
});
