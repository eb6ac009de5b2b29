import { describe, expect, it } from 'vitest';
import type { FeedFiles } from '#server/sailings/feed/feed-files.ts';
import { buildIslandFeed, EASTBOUND, type TestCall } from '#tests/factories/island-line.ts';
import { type Plan, planFeed } from '#tests/factories/planned-feed.ts';
import { MONDAY } from '#tests/factories/timetable.ts';

function plan(files: FeedFiles, now = MONDAY): Plan {
  return planFeed(files, { now: new Date(now), days: 0 });
}

/** The pairs of a trip that are sold, such as `lopez-orcas 09:22 10:00`. */
function sold({ voyages, routes }: Plan, tripKey: string): string[] {
  const voyage = voyages.find((each) => each.tripKey === tripKey);
  const clock = (instant: number | null | undefined) =>
    new Date((instant ?? 0) - 7 * 3_600_000).toISOString().slice(11, 16);
  return (voyage?.sailings ?? []).map(({ routeKey, firstStop, lastStop }) => {
    const route = routes.find(({ key }) => key === routeKey);
    const [from, to] = [voyage?.stops[firstStop], voyage?.stops[lastStop]];
    expect([from?.stopId, to?.stopId]).toEqual([route?.origin, route?.destination]);
    return `${route?.origin}-${route?.destination} ${clock(from?.departsAt)} ${clock(to?.arrivesAt)}`;
  });
}

/** A trip with a call every ten minutes from 12:00. */
function calling(...ports: string[]): TestCall[] {
  return ports.map((port, index) => {
    const at = `12:${String(index * 10).padStart(2, '0')}:00`;
    return [port, at, at];
  });
}

describe('planFeed, for trips with stops in between', () => {
  it('sells every pair of a five-stop line with the times of its own two ports', () => {
    const result = plan(buildIslandFeed());
    expect(sold(result, 'east-9')).toEqual([
      'mainland-lopez 09:00 09:20',
      'mainland-shaw 09:00 09:40',
      'mainland-orcas 09:00 10:00',
      'mainland-friday 09:00 10:20',
      'lopez-shaw 09:22 09:40',
      'lopez-orcas 09:22 10:00',
      'lopez-friday 09:22 10:20',
      'shaw-orcas 09:42 10:00',
      'shaw-friday 09:42 10:20',
      'orcas-friday 10:02 10:20',
    ]);
    expect(result.voyages).toHaveLength(1);
    expect(result.routes.map(({ lineName }) => lineName)).toEqual(Array(10).fill('Islands'));
    expect(result.skipped).toEqual([]);
  });

  it('sells a loop between its ports in order, and never from a port to itself', () => {
    const result = plan(buildIslandFeed({ loop: calling('lopez', 'shaw', 'orcas', 'lopez') }));
    expect(sold(result, 'loop')).toEqual([
      'lopez-shaw 12:00 12:10',
      'lopez-orcas 12:00 12:20',
      'shaw-orcas 12:10 12:20',
      'shaw-lopez 12:10 12:30',
      'orcas-lopez 12:20 12:30',
    ]);
  });

  it('sells the fastest of several ways between two ports that one trip offers', () => {
    const result = plan(buildIslandFeed({ twice: calling('lopez', 'shaw', 'lopez', 'orcas') }));
    expect(sold(result, 'twice')).toEqual([
      'lopez-shaw 12:00 12:10',
      'lopez-orcas 12:20 12:30',
      'shaw-lopez 12:10 12:20',
      'shaw-orcas 12:10 12:30',
    ]);
  });

  it('sells no boarding and no leaving where the feed excludes it or where it must be arranged', () => {
    const calls: TestCall[] = [
      ['mainland', '9:00:00', '9:00:00'],
      ['lopez', '9:20:00', '9:20:00', '0', '1'],
      ['shaw', '9:40:00', '9:40:00', '1', '0'],
      ['orcas', '10:00:00', '10:00:00', '3', '2'],
      ['friday', '10:20:00', '10:20:00', '1', '0'],
    ];
    const result = plan(buildIslandFeed({ 'east-9': calls }));
    expect(sold(result, 'east-9')).toEqual([
      'mainland-shaw 09:00 09:40',
      'mainland-friday 09:00 10:20',
      'lopez-shaw 09:20 09:40',
      'lopez-friday 09:20 10:20',
    ]);
    expect(result.skipped).toEqual([
      expect.stringMatching(/^not sold online: stops of trips where boarding .* \(1\): east-9$/),
    ]);
  });

  it('sells the boats of a hub that call at different islands, each with its own ports', () => {
    const result = plan(
      buildIslandFeed({
        direct: calling('mainland', 'friday'),
        short: calling('mainland', 'lopez'),
        islands: calling('lopez', 'shaw', 'orcas', 'friday'),
        back: calling('friday', 'orcas', 'mainland'),
      }),
    );
    expect(['direct', 'short', 'islands', 'back'].map((trip) => sold(result, trip).length)).toEqual([
      1, 1, 6, 3,
    ]);
    // The mainland to two islands, the six of the island boat, and three back.
    expect(result.routes).toHaveLength(2 + 6 + 3);
  });

  it('lists yesterday’s voyage under way with the pairs that still depart', () => {
    const night: TestCall[] = [
      ['mainland', '24:30:00', '24:30:00'],
      ['lopez', '24:50:00', '24:50:00'],
      ['shaw', '25:10:00', '25:10:00'],
    ];
    const result = plan(buildIslandFeed({ night }), '2026-06-02T07:40:00Z');
    const [yesterday] = result.voyages;
    expect(yesterday).toMatchObject({ serviceDate: '2026-06-01', stops: { length: 3 } });
    expect(yesterday?.sailings.map(({ firstStop, lastStop }) => [firstStop, lastStop])).toEqual([[1, 2]]);
  });
});

