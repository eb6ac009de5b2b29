import { describe, expect, it } from 'vitest';
import { collectProblems, FileError } from '#server/csv/problems.ts';
import { type Gtfs, readGtfs } from '#server/sailings/feed/gtfs.ts';
import { buildFeed } from '#tests/factories/timetable.ts';

const HEADER =
  'trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type,timepoint';
const STOPS = [
  'stop_id,stop_name,parent_station',
  'a,Anchor,',
  'b,Beacon,',
  'b1,Beacon pier 1,b',
  'b2,Beacon pier 2,b',
  'c,Cape,',
  'd,Delta,',
  '',
].join('\n');

/** Reads a feed with one trip of these stop times. @throws {FileError} */
function read(...stopTimes: string[]): Gtfs {
  return readWith({}, ...stopTimes);
}

function readWith(changes: Record<string, string>, ...stopTimes: string[]): Gtfs {
  const problems = collectProblems();
  const files = buildFeed({
    'stops.txt': STOPS,
    'trips.txt': 'route_id,service_id,trip_id\nsound,daily,t\n',
    'stop_times.txt': [HEADER, ...stopTimes, ''].join('\n'),
    ...changes,
  });
  const gtfs = readGtfs({ files, problems });
  problems.throwIfAny();
  return gtfs;
}

/** The calls as text: port, arrival and departure in minutes, and what passengers can do. */
function describeCalls({ trips }: Gtfs): string[] {
  return (trips[0]?.calls ?? []).map(({ stopId, arrives, departs, canBoard, canAlight }) => {
    const can = `${canBoard ? 'board' : ''}${canAlight ? ' alight' : ''}`;
    return `${stopId} ${arrives / 60}-${departs / 60} ${can}`.trim();
  });
}

describe('readTrips', () => {
  it('reads every stop with its times, without seconds too', () => {
    const gtfs = read('t,9:00,9:00,a,1,,', 't,9:20:00,9:25:00,b,2,,', 't,09:45:00,09:45:00,c,3,,');
    expect(describeCalls(gtfs)).toEqual([
      'a 540-540 board alight',
      'b 560-565 board alight',
      'c 585-585 board alight',
    ]);
  });

  it('names trips with approximate times, and keeps the times', () => {
    const gtfs = read('t,9:00,9:00,a,1,,,1', 't,9:20,9:25,b,2,,,0', 't,9:45,9:45,c,3,,');
    expect(gtfs.skipped).toEqual(['sold as exact: approximate times (timepoint 0), on trips (1): t']);
    expect(describeCalls(gtfs)[1]).toBe('b 560-565 board alight');
    expect(() => read('t,9:00,9:00,a,1,,,2', 't,9:45,9:45,c,3,,')).toThrow(FileError);
  });

  it('gives a stop without times a time between its neighbors', () => {
    const gtfs = read('t,9:00,9:00,a,1,,', 't,,,b,2,,', 't,,,c,3,,', 't,9:50,9:50,d,4,,');
    expect(describeCalls(gtfs).map((call) => call.split(' ')[1])).toEqual([
      '540-540',
      '556-556',
      '573-573',
      '590-590',
    ]);
  });

  it('keeps where passengers can board and leave, and names stops that must be arranged', () => {
    const gtfs = read('t,9:00,9:00,a,1,0,1', 't,9:20,9:20,b,2,2,3', 't,9:45,9:45,c,3,1,0');
    expect(describeCalls(gtfs)).toEqual(['a 540-540 board', 'b 560-560', 'c 585-585  alight']);
    expect(gtfs.skipped).toEqual([
      expect.stringMatching(
        /^not sold online: stops of trips where boarding .* \(pickup_type or drop_off_type 2 or 3\)\..* \(1\): t$/,
      ),
    ]);
  });

  it('takes consecutive platforms of one port for one call', () => {
    const gtfs = read(
      't,9:00,9:00,a,1,,',
      't,9:20,9:20,b1,2,1,0',
      't,9:22,9:30,b2,3,0,1',
      't,9:45,9:45,c,4,,',
    );
    expect(describeCalls(gtfs)[1]).toBe('b 560-570 board alight');
  });

  it('keeps a loop that calls at other ports', () => {
    const gtfs = read('t,9:00,9:00,a,1,,', 't,9:20,9:20,b,2,,', 't,9:45,9:45,a,3,,');
    expect(describeCalls(gtfs).map((call) => call[0])).toEqual(['a', 'b', 'a']);
    expect(gtfs.skipped).toEqual([]);
  });

  it('leaves out a trip that passengers cannot both board and leave, and says so', () => {
    const gtfs = read('t,9:00,9:00,a,1,1,0', 't,9:20,9:20,b,2,0,1');
    expect(gtfs.trips).toEqual([]);
    expect(gtfs.skipped).toEqual(['left out: trips on which passengers cannot both board and leave (1): t']);
  });

  describe('when every stop must be arranged', () => {
    const onRequest = ['t,9:00,9:00,a,1,2,1', 't,9:20,9:20,b,2,3,2', 't,9:45,9:45,c,3,1,2'];

    it('leaves the trip out and names the rule', () => {
      const gtfs = read(...onRequest);
      expect(gtfs.trips).toEqual([]);
      expect(gtfs.skipped).toEqual([
        'left out: trips on which boarding or leaving must be arranged (pickup_type or drop_off_type 2 or 3). ' +
          'If a ticket arranges it, say sells_arranged in route_rules.csv (1): t',
      ]);
    });

    it('sells the trip where route_rules.csv says that a ticket arranges it', () => {
      const rules = { 'route_rules.csv': 'route_id,sells_arranged\nsound,yes\n' };
      const gtfs = readWith(rules, ...onRequest);
      expect(describeCalls(gtfs)).toEqual(['a 540-540 board', 'b 560-560 board alight', 'c 585-585  alight']);
      expect(gtfs.skipped).toEqual([]);
    });
  });

  it('refuses stops whose times run backwards, with the line', () => {
    const refused = () => read('t,9:00,9:00,a,1,,', 't,9:20,9:30,b,2,,', 't,9:25,9:25,c,3,,');
    expect(refused).toThrow(FileError);
    try {
      refused();
    } catch (error) {
      expect((error as FileError).problems).toMatchObject([{ file: 'stop_times.txt', line: 4 }]);
    }
  });
});
