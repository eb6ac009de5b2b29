import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { GateEvent, GatePack } from '#contract/gate/schemas.ts';
import { buildGatePack, buildGateParty, buildGateSailing } from '#tests/factories/gate.ts';
import { openRecords } from '#web/platform/saved-data/records.ts';
import { type GateDevice, type NewEvent, openGateDevice } from '#web/staff/gate/device/gate-device.ts';
import { forgetGateList, openSavedGate } from '#web/staff/gate/device/saved-gate.ts';
import { answerFetches, json, openPage, STAFF, success } from '../../platform/page.ts';
import { memoryStore } from '../../platform/saved-data/memory-store.ts';

const boat = buildGateSailing();
const party = buildGateParty(boat.id);
const [ticket] = party.tickets;
const ticketId = ticket?.id ?? '';

let stored = memoryStore();
let device: GateDevice | null = null;
/** What the server answers. */
let server: { pack: GatePack; isDown: boolean; refuses: (event: GateEvent) => boolean; status: number };
let sent: GateEvent[][] = [];
/** The tags that each request for the list named. */
let asked: string[] = [];
let isSignedOut = false;
let staffId: string | null = null;

beforeEach(() => {
  openPage(`${STAFF}/gate`);
  stored = memoryStore();
  sent = [];
  asked = [];
  isSignedOut = false;
  staffId = 'stf_ada';
  const pack = buildGatePack({ as_of: new Date().toISOString(), sailings: [boat], parties: [party] });
  server = { pack, isDown: false, refuses: () => false, status: 200 };
  answerFetches(({ url, init }) => {
    if (server.isDown) throw new TypeError('Failed to fetch');
    if (server.status !== 200) return json({ success: false, data: null, errors: [] }, server.status);
    if (url.includes('/pack')) return success(leaveOut(server.pack, url));
    if (url.endsWith('/ping')) return json({ success: true });
    const { events } = JSON.parse(String(init.body)) as { events: GateEvent[] };
    sent.push(events);
    if (events.some(server.refuses)) return json({ success: false, data: null, errors: [] }, 403);
    return success({ twice: [], unknown: [], as_of: new Date().toISOString() });
  });
});
afterEach(() => {
  device?.stop();
  device = null;
  vi.useRealTimers();
});

/** Without the parties whose tags the request names, as the server answers. */
function leaveOut(pack: GatePack, url: string): GatePack {
  const has = new URL(url, STAFF).searchParams.get('has') ?? '';
  asked.push(has);
  const known = new Set(
    pack.tags.flatMap(({ tag, sailing_id }) => (has.split(',').includes(tag) ? [sailing_id] : [])),
  );
  return { ...pack, parties: pack.parties.filter(({ sailing_id }) => !known.has(sailing_id)) };
}

function open(): GateDevice {
  const saved = openSavedGate(openRecords('gate', { openStore: () => stored.use }));
  device = openGateDevice({
    port: 'NOR',
    name: 'Ramp 1',
    saved,
    getStaffId: () => staffId,
    onSignedOut: () => {
      isSignedOut = true;
      void forgetGateList(saved);
    },
  });
  return device;
}

async function opened(): Promise<GateDevice> {
  const gate = open();
  await vi.waitFor(() => expect(gate.state.get().pack).not.toBeNull());
  return gate;
}

const board: NewEvent = { type: 'board', sailing_id: boat.id, tickets: [ticketId] };
const isAboard = (gate: GateDevice) => gate.getList().tickets.get(ticketId)?.ticket.boarding !== null;

