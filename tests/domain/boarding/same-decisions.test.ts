import { beforeAll, expect, test } from 'vitest';
import type { GateEvent, GatePack, GateParty, GateSailing, GateTicket } from '#contract/gate/schemas.ts';
import { decideBoarding } from '#domain/boarding/decide-boarding.ts';
import { foldBoarding, type TicketEvent } from '#domain/boarding/fold-boarding.ts';
import { createGateList } from '#domain/boarding/gate-list.ts';
import { seeded } from '#tests/bench/seeded.ts';
import {
  buildGatePack,
  buildGateParty,
  buildGateSailing,
  buildGateTicket,
  newEventId,
} from '#tests/factories/gate.ts';

const TICKETS = 10_000;
const HOUR_MS = 3_600_000;
const OPENS = Date.parse('2026-06-02T15:00:00.000Z');

const random = seeded(4711);
const pick = <Value>(values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)] ?? (values[0] as Value);
const chance = (share: number) => random() < share;

const sailings = [
  buildGateSailing(),
  buildGateSailing({ departs_at: '2026-06-02T18:00:00.000Z' }),
  buildGateSailing({
    departs_at: '2026-06-02T12:00:00.000Z',
    check_in_closed_at: '2026-06-02T11:50:00.000Z',
  }),
  buildGateSailing({ check_in_closed_at: '2026-06-02T15:50:00.000Z' }),
  buildGateSailing({ status: 'canceled' }),
  buildGateSailing({ origin_port_id: 'prt_south' }),
];
const STATUSES: GateTicket['status'][] = ['issued', 'issued', 'issued', 'canceled', 'replaced'];

const isClosed = ({ check_in_closed_at }: GateSailing) => check_in_closed_at !== null;

function makePack(): GatePack {
  const parties: GateParty[] = [];
  for (let made = 0; made < TICKETS; ) {
    const sailing = pick(sailings);
    const tickets = Array.from({ length: Math.min(1 + Math.floor(random() * 5), TICKETS - made) }, () => {
      made += 1;
      const status = pick(STATUSES);
      return buildGateTicket({
        code: `T${made}`,
        // Closing has marked those who did not come.
        status: status === 'issued' && isClosed(sailing) ? 'no_show' : status,
        needs_proof: chance(0.1),
      });
    });
    const options = { reference: `REF${made}`, may_travel_later: chance(0.3), tickets };
    parties.push(buildGateParty(sailing.id, options));
  }
  return buildGatePack({ sailings, parties });
}

/** What a device did, in the order in which it did it: scans, people who left the boat, and what was taken back. */
function work({ parties }: GatePack, device: string, isOffBy = 0): GateEvent[] {
  const events: GateEvent[] = [];
  let at = OPENS;
  const happen = (more: object, sailingId: string): GateEvent => {
    at += 1 + Math.floor(random() * 2000);
    const occurred_at = new Date(at + isOffBy).toISOString();
    const event = { id: newEventId(), sailing_id: sailingId, device, occurred_at, ...more } as GateEvent;
    events.push(event);
    return event;
  };
  for (const party of parties) {
    const tickets = party.tickets.filter(() => chance(0.7)).map(({ id }) => id);
    if (tickets.length === 0) continue;
    const { sailing_id: sailing } = party;
    const board = happen({ type: 'board', tickets }, sailing);
    const share = random();
    if (share < 0.1) happen({ type: 'undo', event_id: board.id }, sailing);
    else if (share < 0.2) {
      const leave = happen({ type: 'leave', tickets: tickets.slice(0, 1) }, sailing);
      if (chance(0.3)) happen({ type: 'undo', event_id: leave.id }, sailing);
    }
    if (chance(0.1)) happen({ type: 'board', tickets: tickets.slice(0, 1) }, sailing);
  }
  return events;
}

/** The pack that the server makes once it has these events, in whatever order they came. */
function makeLaterPack(pack: GatePack, events: readonly GateEvent[]): GatePack {
  const undone = new Set(events.flatMap((event) => (event.type === 'undo' ? [event.event_id] : [])));
  const byTicket = new Map<string, Map<string, TicketEvent>>();
  for (const event of events) {
    if (event.type !== 'board' && event.type !== 'leave') continue;
    const { id, type, sailing_id: sailingId, device, occurred_at } = event;
    const stored = { id, type, sailingId, device, at: Date.parse(occurred_at), isUndone: undone.has(id) };
    for (const ticket of event.tickets) {
      byTicket.set(ticket, (byTicket.get(ticket) ?? new Map()).set(id, stored));
    }
  }
  const change = (ticket: GateTicket): GateTicket => {
    const boarding = foldBoarding([...(byTicket.get(ticket.id)?.values() ?? [])]);
    if (boarding === null) return ticket;
    const { sailingId, device, at, times } = boarding;
    const isVoid = ticket.status === 'canceled' || ticket.status === 'replaced';
    return {
      ...ticket,
      status: isVoid ? ticket.status : 'boarded',
      boarding: { sailing_id: sailingId, at: new Date(at).toISOString(), device, times },
    };
  };
  const parties = pack.parties.map((party) => ({ ...party, tickets: party.tickets.map(change) }));
  return { ...pack, parties };
}

/** What a gate answers for every ticket. */
function decideAll(pack: GatePack, events: readonly GateEvent[], gate = sailings[0]): Map<string, string> {
  const list = createGateList(pack, events);
  const answers = new Map<string, string>();
  for (const { id, code } of pack.parties.flatMap(({ tickets }) => tickets)) {
    const scan = { type: 'spoken' as const, code };
    const decision = decideBoarding(scan, { sailing: gate ?? buildGateSailing(), now: OPENS }, list);
    const { boarding } = decision.tickets[0] ?? { boarding: null };
    const why = decision.answer === 'stop' ? decision.reason : decision.looks.join();
    answers.set(id, [decision.answer, why, boarding?.at, boarding?.device].join(' '));
  }
  return answers;
}

function shuffle<Value>(values: readonly Value[]): Value[] {
  return values
    .map((value) => ({ value, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ value }) => value);
}

let pack: GatePack;
let events: GateEvent[];
beforeAll(() => {
  pack = makePack();
  events = work(pack, 'Ramp 1');
});

test.each(sailings)('a device and the server decide the same about 10,000 tickets, boat %#', (gate) => {
  const onDevice = decideAll(pack, events, gate);
  expect(onDevice.size).toBe(TICKETS);
  const onServer = decideAll(makeLaterPack(pack, events), [], gate);
  expect([...onDevice].filter(([id, answer]) => onServer.get(id) !== answer)).toEqual([]);
});

test('a device decides the same whether its list contains what it did or not', () => {
  const fresh = makeLaterPack(pack, events);
  expect(decideAll(fresh, events)).toEqual(decideAll(fresh, []));
});

test('events lead to the same answers late, twice and in any order, also by a clock that is two hours off', () => {
  const all = [...events, ...work(pack, 'Ramp 2', 2 * HOUR_MS), ...work(pack, 'Ramp 3', -2 * HOUR_MS)];
  const expected = makeLaterPack(pack, all);
  const twice = [...shuffle(all), ...shuffle(all).slice(0, 1000)];
  expect(makeLaterPack(pack, twice)).toEqual(expected);
  const half = Math.floor(all.length / 2);
  expect(makeLaterPack(pack, [...all.slice(half), ...all.slice(0, half)])).toEqual(expected);
});
