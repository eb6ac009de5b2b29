import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { executeCommand, settleCommand } from '#server/commands/command.ts';
import { sailingsCommand } from '#server/commands/sailings.ts';
import { listRouteSailings } from '#server/sailings/route-sailings.ts';
import {
  buildFeed,
  buildOrderOn,
  feedText,
  importFeed,
  routeIdOf,
  sailingOf,
} from '#tests/factories/timetable.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const SATURDAY = '2026-06-06';
const SUNDAY = '2026-06-07';
const MONDAY = '2026-06-08';

/** The plain feed with a boat at 1:30 of the next day, and one at 5:40 of the day after that. */
const NIGHT_FEED = buildFeed({
  'trips.txt': `${feedText('trips.txt')}sound,daily,night\nsound,daily,long\n`,
  'stop_times.txt': [
    feedText('stop_times.txt').trimEnd(),
    'night,25:30:00,25:30:00,north,1',
    'night,26:00:00,26:00:00,south,2',
    'long,53:40:00,53:40:00,north,1',
    'long,54:10:00,54:10:00,south,2',
    '',
  ].join('\n'),
});
/** Sunday, 00:39 at the ports. */
const NOW = '2026-06-07T07:39:00.000Z';

let server: TestServer;
let route: string;
beforeEach(async () => {
  server = await openTestServer({ now: NOW });
  await importFeed(server.context.db, NIGHT_FEED, { now: '2026-06-03T15:00:00.000Z' });
  route = await routeIdOf(server.context.db, 'NOR-SOU');
});
afterEach(() => server.close());

async function get(path: string) {
  const { status, body } = await server.request('GET', path);
  expect(status).toBe(200);
  return body.data;
}

async function run(...args: string[]): Promise<string> {
  const { stdout, stderr } = await settleCommand(sailingsCommand, async () =>
    executeCommand(sailingsCommand, server.context, await sailingsCommand.read(args)),
  );
  return stdout + stderr;
}

/** Days and times as `07 01:30`. */
const clocks = (sailings: { departs_local: string }[]) =>
  sailings.map(({ departs_local }) => departs_local.slice(8, 16).replace('T', ' '));

const search = async (day: string) => clocks(await get(`/api/sailings?route_id=${route}&date=${day}`));

describe('the search', () => {
  it('lists the boats that depart on a day, also those of an earlier service day', async () => {
    expect(await search(SUNDAY)).toEqual(['07 01:30', '07 05:40', '07 10:00', '07 12:00']);
    expect(await search(MONDAY)).toEqual(['08 01:30', '08 05:40', '08 10:00', '08 12:00']);
  });

  it('lists each boat of a week on one day', async () => {
    const days = Array.from({ length: 7 }, (_, index) => `2026-06-0${index + 3}`);
    const departures = (await Promise.all(days.map(search))).flat();
    expect(new Set(departures).size).toBe(departures.length);
  });

  it('sells the boat of the night until its sales close', async () => {
    const [first] = await get(`/api/sailings?route_id=${route}&date=${SUNDAY}`);
    expect(first).toMatchObject({ service_date: SATURDAY, availability: { state: 'on_sale' } });
  });
});

describe('other lists', () => {
  it('of the timetable go by the day of departure', async () => {
    const path = `/api/routes/${route}/timetable`;
    expect(clocks(await get(`${path}?from=${SUNDAY}&to=${SUNDAY}`))).toEqual(await search(SUNDAY));
    expect(clocks(await get(path))[0]).toBe('07 01:30');
  });

  it('of the page of a route end with the next day', async () => {
    const { routes } = await get('/api/catalogue');
    const ports = routes.find(({ id }: { id: string }) => id === route);
    const sailings = await listRouteSailings(server.context, ports, { day: SUNDAY, language: 'en-US' });
    expect(clocks(sailings)).toEqual([...(await search(SUNDAY)), ...(await search(MONDAY))]);
  });

  it('of a port have the boats of the night before and of the coming one, and none of the day after', async () => {
    const { departures } = await get('/api/ports/NOR/departures');
    expect(clocks(departures)).toEqual(['07 01:30', '07 05:40', '07 10:00', '07 12:00', '08 01:30']);
  });

  it('name the first boat after those of the list as the next one of a port', async () => {
    const { next } = await get('/api/ports/NOR/departures');
    expect(next).toMatchObject({ departs_local: '2026-06-08T05:40:00-07:00' });
  });

  it('of the command go by the day of departure', async () => {
    const table = await run('list', '--port', 'NOR', '--csv');
    const departures = table.trimEnd().split('\n').slice(1);
    expect(departures.map((line) => line.slice(0, 16))).toEqual([
      '2026-06-07,01:30',
      '2026-06-07,05:40',
      '2026-06-07,10:00',
      '2026-06-07,12:00',
    ]);
  });
});

describe('a command about a boat after midnight', () => {
  it('names it by the day on which it departs', async () => {
    await run('delay', SUNDAY, 'NOR', '1:30', '25');
    const { db } = server.context;
    expect(await sailingOf(db, 'night', SATURDAY)).toMatchObject({ delayMinutes: 25 });
    expect(await sailingOf(db, 'night', SUNDAY)).toMatchObject({ delayMinutes: 0 });
  });

  it('adds an extra boat on the same night', async () => {
    await run('add', SUNDAY, 'NOR', '1:30', '2:30');
    expect(await search(SUNDAY)).toContain('07 02:30');
  });
});

describe('the daily import', () => {
  it('keeps a sold boat that departs two days after its service day', async () => {
    const { db } = server.context;
    const { id } = await sailingOf(db, 'long', '2026-06-05');
    await buildOrderOn(db, id);
    const { sailings: counts } = await importFeed(db, NIGHT_FEED, { now: NOW });
    expect(counts).toMatchObject({ changed: 0, canceled: 0, removed: 0 });
    expect(await sailingOf(db, 'long', '2026-06-05')).toMatchObject({ status: 'scheduled' });
  });
});
