import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { feedArchives } from '#server/database/schema/feed-files.ts';
import { mails } from '#server/database/schema/system.ts';
import { sailings } from '#server/database/schema/timetable.ts';
import { zipFeed } from '#server/sailings/feed/feed-files.ts';
import { registerSailingsJobs } from '#server/sailings/sailings-jobs.ts';
import { storeWebSettings } from '#server/settings/web-settings.ts';
import {
  buildFeed,
  buildOrderOn,
  feedText,
  importFeed,
  MONDAY,
  sailingOf,
} from '#tests/factories/timetable.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer({ now: MONDAY });
});
afterEach(() => server.close());

describe('the job that extends the timetable', () => {
  it('keeps sailings as far ahead as the feed was imported for', async () => {
    await importFeed(server.database.db);
    await registerSailingsJobs(server.context);
    server.clock.set('2026-06-03T15:00:00.000Z');
    await server.jobs.runJobs();
    expect(await server.database.db.$count(sailings)).toBe(10 * 4);
    expect(server.logged).toContainEqual(expect.objectContaining({ event: 'timetable rolled', added: 8 }));
  });

  it('has nothing to do before the first import', async () => {
    await registerSailingsJobs(server.context);
    await server.jobs.runJobs();
    expect(server.jobs.asked).toEqual([]);
  });

  it('writes nothing but a mail to the operator when it would cancel a sold sailing', async () => {
    const { db } = server.database;
    await storeWebSettings(server.context, { contact: { email: 'office@harborline.example' } });
    await importFeed(db);
    await buildOrderOn(db, (await sailingOf(db, 'out-10', '2026-06-05')).id);
    const without10 = buildFeed({
      'trips.txt': feedText('trips.txt').replace('sound,daily,out-10\n', ''),
      'stop_times.txt': feedText('stop_times.txt').replaceAll(/out-10,.*\n/g, ''),
    });
    // As if this release read the stored feed differently from the one before.
    await db.update(feedArchives).set({ zip: Buffer.from(zipFeed(without10)).toString('base64') });
    await registerSailingsJobs(server.context);
    for (const day of ['2026-06-03', '2026-06-04']) {
      server.clock.set(`${day}T15:00:00.000Z`);
      await server.jobs.send('roll-timetable', {});
      await server.jobs.runJobs();
    }
    expect(await db.$count(sailings)).toBe(32);
    expect((await sailingOf(db, 'out-10', '2026-06-05')).status).toBe('scheduled');
    expect(server.logged).toContainEqual(
      expect.objectContaining({ event: 'timetable not rolled', affected_sailings: 1 }),
    );
    const sent = await db.select().from(mails);
    expect(sent).toMatchObject([
      {
        kind: 'timetable-not-extended',
        toAddress: 'office@harborline.example',
        subject: 'No tickets go on sale after Mon, June 8, 2026',
        text: expect.stringContaining('--accept-changes 1'),
      },
    ]);
  });
});

describe('the reminder of the end of the timetable', () => {
  const ending = {
    'calendar.txt': feedText('calendar.txt').replace('20271231', '20260731'),
    'feed_info.txt':
      'feed_publisher_name,feed_publisher_url,feed_lang,feed_end_date\nTest Ferries,https://ferries.example,en,20260710\n',
  };

  async function runOn(day: string): Promise<void> {
    server.clock.set(`${day}T15:00:00.000Z`);
    await server.jobs.send('roll-timetable', {});
    await server.jobs.runJobs();
  }

  async function remindersAfter(...days: string[]): Promise<(string | null)[][]> {
    for (const day of days) await runOn(day);
    const rows = await server.database.db.select().from(mails).orderBy(mails.insertedAt);
    return rows.map(({ kind, subject }) => [kind, subject]);
  }

  it('is sent once when 30 and once when 7 days are left', async () => {
    await storeWebSettings(server.context, { contact: { email: 'office@harborline.example' } });
    await importFeed(server.database.db, buildFeed(ending));
    await registerSailingsJobs(server.context);
    expect(await remindersAfter('2026-06-02', '2026-06-09')).toEqual([]);
    const subject = 'Your timetable ends on Fri, July 10, 2026';
    const first = ['timetable-ends-30', subject];
    expect(await remindersAfter('2026-06-10', '2026-06-11', '2026-07-02')).toEqual([first]);
    const both = [first, ['timetable-ends-7', subject]];
    expect(await remindersAfter('2026-07-04', '2026-07-05', '2026-07-10')).toEqual(both);
    expect(await remindersAfter('2026-07-11')).toEqual(both);
  });

  it('says what to do', async () => {
    await storeWebSettings(server.context, { contact: { email: 'office@harborline.example' } });
    await importFeed(server.database.db, buildFeed(ending));
    await registerSailingsJobs(server.context);
    await runOn('2026-06-12');
    const [mail] = await server.database.db.select().from(mails);
    expect(mail).toMatchObject({ toAddress: 'office@harborline.example', status: 'queued' });
    expect(mail?.text).toContain('npm run import -- FOLDER --preview');
    expect(mail?.html).toContain('npm run import -- FOLDER');
  });

  it('is sent although the timetable cannot be extended', async () => {
    const { db } = server.database;
    await storeWebSettings(server.context, { contact: { email: 'office@harborline.example' } });
    const feedInfo = ending['feed_info.txt'].replace('20260710', '20260705');
    await importFeed(db, buildFeed({ ...ending, 'feed_info.txt': feedInfo }));
    await buildOrderOn(db, (await sailingOf(db, 'out-10', '2026-06-08')).id);
    const without10 = buildFeed({
      ...{ ...ending, 'feed_info.txt': feedInfo },
      'trips.txt': feedText('trips.txt').replace('sound,daily,out-10\n', ''),
      'stop_times.txt': feedText('stop_times.txt').replaceAll(/out-10,.*\n/g, ''),
    });
    await db.update(feedArchives).set({ zip: Buffer.from(zipFeed(without10)).toString('base64') });
    await registerSailingsJobs(server.context);
    const kinds = (await remindersAfter('2026-06-07')).map(([kind]) => kind);
    expect(kinds.toSorted()).toEqual(['timetable-ends-30', 'timetable-not-extended']);
  });

  it('follows the calendar of a feed without feed_info.txt', async () => {
    await storeWebSettings(server.context, { contact: { email: 'office@harborline.example' } });
    await importFeed(server.database.db, buildFeed({ ...ending, 'feed_info.txt': null }));
    await registerSailingsJobs(server.context);
    expect(await remindersAfter('2026-06-30')).toEqual([]);
    expect(await remindersAfter('2026-07-01')).toEqual([
      ['timetable-ends-30', 'Your timetable ends on Fri, July 31, 2026'],
    ]);
  });

  it('is not sent without an address of the operator', async () => {
    await importFeed(server.database.db, buildFeed(ending));
    await registerSailingsJobs(server.context);
    expect(await remindersAfter('2026-07-04')).toEqual([]);
  });
});
