import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { createApp } from '#server/app.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { type Clerk, signInClerk } from '#tests/factories/staff-desk.ts';

let office: Office;
let clerk: Clerk;
const streams: Followed[] = [];
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  clerk = await signInClerk(office, 'office');
});
afterEach(async () => {
  await Promise.all(streams.splice(0).map(({ close }) => close()));
});

/** Of all boats of the ferry. */
const BOATS = '?boats=2026-06-02';
const NO_PLACES = { lane_cm: 0, tall_lane_cm: 0, bicycle: 0, reason: 'Choir' };

type Followed = {
  response: Response;
  topics: () => (string | undefined)[];
  lastId: () => string;
  hasEnded: () => boolean;
  close: () => Promise<void>;
};

/** Follows the desk, from the moment at which the server has looked for the first time. */
async function follow(
  search: string,
  { app = office.app, headers = {} }: { app?: Office['app']; headers?: Record<string, string> } = {},
): Promise<Followed> {
  const url = new URL(`${api.followDesk.path}${search}`, office.context.config.origins.staff);
  const response = await app.request(url, { headers: { ...clerk.headers, ...headers } });
  const reader = response.body?.getReader();
  if (!reader) throw new Error('The response has no body.');
  let text = '';
  let hasEnded = false;
  void (async () => {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      text += new TextDecoder().decode(value);
    }
    hasEnded = true;
  })();
  const followed = {
    response,
    topics: () => [...text.matchAll(/^data: (.*)$/gm)].map(([, topic]) => topic),
    lastId: () => [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1] ?? '',
    hasEnded: () => hasEnded,
    close: () => reader.cancel(),
  };
  streams.push(followed);
  // A browser that connects again has an id already.
  const isFirst = headers['last-event-id'] === undefined;
  if (response.ok && isFirst) await expect.poll(() => followed.lastId() !== '' || hasEnded, SOON).toBe(true);
  return followed;
}

const SOON = { timeout: 10_000, interval: 50 };

async function refuse(search: string, headers: Record<string, string>) {
  return office.request('GET', `${api.followDesk.path}${search}`, { headers });
}

describe('GET /api/staff/desk/live', () => {
  test('needs a session, and the right to see orders', async () => {
    expect((await refuse(BOATS, {})).status).toBe(401);
    const gate = await signInClerk(office, 'gate');
    expect(codeOf(await refuse(BOATS, gate.headers))).toBe('not_permitted');
  });

  test.each(['', '?boats=2026-02-30', '?boats=today', '?work=1'])('refuses %j', async (search) => {
    expect((await refuse(search, clerk.headers)).status).toBe(422);
  });

  test('is neither stored, compressed nor collected on its way', async () => {
    const { response } = await follow(BOATS);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
  });

  test('tells of a sale, a delay and places held back, and names only the topic', async () => {
    const { topics } = await follow(BOATS);
    expect(topics()).toEqual([]);
    await office.takeHold();
    await expect.poll(topics, SOON).toEqual(['boats']);
    const [id = ''] = office.ferry.outward;
    const change = { kind: 'delayed', scope: 'boat', minutes: 20, reason: null, texts: [] };
    must(await clerk.call(api.changeBoat, { id }, change));
    await expect.poll(topics, SOON).toEqual(['boats', 'boats']);
    must(await clerk.call(api.holdBackPlaces, { id }, { ...NO_PLACES, passenger: 2 }));
    await expect.poll(topics, SOON).toEqual(['boats', 'boats', 'boats']);
  });

  test('tells of a ticket that was scanned aboard', async () => {
    const { order, intent } = await office.takePayment();
    await office.confirmWith(intent);
    await office.provider.deliverNow();
    const [ticket] = (await office.readOrder(order.id)).tickets;
    const { topics } = await follow(BOATS);
    await office.database.store.query(
      `insert into ticket_boardings (ticket_id, sailing_id, device, boarded_at, times)
       select id, sailing_id, 'Gate 1', now(), 1 from tickets where id = $1`,
      [ticket?.id],
    );
    await expect.poll(topics, SOON).toEqual(['boats']);
  });

  test('tells of what needs a person, and not of boats that are not followed', async () => {
    const { order, intent } = await office.takePayment();
    await office.confirmWith(intent);
    await office.provider.deliverNow();
    const { topics } = await follow('?work=true');
    const other = await follow('?boats=2026-07-01');
    await office.database.store.query(`update orders set payment_status = 'disputed' where id = $1`, [
      order.id,
    ]);
    await expect.poll(topics, SOON).toEqual(['work']);
    expect(other.topics()).toEqual([]);
  });

  test('tells a browser that connects again what it has missed, also in another process', async () => {
    const first = await follow(BOATS);
    const known = first.lastId();
    await first.close();
    const app = createApp(office.context, { isLimited: false });
    const unchanged = await follow(BOATS, { app, headers: { 'last-event-id': known } });
    await office.takeHold();
    await expect.poll(unchanged.topics, SOON).toEqual(['boats']);
    const late = await follow(BOATS, { app, headers: { 'last-event-id': known } });
    await expect.poll(late.topics, SOON).toEqual(['boats']);
  });
});

describe('a stream', () => {
  test('ends when its session is signed out', async () => {
    const { hasEnded } = await follow(BOATS);
    must(await office.request('DELETE', api.endStaffSession.path, { headers: clerk.headers }));
    await expect.poll(hasEnded, SOON).toBe(true);
  });

  test('ends when its person may not see orders any more', async () => {
    const { hasEnded } = await follow(BOATS);
    await office.database.store.query(`update staff_members set role = 'gate' where id = $1`, [clerk.id]);
    await expect.poll(hasEnded, SOON).toBe(true);
  });

  test('ends when the server stops, and others begin elsewhere', async () => {
    const stopping = new AbortController();
    const app = createApp(office.context, { isLimited: false, stopping: stopping.signal });
    const { hasEnded } = await follow(BOATS, { app });
    stopping.abort();
    await expect.poll(hasEnded, SOON).toBe(true);
    expect((await follow(BOATS, { app })).response.status).toBe(503);
  });

  test('is refused when a session has too many', async () => {
    for (let count = 0; count < 8; count += 1) await follow(BOATS);
    expect(codeOf(await refuse(BOATS, clerk.headers))).toBe('server_busy');
    await streams[0]?.close();
    expect((await follow(BOATS)).response.status).toBe(200);
  });
});
