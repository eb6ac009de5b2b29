import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CommandResult, executeCommand, settleCommand } from '#server/commands/command.ts';
import { sailingsCommand } from '#server/commands/sailings.ts';
import { sailingExceptions } from '#server/database/schema/exceptions.ts';
import { sayOfSailings } from '#tests/factories/exceptions.ts';
import {
  buildFeed,
  buildOrderOn,
  feedText,
  importFeed,
  MONDAY,
  sailingOf,
} from '#tests/factories/timetable.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const TODAY = '2026-06-01';
const TUESDAY = '2026-06-02';
const FLEET = {
  'vessels.csv': `${feedText('vessels.csv')}gull,MV Gull,200,9000,2000,213,400,20\n`,
  'assignments.csv': 'vessel,route_id,trip_id\ntern,sound,\ngull,sound,out-12\n',
};

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer({ now: MONDAY });
  await importFeed(server.context.db, buildFeed(FLEET));
});
afterEach(() => server.close());

async function run(...args: string[]): Promise<CommandResult> {
  // Each command is later than the one before.
  server.clock.advance(1000);
  return settleCommand(sailingsCommand, async () =>
    executeCommand(sailingsCommand, server.context, await sailingsCommand.read(args)),
  );
}

const readSailing = (trip = 'out-10', day = TUESDAY) => sailingOf(server.context.db, trip, day);
const readExceptions = () =>
  server.context.db.select().from(sailingExceptions).orderBy(sailingExceptions.insertedAt);
const delay = (minutes: number) => run('delay', TUESDAY, 'NOR', '10:00', String(minutes));

/** The ids that a command names for undo. */
function readIds(stdout: string): string[] {
  return /sailings -- undo (.*)\n/.exec(stdout)?.[1]?.split(' ') ?? [];
}

async function undoOnly(): Promise<CommandResult> {
  const [exception, ...others] = await readExceptions();
  expect(others).toEqual([]);
  return run('undo', exception?.id ?? '');
}

describe('npm run sailings -- delay', () => {
  it('replaces the delay before, so that one undo ends it', async () => {
    for (const minutes of [25, 25, 10]) await delay(minutes);
    expect(await readSailing()).toMatchObject({ delayMinutes: 10 });
    expect((await undoOnly()).stdout).toBe('1 sailing changed. Orders written to: 0.\n');
    expect(await readSailing()).toMatchObject({ delayMinutes: 0 });
  });

  it('replaces the delay of a departure that an import has removed and added again', async () => {
    await delay(25);
    const without10 = {
      'trips.txt': feedText('trips.txt').replace('sound,daily,out-10\n', ''),
      'stop_times.txt': feedText('stop_times.txt').replaceAll(/out-10,.*\n/g, ''),
    };
    await importFeed(server.context.db, buildFeed({ ...FLEET, ...without10 }));
    await importFeed(server.context.db, buildFeed(FLEET));
    expect(await readSailing()).toMatchObject({ delayMinutes: 25 });
    await delay(10);
    expect(await readExceptions()).toMatchObject([{ minutes: 10 }]);
  });

  it('ends with 0 minutes', async () => {
    await delay(25);
    const { stdout } = await delay(0);
    expect(stdout).toBe('1 sailing changed. Orders written to: 0.\n');
    expect(await readSailing()).toMatchObject({ delayMinutes: 0 });
    expect(await readExceptions()).toEqual([]);
    expect((await delay(0)).stdout).toBe('0 sailings changed. Orders written to: 0.\n');
  });

  it('overrules a delay of live data with 0 minutes until that is undone', async () => {
    const live = { source: 'realtime' as const, fromDay: TUESDAY, tripKey: 'out-10', minutes: 40 };
    await sayOfSailings(server.context.db, server.clock.now(), { kind: 'delayed', ...live });
    await delay(0);
    expect(await readSailing()).toMatchObject({ delayMinutes: 0 });
    const [first, second] = await readExceptions();
    expect([first?.minutes, second?.minutes]).toEqual([40, 0]);
    const { stdout } = await run('undo', second?.id ?? '');
    expect(stdout).toContain(`Note: still in effect: late by 40 minutes, from live data (${first?.id}).\n`);
    expect(await readSailing()).toMatchObject({ delayMinutes: 40 });
  });

  it('ends delays that an earlier release piled up with one undo of the last', async () => {
    const { voyageId } = await readSailing();
    for (const minutes of [25, 25, 10]) {
      server.clock.advance(1000);
      await sayOfSailings(server.context.db, server.clock.now(), {
        kind: 'delayed',
        fromDay: TUESDAY,
        voyageId,
        minutes,
      });
    }
    await run('undo', (await readExceptions()).at(-1)?.id ?? '');
    expect(await readSailing()).toMatchObject({ delayMinutes: 0 });
    expect(await readExceptions()).toEqual([]);
  });

  it('stays one delay when two commands come at the same time', async () => {
    await Promise.all([delay(25), delay(10), delay(15)]);
    expect(await readExceptions()).toHaveLength(1);
  });

  it('keeps the delay of the other sailings', async () => {
    await delay(25);
    await run('delay', TUESDAY, 'NOR', '12:00', '10');
    expect(await readSailing()).toMatchObject({ delayMinutes: 25 });
  });

  it('refuses a reason for a sailing on time', async () => {
    const { stderr } = await run('delay', TUESDAY, 'NOR', '10:00', '0', '--reason', 'crew');
    expect(stderr).toContain('A sailing on time has no --reason and no --text.');
  });
});

