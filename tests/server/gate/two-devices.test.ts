import { afterAll, beforeAll, expect, test } from 'vitest';
import { GATE_EVENTS_LIMIT } from '#contract/gate/limits.ts';
import type { GateEvent, GatePack } from '#contract/gate/schemas.ts';
import { decideBoarding } from '#domain/boarding/decide-boarding.ts';
import { createGateList } from '#domain/boarding/gate-list.ts';
import { seeded } from '#tests/bench/seeded.ts';
import { must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { openGate } from '#tests/factories/gate-office.ts';

/** In an hour without a connection, of each device. */
const SCANS = 300;
const HOUR_MS = 3_600_000;
/** Of nine people each, so that devices scan some tickets that are aboard, and admit some that the other one admits. */
const PARTIES = 25;

let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());

type Gate = Awaited<ReturnType<typeof openGate>>;

/** What a device does in its hour, with its own list only. */
function scanForAnHour(pack: GatePack, gate: Gate, { device, seed }: { device: string; seed: number }) {
  const random = seeded(seed);
  const codes = pack.parties.flatMap(({ tickets }) => tickets.map(({ code }) => code));
  const sailing = pack.sailings[0] ?? expect.fail('The port has no boat.');
  const start = office.clock.now().getTime();
  const events: GateEvent[] = [];
  const admitted = new Set<string>();
  for (let scan = 0; scan < SCANS; scan += 1) {
    const now = start + (scan * HOUR_MS) / SCANS;
    const code = codes[Math.floor(random() * codes.length)] ?? '';
    const decision = decideBoarding({ type: 'spoken', code }, { sailing, now }, createGateList(pack, events));
    const [ticket = ''] = decision.tickets.map(({ id }) => id);
    if (admitted.has(ticket)) expect(decision).toMatchObject({ answer: 'stop', reason: 'boarded_before' });
    if (decision.answer === 'stop') continue;
    admitted.add(ticket);
    events.push(gate.board([ticket], { device, occurred_at: new Date(now).toISOString() }));
  }
  return { events, admitted };
}

/** Half of the batches twice, and the last ones first. */
async function deliver(gate: Gate, events: readonly GateEvent[]): Promise<void> {
  const batches: GateEvent[][] = [];
  for (let at = 0; at < events.length; at += GATE_EVENTS_LIMIT / 4) {
    batches.push(events.slice(at, at + GATE_EVENTS_LIMIT / 4));
  }
  for (const [index, batch] of batches.toReversed().entries()) {
    must(await gate.send(...batch));
    if (index % 2 === 0) must(await gate.send(...batch));
  }
}

test('two devices without a connection for an hour agree afterwards, and tickets that both admitted are flagged', async () => {
  const sailing = office.ferry.outward[0] ?? '';
  for (let party = 0; party < PARTIES; party += 1) {
    const { intent } = await office.takePayment({ adults: 9 });
    await office.confirmWith(intent);
    await office.provider.deliverNow();
  }
  office.clock.advance(22 * HOUR_MS);
  const gate = await openGate(office, sailing);
  const pack = await gate.readPack();
  expect(pack.parties.flatMap(({ tickets }) => tickets)).toHaveLength(PARTIES * 9);

  const [one, two] = [
    scanForAnHour(pack, gate, { device: 'Ramp 1', seed: 1 }),
    scanForAnHour(pack, gate, { device: 'Ramp 2', seed: 2 }),
  ];
  office.clock.advance(HOUR_MS);
  await deliver(gate, two.events);
  await deliver(gate, one.events);

  const after = createGateList(await gate.readPack());
  const aboard = new Map(
    after.parties
      .values()
      .flatMap(({ tickets }) =>
        tickets.flatMap(({ id, boarding, status }) =>
          boarding ? [[id, { ...boarding, status }] as const] : [],
        ),
      ),
  );
  expect(new Set(aboard.keys())).toEqual(new Set([...one.admitted, ...two.admitted]));
  const twice = new Set([...one.admitted].filter((id) => two.admitted.has(id)));
  expect(twice.size).toBeGreaterThan(50);
  for (const [id, { times, status }] of aboard) {
    expect({ id, times, status }).toEqual({ id, times: twice.has(id) ? 2 : 1, status: 'boarded' });
  }
  const boat = pack.sailings[0] ?? expect.fail('The port has no boat.');
  for (const id of twice) {
    const code = after.tickets.get(id)?.ticket.code ?? '';
    const decision = decideBoarding(
      { type: 'spoken', code },
      { sailing: boat, now: office.clock.now().getTime() },
      after,
    );
    expect(decision).toMatchObject({ answer: 'stop', reason: 'boarded_before' });
  }
}, 120_000);
