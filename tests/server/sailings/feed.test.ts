import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { describeProblem, FileError } from '#server/csv/problems.ts';
import {
  digestFiles,
  type FeedFiles,
  readFeedFiles,
  unzipFeed,
  zipFeed,
} from '#server/sailings/feed/feed-files.ts';
import { type Plan, planFeed } from '#server/sailings/feed/plan.ts';
import { buildFeed, feedText, MONDAY } from '#tests/factories/timetable.ts';

function plan(changes: Record<string, string | null> = {}, { now = MONDAY, days = 2 } = {}): Plan {
  return planFeed(buildFeed(changes), { now: new Date(now), days });
}

/** The problems that the importer reports, one line each. */
function problemsOf(changes: Record<string, string | null>): string[] {
  return problemsOfWork(() => plan(changes));
}

function problemsOfWork(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    if (error instanceof FileError) return error.problems.map(describeProblem);
    throw error;
  }
  return [];
}

function departures({ voyages }: Plan): string[] {
  return voyages.map(
    ({ tripKey, stops }) => `${tripKey} ${new Date(stops[0]?.departsAt ?? 0).toISOString()}`,
  );
}

const STOP_TIMES = 'trip_id,arrival_time,departure_time,stop_id,stop_sequence\n';

describe('reading a feed', () => {
  it('makes a sailing of each trip on each day of its service', () => {
    const { voyages, routes, ports } = plan();
    expect(voyages).toHaveLength(4 * 3);
    expect(routes.map((route) => [route.code, route.name, route.crossingMinutes])).toEqual([
      ['NOR-SOU', 'North Pier to South Pier', 30],
      ['SOU-NOR', 'South Pier to North Pier', 30],
    ]);
    expect(ports.map((port) => [port.code, port.stepFree])).toEqual([
      ['NOR', 'yes'],
      ['SOU', 'no'],
    ]);
  });

  it('reads byte order marks, Windows line ends and commas within quotes', () => {
    const stops = '\ufeffstop_name,stop_id\r\n"Pier, the ""old"" one",north\r\nSłonka,south\r\n';
    expect(plan({ 'stops.txt': stops }).ports.map((port) => port.name)).toEqual([
      'Pier, the "old" one',
      'Słonka',
    ]);
  });

  it('adds and removes single days, and needs no calendar.txt for that', () => {
    const header = 'service_id,date,exception_type\n';
    const withoutTuesday = plan({ 'calendar_dates.txt': `${header}daily,20260602,2\n` });
    expect(new Set(withoutTuesday.voyages.map((each) => each.serviceDate))).toEqual(
      new Set(['2026-06-01', '2026-06-03']),
    );
    const onlyTuesday = plan({ 'calendar.txt': null, 'calendar_dates.txt': `${header}daily,20260602,1\n` });
    expect(new Set(onlyTuesday.voyages.map((each) => each.serviceDate))).toEqual(new Set(['2026-06-02']));
  });

  it('keeps a sailing after midnight on its service day, and lists it until it departs', () => {
    const late = `${STOP_TIMES}out-10,25:10:00,25:10:00,north,1\nout-10,25:40:00,25:40:00,south,2\n`;
    const trips = 'route_id,service_id,trip_id\nsound,daily,out-10\n';
    const changes = { 'stop_times.txt': late, 'trips.txt': trips };
    expect(departures(plan(changes, { days: 1 }))).toEqual([
      'out-10 2026-06-02T08:10:00.000Z',
      'out-10 2026-06-03T08:10:00.000Z',
    ]);
    const atHalfPastMidnight = plan(changes, { now: '2026-06-02T07:30:00Z', days: 1 });
    expect(atHalfPastMidnight.voyages[0]?.serviceDate).toBe('2026-06-01');
  });

  it('keeps the printed time through the nights when clocks change', () => {
    const spring = plan({}, { now: '2026-03-07T16:00:00Z', days: 1 });
    expect(departures(spring).filter((each) => each.startsWith('out-10'))).toEqual([
      'out-10 2026-03-07T18:00:00.000Z',
      'out-10 2026-03-08T17:00:00.000Z',
    ]);
  });

  it('accepts stop sequences from any number, in any order, with blank times between', () => {
    const stopTimes = [
      STOP_TIMES,
      'out-10,10:30:00,,south,900\n',
      'out-10,,,mid,40\n',
      'out-10,,10:00:00,north,0\n',
    ].join('');
    const result = plan({
      'stop_times.txt': stopTimes,
      'trips.txt': 'route_id,service_id,trip_id\nsound,daily,out-10\n',
      'stops.txt': 'stop_id,stop_name\nnorth,North\nmid,Middle\nsouth,South\n',
    });
    expect(result.routes.map((route) => [route.name, route.crossingMinutes])).toEqual([
      ['North to Middle', 15],
      ['North to South', 30],
      ['Middle to South', 15],
    ]);
    expect(result.ports).toHaveLength(3);
  });

  it('skips trips with one port and trains, and reports them', () => {
    const result = plan({
      'routes.txt': `${feedText('routes.txt')}rail,Railway,2\n`,
      'trips.txt': `${feedText('trips.txt')}sound,daily,lonely\nsound,daily,loop\nrail,daily,train\n`,
      'stop_times.txt': `${feedText('stop_times.txt')}lonely,9:00:00,9:00:00,north,1\nloop,9:00:00,9:00:00,north,1\nloop,9:30:00,9:30:00,north,2\n`,
    });
    expect(result.voyages).toHaveLength(12);
    expect(result.skipped).toEqual([
      'left out: routes that are not ferries (1): rail',
      'left out: trips with fewer than two ports (2): lonely, loop',
    ]);
  });

  it.each(['4', '1000', '1012', '1200'])('treats route type %s as a ferry', (type) => {
    const routes = `route_id,route_long_name,route_type\nsound,Sound,${type}\n`;
    expect(plan({ 'routes.txt': routes }).voyages).toHaveLength(12);
  });

  it('computes the departures of frequencies, exact or not', () => {
    const frequencies =
      'trip_id,start_time,end_time,headway_secs,exact_times\nout-10,08:00:00,09:00:00,1200,0\nout-12,23:30:00,24:30:01,3600,1\n';
    const monday = departures(plan({ 'frequencies.txt': frequencies }, { days: 1 })).slice(0, 7);
    expect(monday.filter((each) => each.startsWith('out'))).toEqual([
      'out-10@08:00:00 2026-06-01T15:00:00.000Z',
      'out-10@08:20:00 2026-06-01T15:20:00.000Z',
      'out-10@08:40:00 2026-06-01T15:40:00.000Z',
      'out-12@23:30:00 2026-06-02T06:30:00.000Z',
      'out-12@24:30:00 2026-06-02T07:30:00.000Z',
    ]);
  });

  it('treats the platforms of a station as one port', () => {
    const stops =
      'stop_id,stop_name,location_type,parent_station,stop_timezone\nhub,Harbor,1,,America/Vancouver\nnorth,Berth 1,0,hub,\nsouth,South,0,,\n';
    const { ports } = plan({ 'stops.txt': stops });
    expect(ports.map((port) => [port.name, port.timeZone])).toEqual([
      ['Harbor', 'America/Vancouver'],
      ['South', 'America/Los_Angeles'],
    ]);
  });

  it('imports a bare GTFS feed with documented defaults and reports what is missing', () => {
    const bare = Object.fromEntries(
      [...buildFeed().keys()].filter((name) => name.endsWith('.csv')).map((name) => [name, null]),
    );
    const result = plan(bare);
    expect(result.vessels.map((vessel) => [vessel.name, vessel.passengerCapacity])).toEqual([
      ['Across the Sound', 100],
    ]);
    expect(result.fares).toEqual([]);
    expect(result.skipped).toEqual([
      'no fares.csv: sailings can be looked up but not bought',
      'no vessels.csv: a boat for 100 people is assumed on each route',
    ]);
  });

  it('reports that the calendars cover other days', () => {
    expect(plan({}, { now: '2031-06-01T00:00:00Z' }).skipped).toContain(
      "no sailing up to 2031-06-02: the feed's calendars cover other days",
    );
  });

  it('tells a boat without wheelchair places from one that the feed is silent about', () => {
    const vessels = 'code,name,passengers,wheelchair_places\ntern,Tern,10,4\ngull,Gull,20,0\nauk,Auk,30,\n';
    const result = plan({ 'vessels.csv': vessels });
    expect(result.vessels.map(({ wheelchairPlaces }) => wheelchairPlaces)).toEqual([4, 0, null]);
  });

  it('assigns the vessel of the most specific assignment', () => {
    const result = plan({
      'vessels.csv': 'code,name,passengers\ntern,Tern,10\ngull,Gull,20\nauk,Auk,30\n',
      'assignments.csv':
        'vessel,route_id,trip_id,weekdays\ntern,sound,,\ngull,sound,,tue\nauk,sound,out-12,\n',
    });
    const vesselOf = (trip: string, day: string) =>
      result.voyages.find((each) => each.tripKey === trip && each.serviceDate === day)?.vesselCode;
    expect(vesselOf('out-10', '2026-06-01')).toBe('tern');
    expect(vesselOf('out-10', '2026-06-02')).toBe('gull');
    expect(vesselOf('out-12', '2026-06-02')).toBe('auk');
  });

  it('reads money exactly with the currency’s decimals', () => {
    const amounts = plan()
      .fares.filter((fare) => fare.passengerType === 'adult')
      .map((fare) => fare.amount);
    expect(new Set(amounts)).toEqual(new Set([825, 1000]));
    const yen = plan({
      'operator.csv': 'currency\nJPY\n',
      'fares.csv': 'fare_class,kind,passenger_type,amount\nsaver,passenger,adult,825\n',
      'fare_classes.csv': 'code,name\nsaver,Saver\n',
      'promo_codes.csv': null,
    });
    expect(yen.fares[0]?.amount).toBe(825);
  });

  it('sells fewer days of a feed with too many sailings, and says until when', () => {
    const frequencies = 'trip_id,start_time,end_time,headway_secs\nout-10,00:00:00,24:00:00,60\n';
    const result = plan({ 'frequencies.txt': frequencies }, { days: 400 });
    expect(result.until).toBe('2026-11-20');
    expect(result.voyages.at(-1)?.serviceDate).toBe('2026-11-20');
    expect(result.voyages.length).toBeLessThanOrEqual(250_000);
    expect(result.skipped).toContain(
      'sold until 2026-11-20 only: more days would be more than 250000 sailings',
    );
  });
});

