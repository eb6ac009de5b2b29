import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sailings } from '#server/database/schema/timetable.ts';
import { registerSailingsJobs } from '#server/sailings/import-timetable.ts';
import { importFeed, MONDAY } from '#tests/factories/timetable.ts';
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
});
