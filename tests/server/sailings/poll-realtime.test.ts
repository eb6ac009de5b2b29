import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pollRealtime } from '#server/sailings/exceptions/poll-realtime.ts';
import { FeedMessage } from '#server/sailings/exceptions/realtime-feed.ts';
import { importFeed, MONDAY, sailingOf } from '#tests/factories/timetable.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const TODAY = '2026-06-01';

let server: TestServer;
let feed: Server;
let url: string;
let reply: { status: number; body: Uint8Array };
beforeEach(async () => {
  server = await openTestServer({ now: MONDAY });
  await importFeed(server.context.db);
  feed = createServer((_, response) => response.writeHead(reply.status).end(reply.body));
  await new Promise<void>((resolve) => feed.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(feed.address() as AddressInfo).port}/`;
});
afterEach(async () => {
  await new Promise((resolve) => feed.close(resolve));
  await server.close();
});

/** Has the feed answer with these entities, made some minutes ago. */
function say(entity: object[], minutesAgo = 0): void {
  const timestamp = server.clock.now().getTime() / 1000 - minutesAgo * 60;
  reply = {
    status: 200,
    body: FeedMessage.encode(FeedMessage.fromObject({ header: { timestamp }, entity })).finish(),
  };
}

const poll = () => pollRealtime(server.context, [url]);
const readSailing = (trip = 'out-12') => sailingOf(server.context.db, trip, TODAY);
const late = (tripId: string, delay: number) => ({ tripUpdate: { trip: { tripId }, delay } });

describe('pollRealtime', () => {
  it('shows a delay, and ends it when the feed no longer says so', async () => {
    say([late('out-12', 900)]);
    await poll();
    expect(await readSailing()).toMatchObject({ delayMinutes: 15, version: 2 });
    await poll();
    expect(await readSailing()).toMatchObject({ version: 2 });
    say([]);
    await poll();
    expect(await readSailing()).toMatchObject({ delayMinutes: 0, version: 3 });
  });

  it('cancels a trip, and shows an alert for a stop', async () => {
    say([
      { tripUpdate: { trip: { tripId: 'out-12', scheduleRelationship: 3 } } },
      {
        alert: {
          informedEntity: [{ stopId: 'south' }],
          headerText: { translation: [{ text: 'The lift is out of order.' }] },
        },
      },
    ]);
    await poll();
    expect(await readSailing()).toMatchObject({ status: 'canceled' });
    expect(await readSailing('back-13')).toMatchObject({
      statements: [{ kind: 'notice', text: 'The lift is out of order.' }],
    });
  });

  it('changes nothing if the feed is old, broken, unavailable or too large', async () => {
    say([late('out-12', 900)]);
    await poll();
    const before = await readSailing();
    say([], 20);
    await poll();
    for (const broken of [
      { status: 200, body: new TextEncoder().encode('<html>') },
      { status: 503, body: new Uint8Array() },
      { status: 200, body: new Uint8Array(5_000_001) },
    ]) {
      reply = broken;
      await poll();
    }
    expect(await readSailing()).toEqual(before);
    const unread = server.logged.filter(({ event }) => event === 'realtime feed not read');
    expect(unread.map(({ error, code }) => code ?? error)).toEqual([
      'too old',
      expect.stringMatching(/Error$/),
      'status 503',
      'too large',
    ]);
  });

  it.each<[string, { trip?: object; delay?: number }]>([
    ['cancels', { trip: { scheduleRelationship: 3 } }],
    ['delays', { delay: 6000 }],
  ])('ignores a feed that %s more than half of the sailings', async (_, { trip, ...update }) => {
    const tripIds = [...Array.from({ length: 11 }, (_, index) => `trip-${index}`), 'out-12'];
    say(tripIds.map((tripId) => ({ tripUpdate: { trip: { tripId, ...trip }, ...update } })));
    await poll();
    expect(await readSailing()).toMatchObject({ status: 'scheduled', delayMinutes: 0 });
    expect(server.logged).toContainEqual(
      expect.objectContaining({ event: 'realtime feed ignored: too many sailings' }),
    );
  });

  it('applies the rest of a feed with bad entities, and says how many it skipped', async () => {
    const headerText = { translation: [{ text: 'Closed.' }] };
    say([
      { tripUpdate: { trip: { tripId: 'out-12', startDate: '20261345' }, delay: 600 } },
      { alert: { informedEntity: [{ stopId: 'nowhere' }], headerText } },
      late('out-12', 900),
    ]);
    await poll();
    expect(await readSailing()).toMatchObject({ delayMinutes: 15 });
    const skipped = server.logged.filter(({ event }) => event === 'realtime statements skipped');
    expect(skipped).toMatchObject([
      { reason: 'invalid', count: 1 },
      { reason: 'unknown_stop', count: 1 },
    ]);
  });
});
