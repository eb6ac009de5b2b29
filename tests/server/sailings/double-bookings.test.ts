import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Command, type CommandResult, executeCommand, settleCommand } from '#server/commands/command.ts';
import { sailingsCommand } from '#server/commands/sailings.ts';
import { readConfig } from '#server/config.ts';
import { inspectInstallation } from '#server/operations/doctor/inspect-installation.ts';
import { previewTimetable } from '#server/sailings/import-timetable.ts';
import { buildFeed, feedText, importFeed, MONDAY } from '#tests/factories/timetable.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

/** A boat that leaves North Pier for Middle Quay at 12:10, while it sails from there to South Pier. */
const TWICE = {
  'routes.txt': `${feedText('routes.txt')}evening,Evening cruise,4\n`,
  'stops.txt': `${feedText('stops.txt')}mid,Middle Quay,48.0,-122.0,1\n`,
  'trips.txt': `${feedText('trips.txt')}evening,daily,late-12\n`,
  'stop_times.txt': `${feedText('stop_times.txt')}late-12,12:10:00,12:10:00,north,1\nlate-12,12:50:00,12:50:00,mid,2\n`,
};
const FLEET = { 'vessels.csv': `${feedText('vessels.csv')}gull,MV Gull,200,9000,2000,213,400,20\n` };
const SOLD_TWICE =
  'MV Tern is sold twice at the same time on 8 days, first on 2026-06-01: 12:00 North Pier (sound) and 12:10 North Pier (evening)';

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer({ now: MONDAY });
});
afterEach(() => server.close());

const run = (command: Command, ...args: string[]): Promise<CommandResult> =>
  settleCommand(command, async () => executeCommand(command, server.context, await command.read(args)));
const sailings = (...args: string[]) => run(sailingsCommand as Command, ...args);

describe('a boat that is sold for two voyages at the same time', () => {
  it('is named by the preview and by the import, once, with the first day and the number of days', async () => {
    const { skipped } = await previewTimetable(server.context, { files: buildFeed(TWICE), days: 7 });
    expect(skipped).toContain(SOLD_TWICE);
    expect((await importFeed(server.context.db, buildFeed(TWICE))).skipped).toContain(SOLD_TWICE);
    const { skipped: again } = await previewTimetable(server.context, { files: buildFeed(TWICE), days: 7 });
    expect(again).toContain(SOLD_TWICE);
  });

  it('is not reported where each voyage has a boat, or where the boats are assumed', async () => {
    const assigned = buildFeed({
      ...{ ...TWICE, ...FLEET },
      'assignments.csv': 'vessel,route_id\ntern,sound\ngull,evening\n',
    });
    expect(JSON.stringify((await importFeed(server.context.db, assigned)).skipped)).not.toContain('twice');
    const assumed = new Map(buildFeed(TWICE));
    assumed.delete('vessels.csv');
    expect(JSON.stringify((await importFeed(server.context.db, assumed)).skipped)).not.toContain('twice');
  });

  it('is an error of the installation, until one of the voyages is canceled', async () => {
    await importFeed(server.context.db, buildFeed(TWICE), { days: 1 });
    const find = async () => {
      const findings = await inspectInstallation({ ...server.context, config: readConfig({}) });
      return findings.filter(({ problem }) => problem.includes('twice'));
    };
    expect(await find()).toEqual([
      expect.objectContaining({ severity: 'error', problem: expect.stringContaining('on 2 days') }),
    ]);
    for (const day of ['2026-06-01', '2026-06-02']) {
      expect((await sailings('cancel', day, 'NOR', '12:10', '--line', 'evening')).stderr).toBe('');
    }
    expect(await find()).toEqual([]);
  });

  it('has a note at both departures in the list of a day', async () => {
    await importFeed(server.context.db, buildFeed(TWICE));
    const { stdout } = await sailings('list', '--date', '2026-06-02');
    const rows = stdout.split('\n');
    expect(rows.find((row) => /12:00 +NOR/.test(row))).toContain(
      'boat also sold for 12:10 North Pier (evening).',
    );
    expect(rows.find((row) => /12:10 +NOR/.test(row))).toContain(
      'boat also sold for 12:00 North Pier (sound).',
    );
    expect(rows.find((row) => /13:00 +SOU/.test(row))).not.toContain('also sold');
  });
});