describe('a gate’s device', () => {
  test('loads the list, and sends what happened at once', async () => {
    const gate = await opened();
    expect(gate.getList().parties.values()).toEqual([party]);
    const event = gate.record(board);
    expect(event).toMatchObject({ device: 'Ramp 1', id: expect.stringMatching(/^gev_[0-9a-z]{26}$/) });
    expect(isAboard(gate)).toBe(true);
    await vi.waitFor(() => expect(sent).toEqual([[event]]));
    await vi.waitFor(() => expect(gate.state.get().log[0]?.acceptedAt).not.toBeNull());
  });

  test('loads the list when it is due, also while what happened is sent without a pause', async () => {
    const gate = await opened();
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 31_000);
    gate.record(board);
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    await vi.waitFor(() => expect(asked).toHaveLength(2));
  });

  test('loads the list by itself every half minute, and tries again what was not sent', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    const gate = await opened();
    await vi.waitFor(() => expect(asked).toHaveLength(1));
    await gate.sync();
    expect(asked).toHaveLength(2);
    vi.advanceTimersByTime(35_000);
    await vi.waitFor(() => expect(asked).toHaveLength(3));
    server.status = 503;
    gate.record(board);
    expect(await gate.sync()).toBe(false);
    server.status = 200;
    vi.advanceTimersByTime(5000);
    await vi.waitFor(() => expect(sent).toHaveLength(1));
  });

  test('decides without a connection, keeps what happened over a restart, and sends it later', async () => {
    const gate = await opened();
    server.isDown = true;
    const event = gate.record(board);
    expect(await gate.sync()).toBe(false);
    expect(gate.state.get().isOffline).toBe(true);
    // The key, the list, the parties of the boat and the event.
    await vi.waitFor(() => expect(stored.data.size).toBe(4));
    gate.stop();

    const restarted = await opened();
    expect(isAboard(restarted)).toBe(true);
    server.isDown = false;
    expect(await restarted.sync()).toBe(true);
    expect(sent.flat()).toEqual([event]);
    expect(restarted.state.get().isOffline).toBe(false);
  });

  test('loads and stores only the parties of boats of which something has changed', async () => {
    const later = buildGateSailing();
    const others = buildGateParty(later.id, { contact_name: 'Grace Hopper' });
    const tags = [
      { sailing_id: boat.id, tag: 'a' },
      { sailing_id: later.id, tag: 'b' },
    ];
    server.pack = { ...server.pack, sailings: [boat, later], parties: [party, others], tags };
    const gate = await opened();
    await vi.waitFor(() => expect(stored.data.size).toBe(4));
    const before = new Map(stored.data);
    const moved = { ...others, contact_name: 'Katherine Johnson' };
    server.pack = {
      ...server.pack,
      parties: [party, moved],
      tags: [
        { sailing_id: boat.id, tag: 'a' },
        { sailing_id: later.id, tag: 'c' },
      ],
    };
    await gate.sync();
    expect(asked).toEqual(['', 'a,b']);
    expect(gate.getList().parties.values()).toEqual([party, moved]);
    // The list itself, with its age, and the parties of the other boat.
    const changed = () => [...stored.data].filter(([name, record]) => before.get(name) !== record);
    await vi.waitFor(() => expect(changed()).toHaveLength(2));

    const { parties } = gate.state.get().pack ?? {};
    server.pack = { ...server.pack, as_of: new Date(Date.now() + 1000).toISOString() };
    await gate.sync();
    expect(gate.state.get().pack?.parties).toBe(parties);
    gate.stop();
    server.isDown = true;
    const restarted = await opened();
    expect(restarted.getList().parties.values()).toEqual(expect.arrayContaining([party, moved]));
  });

  test('forgets the boats that the list does not have any more', async () => {
    const gate = await opened();
    await vi.waitFor(() => expect(stored.data.size).toBe(3));
    server.pack = { ...server.pack, sailings: [], parties: [], tags: [] };
    await gate.sync();
    expect(gate.getList().parties.values()).toEqual([]);
    await vi.waitFor(() => expect(stored.data.size).toBe(2));
  });

  test('stores nothing that can be read without its key', async () => {
    const gate = await opened();
    await gate.sync();
    await vi.waitFor(() => expect(stored.data.size).toBe(3));
    const records = [...stored.data.values()];
    expect(JSON.stringify(records)).not.toContain('Lovelace');
  });

  test('sends what happened under the name of the person who did it, after another one has signed in', async () => {
    const gate = await opened();
    server.isDown = true;
    gate.record(board);
    await gate.sync();
    staffId = 'stf_grace';
    server.isDown = false;
    const own = gate.record({ type: 'count', sailing_id: boat.id, people: 1 });
    await gate.sync();
    expect(sent.flat().map(({ staff_id }) => staff_id)).toEqual(['stf_ada', 'stf_grace']);
    staffId = null;
    expect(gate.record(board)).not.toHaveProperty('staff_id');
    expect(own.staff_id).toBe('stf_grace');
  });

  test('goes on with the other events if the server refuses one', async () => {
    const gate = await opened();
    server.isDown = true;
    const refused = gate.record({
      type: 'board',
      sailing_id: boat.id,
      tickets: [ticketId],
      override: 'The boat is late.',
    });
    const good = gate.record({ type: 'count', sailing_id: boat.id, people: 1 });
    await gate.sync();
    server.isDown = false;
    server.refuses = ({ id }) => id === refused.id;
    await gate.sync();
    const outcome = gate.state.get().log.map(({ event, isRefused }) => ({ id: event.id, isRefused }));
    expect(outcome).toEqual([
      { id: refused.id, isRefused: true },
      { id: good.id, isRefused: false },
    ]);
    expect(sent.at(-1)?.map(({ id }) => id)).toEqual([good.id]);
  });

  test('does not count people twice once the list contains them', async () => {
    const gate = await opened();
    gate.record({ type: 'count', sailing_id: boat.id, people: 2 });
    expect(gate.getList().sailings.get(boat.id)?.unticketed).toBe(2);
    await vi.waitFor(() => expect(gate.state.get().log[0]?.acceptedAt).not.toBeNull());
    server.pack = {
      ...server.pack,
      as_of: new Date(Date.now() + 1000).toISOString(),
      sailings: [{ ...boat, unticketed: 2 }],
    };
    await gate.sync();
    expect(gate.getList().sailings.get(boat.id)?.unticketed).toBe(2);
  });

  test('forgets the list when the session has ended, and keeps what is not sent', async () => {
    const gate = await opened();
    server.isDown = true;
    const event = gate.record(board);
    await gate.sync();
    server.isDown = false;
    server.status = 401;
    await gate.sync();
    expect(gate.state.get().pack).toBeNull();
    expect(isSignedOut).toBe(true);
    // The key and the event.
    await vi.waitFor(() => expect(stored.data.size).toBe(2));
    gate.stop();
    server.status = 200;
    const restarted = await opened();
    await restarted.sync();
    expect(sent.flat()).toEqual([event]);
  });

  test('does not read a list of more than 36 hours ago, nor one of another port', async () => {
    server.pack = { ...server.pack, as_of: new Date(Date.now() - 37 * 3_600_000).toISOString() };
    const gate = await opened();
    await gate.sync();
    gate.stop();
    server.isDown = true;
    const restarted = open();
    await vi.waitFor(() => expect(restarted.state.get().isRestoring).toBe(false));
    expect(restarted.state.get().pack).toBeNull();
  });
});