describe('planFeed, for fares of pairs', () => {
  const header =
    'fare_class,kind,passenger_type,amount,origin_zone,destination_zone,origin_stop_id,destination_stop_id,priority\n';

  it('prices pairs by the zones of their ports', () => {
    const fares = `${header}saver,passenger,adult,5.00,,,,,0\nsaver,passenger,adult,9.00,coast,far,,,1\nsaver,passenger,adult,7.00,coast,near,,,1\nsaver,passenger,adult,8.00,coast,near,,shaw,2\n`;
    const result = plan(buildIslandFeed(undefined, { 'fares.csv': fares }));
    const priceOf = (origin: string, destination: string) => {
      const route = result.routes.find((each) => each.origin === origin && each.destination === destination);
      const applying = result.fares.filter(({ routeKey }) => routeKey === route?.key);
      return applying.toSorted((a, b) => b.priority - a.priority)[0]?.amount;
    };
    expect(priceOf('mainland', 'friday')).toBe(900);
    expect(priceOf('mainland', 'lopez')).toBe(700);
    expect(priceOf('mainland', 'shaw')).toBe(800);
    expect(priceOf('lopez', 'friday')).toBe(500);
  });

  it('refuses a zone in which no stop is', () => {
    const fares = `${header}saver,passenger,adult,5.00,moon,,,,0\n`;
    const message = 'No stop is in the zone moon.';
    expect(() => plan(buildIslandFeed(undefined, { 'fares.csv': fares }))).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ column: 'origin_zone', message })] }),
    );
  });

  it('does not sell pairs without a passenger fare, and says which', () => {
    const fares = `${header}saver,passenger,adult,9.00,coast,,,,0\nsaver,bicycle,,1.00,,,,,0\n`;
    const result = plan(buildIslandFeed({ 'east-9': EASTBOUND.slice(0, 3) }, { 'fares.csv': fares }));
    expect(sold(result, 'east-9')).toEqual(['mainland-lopez 09:00 09:20', 'mainland-shaw 09:00 09:40']);
    expect(result.skipped).toEqual([
      'not sold: pairs of ports without a passenger fare in fares.csv (1): Lopez to Shaw (Islands)',
    ]);
    expect(result.fares.map(({ kind }) => kind)).toEqual(['passenger', 'passenger', 'bicycle', 'bicycle']);
  });

  it('lists all pairs if the feed has no fares', () => {
    const result = plan(buildIslandFeed(undefined, { 'fares.csv': null }));
    expect(result.routes).toHaveLength(10);
    expect(result.skipped).toEqual(['no fares.csv: sailings can be looked up but not bought']);
  });
});