describe('problems of a feed', () => {
  it.each<[string, Record<string, string | null>, string[]]>([
    ['a missing file', { 'stop_times.txt': null }, ['stop_times.txt: The file is missing.']],
    [
      'no calendar at all',
      { 'calendar.txt': null, 'trips.txt': 'route_id,service_id,trip_id\n', 'stop_times.txt': STOP_TIMES },
      ['calendar.txt: The feed needs calendar.txt or calendar_dates.txt.'],
    ],
    [
      'an empty file',
      { 'routes.txt': '' },
      ['routes.txt: The file is empty; it needs at least its header line.'],
    ],
    [
      'a missing column',
      { 'vessels.csv': 'code,name\n' },
      ['vessels.csv:1 passengers: The column is missing.'],
    ],
    ['quotes that do not pair up', { 'ports.csv': 'stop_id,address\nnorth,"1 Dock\n' }, ['ports.csv']],
    [
      'a time zone that does not exist',
      { 'agency.txt': 'agency_timezone\nMars/Olympus\n' },
      ['agency.txt:2 agency_timezone: "Mars/Olympus" is not a time zone.'],
    ],
    [
      'a number that is none',
      { 'vessels.csv': 'code,name,passengers\ntern,Tern,many\n' },
      ['vessels.csv:2 passengers: "many" is not a whole number from 1 to 20000.'],
    ],
    [
      'an amount with a comma',
      { 'fares.csv': 'fare_class,kind,passenger_type,amount\nsaver,passenger,adult,"8,25"\n' },
      ['fares.csv:2 amount: "8,25" is not an amount of money with 2 decimals at most.'],
    ],
    [
      'an amount with too many decimals',
      { 'fares.csv': 'fare_class,kind,passenger_type,amount\nsaver,passenger,adult,8.255\n' },
      ['fares.csv:2 amount: "8.255" is not an amount of money with 2 decimals at most.'],
    ],
    [
      'an unknown passenger type',
      { 'fares.csv': 'fare_class,kind,passenger_type,amount\nsaver,passenger,dog,1.00\n' },
      ['fares.csv:2 passenger_type: There is no passenger type dog.'],
    ],
    [
      'a tie between fares',
      {
        'fares.csv':
          'fare_class,kind,passenger_type,amount,weekdays\nsaver,passenger,adult,8.00,daily\nsaver,passenger,adult,9.00,sat sun\n',
      },
      ['fares.csv:3 priority: Line 2 is a fare for the same with the same priority; which one wins?'],
    ],
    [
      'an unknown currency',
      { 'operator.csv': 'currency\nQQQ\n' },
      ['operator.csv:2 currency: "QQQ" is not a currency\'s three letters.'],
    ],
    [
      'a currency that payment cards are not charged in',
      { 'operator.csv': 'currency\nIQD\n' },
      ['operator.csv:2 currency: Payment cards cannot be charged in IQD.'],
    ],
    [
      'dinars that payment cards cannot be charged exactly',
      {
        'operator.csv': 'currency\nKWD\n',
        'fares.csv': 'fare_class,kind,passenger_type,amount\nsaver,passenger,adult,1.255\n',
        'fare_classes.csv': 'code,name,cancel\nsaver,Saver,1440:50:0.255\n',
        'promo_codes.csv': 'code,kind,value\nLESS,amount,0.505\n',
      },
      [
        'fare_classes.csv:2 cancel: Payment cards are charged KWD in steps of 0.010.',
        'fares.csv:2 amount: Payment cards are charged KWD in steps of 0.010.',
        'promo_codes.csv:2 value: Payment cards are charged KWD in steps of 0.010.',
      ],
    ],
    [
      'a day that does not exist',
      { 'calendar_dates.txt': 'service_id,date,exception_type\ndaily,20260230,1\n' },
      ['calendar_dates.txt:2 date: "20260230" is not a day, YYYYMMDD.'],
    ],
    [
      'two equal assignments',
      {
        'vessels.csv': 'code,name,passengers\ntern,Tern,10\ngull,Gull,20\n',
        'assignments.csv': 'vessel,route_id\ntern,sound\ngull,sound\n',
      },
      ['assignments.csv:3 vessel: Line 2 gives the same sailings the vessel tern.'],
    ],
    [
      'a promo code of more than everything',
      { 'promo_codes.csv': 'code,kind,value\nALL,percent,101\n' },
      ['promo_codes.csv:2 value: More than 100 percent.'],
    ],
    [
      'a pass for nobody, without trips and for unknown lines and types',
      {
        'passes.csv':
          'code,name,trips,price,route_ids,passenger_types,vehicle_type\nTEN,Ten,0,0.10,nowhere,pirate,tank\nten,Ten,2,9.00,,none,\n',
      },
      [
        'passes.csv:2 code: A code is 1 to 32 small letters',
        'passes.csv:2 trips',
        'passes.csv:2 price: That is less than a payment card can be charged.',
        'passes.csv:2 route_ids: There is no ferry route nowhere.',
        'passes.csv:2 passenger_types: There is no passenger type pirate.',
        'passes.csv:2 vehicle_type: There is no vehicle type tank.',
        'passes.csv:3 passenger_types: A pass pays for passengers or for a vehicle.',
      ],
    ],
    [
      'a refund rule nobody can read',
      { 'fare_classes.csv': 'code,name,cancel\nsaver,Saver,half\nflex,Flex,\n' },
      ['fare_classes.csv:2 cancel'],
    ],
    [
      'a NUL character',
      { 'stops.txt': 'stop_id,stop_name\nnorth,a\0b\nsouth,c\n' },
      ['stops.txt: The file has NUL characters; it is not plain text.'],
    ],
  ])('names %s', (_, changes, expected) => {
    const problems = problemsOf(changes);
    for (const [index, text] of expected.entries()) expect(problems[index]).toContain(text);
  });

  it.each([
    [
      'arrives before it departs',
      'out-10,11:00:00,11:00:00,north,1\nout-10,10:30:00,10:30:00,south,2\n',
      'stop_times.txt:3 arrival_time: The trip arrives before, or as, it departs.',
    ],
    [
      'has no time at its first stop',
      'out-10,,,north,1\nout-10,10:30:00,10:30:00,south,2\n',
      'stop_times.txt:2 departure_time: A trip needs the time of its first stop.',
    ],
    [
      'has a time nobody can read',
      'out-10,10h,10h,north,1\nout-10,10:30:00,10:30:00,south,2\n',
      'stop_times.txt:2 departure_time: "10h" is not a time, H:MM, HH:MM or HH:MM:SS.',
    ],
    [
      'has a number twice',
      'out-10,10:00:00,10:00:00,north,1\nout-10,10:30:00,10:30:00,south,1\n',
      'stop_times.txt:3 stop_sequence: The trip out-10 has the number 1 twice.',
    ],
    [
      'calls at a stop that is not there',
      'out-10,10:00:00,10:00:00,north,1\nout-10,10:30:00,10:30:00,west,2\n',
      'stop_times.txt:3 stop_id: There is no stop west.',
    ],
    [
      'is not in trips.txt',
      'ghost,10:00:00,10:00:00,north,1\n',
      'stop_times.txt:2 trip_id: There is no trip ghost.',
    ],
  ])('names a trip that %s', (_, lines, problem) => {
    const trips = 'route_id,service_id,trip_id\nsound,daily,out-10\n';
    expect(problemsOf({ 'trips.txt': trips, 'stop_times.txt': STOP_TIMES + lines })).toContain(problem);
  });

  it('reports twenty problems of a kind, and how many more there are', () => {
    const trips = Array.from({ length: 150 }, (_, index) => `nowhere,daily,t${index}`).join('\n');
    const work = () =>
      plan({ 'trips.txt': `route_id,service_id,trip_id\n${trips}\n`, 'operator.csv': 'currency\nx\n' });
    expect(work).toThrow(FileError);
    try {
      work();
    } catch (error) {
      const { problems, count } = error as FileError;
      expect(count).toBeGreaterThan(150);
      expect(problems.length).toBeLessThan(count);
      expect(problems.at(-1)?.message).toMatch(/^\d+ more problems of this kind\.$/);
    }
  });
});

