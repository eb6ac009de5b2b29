import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { GateEvent } from '#contract/gate/schemas.ts';
import { createGateList } from '#domain/boarding/gate-list.ts';
import {
  buildGatePack,
  buildGateParty,
  buildGateSailing,
  buildGateTicket,
  newEventId,
} from '#tests/factories/gate.ts';
import { createTicketSigner } from '#tests/factories/gate-codes.ts';
import { createStore } from '#web/platform/create-store.ts';
import { openAnswers } from '#web/staff/gate/answer/answers.ts';
import { signOverride } from '#web/staff/gate/answer/override-key.ts';
import type { GateDevice, GateState, NewEvent } from '#web/staff/gate/device/gate-device.ts';
import { openPage, STAFF } from '../../platform/page.ts';

const signer = createTicketSigner();
const boat = buildGateSailing();
const tickets = [buildGateTicket(), buildGateTicket({ code: '2NWB 2WMB' }), buildGateTicket({ code: '' })];
const [first, second] = tickets;
const party = buildGateParty(boat.id, { tickets });
const pack = buildGatePack({ sailings: [boat], parties: [party], keys: [signer.key] });

beforeEach(() => {
  openPage(`${STAFF}/gate`);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-06-02T15:30:00.000Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A device without storage and server. */
function openDevice() {
  const events: GateEvent[] = [];
  const state = createStore<GateState>({
    isRestoring: false,
    pack,
    log: [],
    isOffline: false,
    refusal: null,
  });
  function store(event: GateEvent): GateEvent {
    events.push(event);
    return event;
  }
  const complete = (event: NewEvent) =>
    ({
      ...event,
      ...{ id: newEventId(), device: 'Ramp 1', occurred_at: new Date().toISOString() },
    }) as GateEvent;
  const device: GateDevice = {
    state,
    getList: () => createGateList(pack, events),
    record: (event) => store(complete(event)),
    recordSigned: async (event, sign) => store(await sign(complete(event))),
    sync: async () => true,
    putSailings: () => undefined,
    stop: () => undefined,
  };
  const answers = openAnswers(
    device,
    () => boat,
    () => false,
  );
  async function look(text: string | null, pictures = 1): Promise<void> {
    for (let count = 0; count < pictures; count += 1) await answers.see(text);
  }
  return { events, answers, look };
}

const ABOARD = { answer: 'stop', reason: 'boarded_before' };
const ticketCode = (id = first?.id ?? '') => signer.signTicket({ ticketId: id, sailingId: boat.id });
const partyCode = () => signer.signParty({ sailingId: boat.id, passengers: 3 });
const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

describe('answers', () => {
  test('a genuine ticket goes aboard at once', async () => {
    const { events, answers } = openDevice();
    await answers.take(ticketCode());
    expect(answers.state.get().shown?.decision.answer).toBe('go');
    expect(events).toMatchObject([{ type: 'board', sailing_id: boat.id, tickets: [first?.id] }]);
  });

  test('a forged ticket, one of another operator and another code are stopped, each with its reason', async () => {
    const { events, answers } = openDevice();
    const reasons: unknown[] = [];
    const genuine = ticketCode();
    const forged = createTicketSigner('k1').signTicket({ ticketId: first?.id ?? '', sailingId: boat.id });
    const foreign = createTicketSigner('k9').signTicket({ ticketId: first?.id ?? '', sailingId: boat.id });
    for (const text of [forged, foreign, genuine.slice(0, -9), 'https://example.com', '9780306406157']) {
      await answers.take(text);
      const decision = answers.state.get().shown?.decision;
      reasons.push(decision?.answer === 'stop' ? decision.reason : decision?.answer);
    }
    expect(reasons).toEqual(['forged', 'unknown_key', 'damaged', 'not_a_ticket', 'not_a_ticket']);
    expect(events).toEqual([]);
  });

  test('a code that a hand scanner reads twice is answered once while the answer is shown', async () => {
    const { events, answers } = openDevice();
    await Promise.all([answers.take(ticketCode()), answers.take(ticketCode())]);
    pass(2900);
    await answers.take(ticketCode());
    expect(answers.state.get()).toMatchObject({ shown: { decision: { answer: 'go' } }, history: [{}] });
    expect(events).toHaveLength(1);
    pass(3100);
    await answers.take(ticketCode());
    expect(answers.state.get().shown?.decision).toMatchObject(ABOARD);
  });

  test.each([0, 2000, 4100])('a copy of a code is stopped %i ms after “Next”', async (wait) => {
    const { events, answers } = openDevice();
    await answers.take(ticketCode());
    answers.dismiss();
    pass(wait);
    await answers.take(ticketCode());
    expect(answers.state.get().shown?.decision).toMatchObject(ABOARD);
    answers.dismiss();
    await answers.take('K7M4QXP8');
    expect(answers.state.get().shown?.decision).toMatchObject(ABOARD);
    expect(events).toHaveLength(1);
  });

  test('a copy of a code is stopped at once after another code was read', async () => {
    const { events, answers } = openDevice();
    for (const code of [ticketCode(), ticketCode(second?.id), ticketCode()]) await answers.take(code);
    expect(answers.state.get().shown?.decision).toMatchObject(ABOARD);
    expect(events).toHaveLength(2);
  });

  test('a code that stays before the camera is answered once, also after the answer was closed', async () => {
    const { answers, look } = openDevice();
    await look(ticketCode());
    answers.dismiss();
    for (let count = 0; count < 100; count += 1) {
      pass(500);
      // A blurred picture now and then.
      await look(count % 3 === 0 ? null : ticketCode());
    }
    expect(answers.state.get()).toMatchObject({ shown: null, history: [{}] });
  });

  test.each([
    ['is still shown', false],
    ['was closed', true],
  ])('a code that comes back before the camera is stopped, if its answer %s', async (_, isClosed) => {
    const { events, answers, look } = openDevice();
    await look(ticketCode());
    if (isClosed) answers.dismiss();
    await look(null, 21);
    await look(ticketCode());
    expect(answers.state.get().shown?.decision).toMatchObject(ABOARD);
    expect(events).toHaveLength(1);
  });

  test('a code that the camera and a hand scanner read at the same time is answered once', async () => {
    const { answers, look } = openDevice();
    await answers.take(ticketCode());
    await look(ticketCode());
    pass(2900);
    await answers.take(ticketCode());
    answers.dismiss();
    await look(ticketCode());
    expect(answers.state.get()).toMatchObject({ shown: null, history: [{ decision: { answer: 'go' } }] });
  });

  test('a code that stays before the camera is not answered again after a hand scanner read another one', async () => {
    const { answers, look } = openDevice();
    await look(ticketCode());
    await answers.take(ticketCode(second?.id));
    await look(ticketCode());
    const { shown, history } = answers.state.get();
    expect(shown?.tickets).toMatchObject([{ id: second?.id }]);
    expect(history).toHaveLength(2);
  });

  test('an answer can be taken back', async () => {
    const { events, answers } = openDevice();
    await answers.take(ticketCode());
    answers.undo();
    expect(events[1]).toMatchObject({ type: 'undo', event_id: events[0]?.id });
    expect(answers.state.get()).toMatchObject({ shown: { step: 'undone', event: null }, history: [{}] });
    await answers.take(ticketCode());
    expect(answers.state.get().shown?.decision.answer).toBe('go');
  });

  test('a party’s code lets aboard who is left of it, or only some of them', async () => {
    const { events, answers } = openDevice();
    await answers.take('K7M4QXP8');
    await answers.take(partyCode());
    expect(events[1]).toMatchObject({ tickets: [second?.id, tickets[2]?.id] });
    answers.boardOnly(second ? [second] : []);
    expect(events.slice(2)).toMatchObject([
      { type: 'undo', event_id: events[1]?.id },
      { type: 'board', tickets: [second?.id] },
    ]);
    pass(4000);
    await answers.take(partyCode());
    expect(events.at(-1)).toMatchObject({ tickets: [tickets[2]?.id] });
  });

  test('a refused ticket goes aboard with a reason', async () => {
    const { events, answers } = openDevice();
    const other = buildGateSailing();
    const code = signer.signTicket({ ticketId: newEventId().replace('gev', 'tkt'), sailingId: other.id });
    await answers.take(code);
    expect(answers.state.get().shown?.decision).toMatchObject({ answer: 'stop', reason: 'other_sailing' });
    await answers.override('Their boat is late.', (event) =>
      signOverride(event, { key_id: 'k', key: 'secret' }),
    );
    const proof = { key_id: 'k', mac: expect.stringMatching(/^\w{52}$/) };
    expect(events).toMatchObject([{ type: 'board', override: 'Their boat is late.', proof }]);
    expect(answers.state.get().shown?.step).toBe('overridden');
  });

  test('a vehicle that is measured without a price stays aboard', async () => {
    const { events, answers } = openDevice();
    await answers.take(ticketCode());
    const size = { length_cm: 700, height_cm: null, vehicle_type: 'van' };
    answers.measure(first?.id ?? '', size);
    expect(events).toMatchObject([{ type: 'board' }, { type: 'measure', ticket_id: first?.id, ...size }]);
    expect(answers.state.get().shown).toMatchObject({ step: 'measured', event: { type: 'board' } });
  });

  test('a refusal that does not depend on the boat has nothing to override', async () => {
    const { events, answers } = openDevice();
    await answers.take('hello');
    await answers.override('Please', async (event) => event);
    expect(events).toEqual([]);
  });

  test('people leave the boat, which can be taken back', () => {
    const { events, answers } = openDevice();
    answers.board(party, tickets);
    answers.leave(party, tickets);
    expect(events[1]).toMatchObject({ type: 'leave', tickets: tickets.map(({ id }) => id) });
    answers.undo();
    expect(events[2]).toMatchObject({ type: 'undo', event_id: events[1]?.id });
  });
});
