import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { GateEvent, OverrideKey } from '#contract/gate/schemas.ts';
import { changeStaffRole } from '#server/staff/manage.ts';
import { endStaffSessions } from '#server/staff/sessions.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { openGate } from '#tests/factories/gate-office.ts';
import { createStaffMember } from '#tests/factories/staff.ts';
import { signOverride } from '#web/staff/gate/answer/override-key.ts';

const HOUR_MS = 3_600_000;

let office: Office;
let sailing: string;
let gate: Awaited<ReturnType<typeof openGate>>;
let manager: Awaited<ReturnType<typeof openGate>>;
let key: OverrideKey;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  sailing = office.ferry.outward[0] ?? '';
  office.clock.advance(12 * HOUR_MS);
  gate = await openGate(office, sailing);
  manager = await openGate(office, sailing, 'manager');
  key = must(await manager.call('GET', api.getOverrideKey.path));
});

/** A paid order for one adult. */
async function buy(): Promise<{ id: string; tickets: string[] }> {
  const { order, intent } = await office.takePayment({ adults: 1 });
  await office.confirmWith(intent);
  await office.provider.deliverNow();
  const { tickets } = await office.readOrder(order.id);
  return { id: order.id, tickets: tickets.map((ticket: { id: string }) => ticket.id) };
}

const REASON = { override: 'Their own boat is full' };

/** An override as the manager's device makes it now. */
async function override(tickets: string[]): Promise<GateEvent> {
  return signOverride(manager.board(tickets, { ...REASON, staff_id: manager.staffId }), key);
}

async function readStored(event: GateEvent) {
  const [row] = await office.database.store.query<{ staff_id: string; sent_by: string | null }>(
    'select staff_id, sent_by from gate_events where id = $1',
    [event.id],
  );
  return row ?? null;
}

describe('an override', () => {
  test('counts as the manager’s when it is sent in the session of a gate person', async () => {
    const { id, tickets } = await buy();
    const event = await override(tickets);
    office.clock.advance(HOUR_MS);
    await endStaffSessions(office.context, { staffId: manager.staffId });
    office.clock.advance(HOUR_MS);
    must(await gate.send(event));
    expect(await readStored(event)).toEqual({ staff_id: manager.staffId, sent_by: gate.staffId });
    expect((await office.readOrder(id)).tickets).toMatchObject([{ status: 'boarded' }]);
  });

  test('needs the proof of a session, no matter who sends it and who it says made it', async () => {
    const { tickets } = await buy();
    for (const sender of [gate, manager]) {
      const event = gate.board(tickets, { ...REASON, staff_id: manager.staffId });
      expect(codeOf(await sender.send(event))).toBe('not_permitted');
      expect(await readStored(event)).toBeNull();
    }
  });

  test.each<[string, (event: GateEvent, tickets: string[]) => object]>([
    ['its id, so that it cannot be repeated', () => ({ id: gate.board([]).id })],
    ['its tickets', (_, tickets) => ({ tickets })],
    ['its reason', () => ({ override: 'Another reason' })],
    ['its time', () => ({ occurred_at: office.clock.now().toISOString() })],
    ['its device', () => ({ device: 'Ramp 9' })],
  ])('is proved with %s', async (_, change) => {
    const [ours, theirs] = [await buy(), await buy()];
    const event = await override(ours.tickets);
    office.clock.advance(60_000);
    const forged = { ...event, ...change(event, theirs.tickets) } as GateEvent;
    expect(codeOf(await gate.send(forged))).toBe('not_permitted');
  });

  test('is refused with a key that is not the session’s', async () => {
    const { tickets } = await buy();
    const event = manager.board(tickets, REASON);
    for (const key_id of [key.key_id, 'sts_0', `other.${key.key_id}`, '']) {
      const forged = await signOverride(event, { key_id, key: 'guessed' });
      expect(codeOf(await gate.send(forged))).toBe('not_permitted');
    }
  });

  test('is refused if it happened outside of the session', async () => {
    const { tickets } = await buy();
    await endStaffSessions(office.context, { staffId: manager.staffId });
    office.clock.advance(10 * 60_000);
    expect(codeOf(await gate.send(await override(tickets)))).toBe('not_permitted');
  });

  test('is refused if the person had lost the right before, and not if they lost it afterwards', async () => {
    const [before, after] = [await buy(), await buy()];
    const early = await override(before.tickets);
    await createStaffMember(office.context, 'manager');
    office.clock.advance(60_000);
    await changeStaffRole(office.context, {
      ...{ id: manager.staffId, role: 'gate' },
      actor: { kind: 'server' },
    });
    office.clock.advance(60_000);
    expect(codeOf(await gate.send(await override(after.tickets)))).toBe('not_permitted');
    must(await gate.send(early));
  });

  test('gets a key only in the session of a person with the right', async () => {
    expect(codeOf(await gate.call('GET', api.getOverrideKey.path))).toBe('not_permitted');
  });
});