describe('other changes of npm run sailings', () => {
  it.each([
    ['cancel', ['cancel', TUESDAY, 'NOR', '10:00']],
    ['suspend', ['suspend', TUESDAY, 'NOR', '10:00']],
    ['notice', ['notice', TUESDAY, 'NOR', '10:00', '--text', 'Board at pier 2.']],
    ['vessel', ['vessel', TUESDAY, 'NOR', '10:00', 'gull']],
    ['close-sales', ['close-sales', TUESDAY, 'NOR', '10:00']],
    ['close-port', ['close-port', 'NOR', '--from', TUESDAY]],
  ])('end with one undo when %s was said twice', async (_, args) => {
    const { version, updatedAt, ...before } = await readSailing();
    await run(...args);
    await run(...args);
    await undoOnly();
    expect(await readSailing()).toMatchObject(before);
  });

  it('open sales that were closed, and undo neither brings back', async () => {
    const { salesCloseAt } = await readSailing();
    await run('close-sales', TUESDAY, 'NOR', '10:00');
    await run('open-sales', TUESDAY, 'NOR', '10:00');
    await undoOnly();
    expect(await readSailing()).toMatchObject({ salesCloseAt });
  });

  it('say that a sailing stays canceled because its port is closed', async () => {
    await run('cancel', TUESDAY, 'NOR', '10:00');
    const [{ id } = { id: '' }] = await readExceptions();
    await run('close-port', 'SOU', '--from', TUESDAY);
    const { stdout } = await run('undo', id);
    expect(stdout).toMatch(
      /^0 sailings changed.*\nNote: still in effect: port closed, made by command \(exc_/,
    );
    expect(await readSailing()).toMatchObject({ status: 'canceled' });
  });
});

describe('npm run sailings with --boat', () => {
  it('cancels the sailings of a boat from a time on until the end of the day, and ends it with one undo', async () => {
    await buildOrderOn(server.context.db, (await readSailing('back-13', TODAY)).id);
    const { stdout } = await run(
      'cancel',
      '--boat',
      'tern',
      '--from',
      `${TODAY} 10:30`,
      '--reason',
      'technical',
    );
    expect(stdout).toMatch(
      /^2 sailings changed. Orders written to: 1.\nTo end this: npm run sailings -- undo exc_\w+ exc_\w+\n$/,
    );
    const states = await Promise.all(
      ['out-10', 'back-11', 'out-12', 'back-13'].map((trip) => readSailing(trip, TODAY)),
    );
    expect(states.map(({ status }) => status)).toEqual(['scheduled', 'canceled', 'scheduled', 'canceled']);
    expect(await readSailing('back-11', TUESDAY)).toMatchObject({ status: 'scheduled' });
    expect((await run('undo', ...readIds(stdout))).stdout).toContain(
      '2 sailings changed. Orders written to: 1.',
    );
    expect(await readSailing('back-13', TODAY)).toMatchObject({ status: 'scheduled' });
  });

  it('replaces a boat over several days', async () => {
    const more = ['--from', `${TODAY} 11:00`, '--to', TUESDAY];
    const { stdout } = await run('vessel', 'gull', '--boat', 'tern', ...more);
    // Two of today, three of tomorrow.
    expect(stdout).toContain('5 sailings changed.');
    const list = await run('list', '--date', TUESDAY);
    expect(list.stdout.match(/MV Gull/g)).toHaveLength(4);
  });

  it('replaces the boat that replaces another one, and goes back to the timetable with undo', async () => {
    await run('vessel', TUESDAY, 'NOR', '10:00', 'gull');
    const { stdout } = await run('vessel', 'tern', '--boat', 'gull', '--from', `${TUESDAY} 9:00`);
    const boats = async () => (await run('list', '--date', TUESDAY, '--csv')).stdout.match(/MV \w+/g);
    expect(await boats()).toEqual(['MV Tern', 'MV Tern', 'MV Tern', 'MV Tern']);
    await run('undo', ...readIds(stdout));
    expect(await boats()).toEqual(['MV Tern', 'MV Tern', 'MV Gull', 'MV Tern']);
  });

  it('names the sailing that is under way then, which stays', async () => {
    const { stdout } = await run('cancel', '--boat', 'tern', '--from', `${TODAY} 10:15`);
    expect(stdout).toContain(
      'Note: under way then, and not changed: line sound, the sailing of 2026-06-01 10:00.\n',
    );
    expect(await readSailing('out-10', TODAY)).toMatchObject({ status: 'scheduled' });
  });

  it.each([
    [['cancel', '--boat', 'tern'], 'Name a day and time with --from'],
    [['cancel', '--boat', 'tern', '--from', 'noon'], 'Name a day and time with --from'],
    [
      ['cancel', 'slg_x', '--boat', 'tern', '--from', TODAY],
      'Name a sailing, or a boat with --boat, not both.',
    ],
    [['cancel', '--boat', 'kayak', '--from', TODAY], 'There is no boat kayak.'],
    [['cancel', '--boat', 'tern', '--from', '2030-01-01'], 'No sailing of MV Tern begins from 00:00'],
    [['cancel', '--boat', 'tern', '--from', TUESDAY, '--to', TODAY], '--to is before --from.'],
    [['vessel', 'tern', '--boat', 'tern', '--from', TODAY], 'Name the boat that runs instead.'],
    [['undo'], 'Name the id of what ends.'],
  ])('explains itself when called with %j', async (args, text) => {
    const { exitCode, stderr } = await run(...args);
    expect(stderr).toContain(text);
    expect(exitCode).toBe(1);
    expect(await readExceptions()).toEqual([]);
  });

  it('changes nothing when one of several ids is unknown', async () => {
    await delay(25);
    const [{ id } = { id: '' }] = await readExceptions();
    expect((await run('undo', id, 'exc_none')).stderr).toContain('There is no exception exc_none.');
    expect(await readSailing()).toMatchObject({ delayMinutes: 25 });
  });
});
