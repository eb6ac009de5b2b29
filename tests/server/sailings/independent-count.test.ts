import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addDays } from '#domain/time/days.ts';
import { readFeedFiles } from '#server/sailings/feed/feed-files.ts';
import { planFeed } from '#tests/factories/planned-feed.ts';
import { listDepartures } from '#tests/setup/independent-timetable.ts';

/** A folder of real feeds, which are not part of the repository. */
const FEEDS = process.env.REAL_FEEDS ?? '';
const DAYS = 14;

describe.skipIf(!existsSync(FEEDS))('planFeed', () => {
  it.each([
    ['victoria-clipper', '2018-06-01'],
    ['dutch-ferries', '2019-03-25'],
    ['warsaw-ferries', '2025-07-01'],
  ])('sells the same departures of %s as an independent reader finds', async (name, today) => {
    const folder = join(FEEDS, name);
    const days = Array.from({ length: DAYS }, (_, index) => addDays(today, index));
    const plan = planFeed(await readFeedFiles(folder), { now: new Date(`${today}T00:00:00Z`), days: DAYS });
    const planned = plan.voyages.flatMap(({ serviceDate, stops, sailings }) =>
      sailings.map(({ firstStop, lastStop }) => {
        const [from, to] = [stops[firstStop], stops[lastStop]];
        return `${from?.stopId} ${to?.stopId} ${serviceDate} ${new Date(from?.departsAt ?? 0).toISOString()}`;
      }),
    );
    const expected = listDepartures(folder, days);
    expect(expected.length).toBeGreaterThan(50);
    expect(
      [...new Set(planned)].filter((each) => days.includes(each.split(' ')[2] ?? '')).toSorted(),
    ).toEqual(expected);
  });
});