describe('the files of a feed', () => {
  it('reads the same feed from a zip archive, with or without a folder inside', () => {
    const files = buildFeed();
    expect(digestFiles(unzipFeed(zipFeed(files)))).toBe(digestFiles(files));
    const nested = Object.fromEntries([...files].map(([name, contents]) => [`feed/${name}`, contents]));
    expect(digestFiles(unzipFeed(zipSync(nested)))).toBe(digestFiles(files));
  });

  it('changes its digest with any byte of any file', () => {
    expect(digestFiles(buildFeed({ 'operator.csv': 'currency\nUSD\n' }))).not.toBe(digestFiles(buildFeed()));
  });

  it('refuses invalid and empty archives, and those that would fill the memory', () => {
    const refusal = (archive: Uint8Array) => problemsOfWork(() => unzipFeed(archive))[0];
    expect(refusal(new TextEncoder().encode('not a zip'))).toContain('not a zip archive');
    expect(refusal(zipSync({ 'readme.md': new Uint8Array(1) }))).toContain('none of the files of a feed');
    expect(refusal(zipSync({ 'stops.txt': new Uint8Array(65 * 1024 * 1024) }))).toContain(
      'larger than 64 MB',
    );
    const crowd = Object.fromEntries(
      Array.from({ length: 1001 }, (_, index) => [`${index}`, new Uint8Array(0)]),
    );
    expect(refusal(zipSync(crowd))).toContain('more than 1000 entries');
  });

  it('refuses a path that does not exist', async () => {
    await expect(readFeedFiles('/nowhere/at/all') as Promise<FeedFiles>).rejects.toThrow(FileError);
  });
});
