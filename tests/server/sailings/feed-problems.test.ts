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
import { type Plan, planFeed } from '#tests/factories/planned-feed.ts';
import { buildFeed, MONDAY } from '#tests/factories/timetable.ts';

const STOP_TIMES = 'trip_id,arrival_time,departure_time,stop_id,stop_sequence\n';

function plan(changes: Record<string, string | null>): Plan {
  return planFeed(buildFeed(changes), { now: new Date(MONDAY), days: 2 });
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
    [
      'a web page of a port that is no address',
      {
        'stops.txt': 'stop_id,stop_name,stop_url\nnorth,North Pier,javascript:alert(1)\nsouth,South Pier,\n',
      },
      ['stops.txt:2 stop_url: "javascript:alert(1)" is not a web address'],
    ],
    [
      'a coastline that is not JSON',
      { 'coastline.geojson': '{' },
      ['coastline.geojson: The file is not JSON.'],
    ],
    [
      'a coastline with a point, and one outside the world',
      {
        'coastline.geojson': JSON.stringify({
          type: 'FeatureCollection',
          features: [
            {
              type: 'Feature',
              geometry: {
                type: 'LineString',
                coordinates: [
                  [-122, 48],
                  [-122.1, 48, 7],
                ],
              },
            },
            { type: 'Feature', geometry: { type: 'Point', coordinates: [-122, 48] } },
            {
              type: 'Feature',
              geometry: {
                type: 'LineString',
                coordinates: [
                  [-122, 148],
                  [-122, 48],
                ],
              },
            },
          ],
        }),
      },
      [
        'coastline.geojson: Feature 2 is not a LineString',
        'coastline.geojson: Feature 3 is not a LineString',
      ],
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
      'shares of a price that are not the whole of it',
      {
        'taxes.csv':
          'product,share_percent,tax_percent,name,valid_from,valid_until\n' +
          'passenger,30,10,,,2026-12-31\npassenger,70,0,Abroad,,\npassenger,40,12,,2027-01-01,\n',
      },
      [
        'taxes.csv:4 share_percent: For passenger, North Pier to South Pier, from 2027-01-01, ' +
          'the shares of lines 3, 4 add up to 110 percent, not 100.',
      ],
    ],
    [
      'a tax rate that is there twice',
      { 'taxes.csv': 'share_percent,tax_percent\n50,10\n50,10\n' },
      [
        'taxes.csv:3 share_percent: For passenger, North Pier to South Pier, ' +
          'lines 2, 3 have the same rate and name twice.',
      ],
    ],
    [
      'tax rules with values that cannot be',
      {
        'taxes.csv':
          'route_id,product,share_percent,tax_percent,name,valid_from,valid_until\n' +
          `ocean,,100,10,,,\n,crew,100,x,,,\n,fee,100,101,${'x'.repeat(61)},2027-01-01,2026-01-01\n`,
      },
      [
        'taxes.csv:2 route_id: There is no ferry route ocean.',
        'taxes.csv:3 tax_percent: "x" is not an amount of money with 2 decimals at most.',
        'taxes.csv:3 product: "crew" is not one of passenger, vehicle, bicycle, fee.',
        'taxes.csv:4 name: A name has 60 characters at most.',
        'taxes.csv:4 tax_percent: More than 100 percent.',
        'taxes.csv:4 valid_until: Before valid_from.',
      ],
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
      'a pass without travelers and trips, and for unknown lines and types',
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
      'an unreadable refund rule',
      { 'fare_classes.csv': 'code,name,cancel\nsaver,Saver,half\nflex,Flex,\n' },
      ['fare_classes.csv:2 cancel'],
    ],
    [
      'a NUL character',
      { 'stops.txt': 'stop_id,stop_name\nnorth,a\0b\nsouth,c\n' },
      ['stops.txt:2: The line has the control character U+0000, which is not text.'],
    ],
    [
      'another control character',
      { 'stops.txt': 'stop_id,stop_name\nnorth,a\nsouth,c\u001b[31m\n' },
      ['stops.txt:3: The line has the control character U+001B, which is not text.'],
    ],
    [
      'a name of two megabytes',
      { 'stops.txt': `stop_id,stop_name\nnorth,${'a'.repeat(2_000_000)}\nsouth,c\n` },
      ['stops.txt:2 stop_name: The text has 2000000 characters; 2000 are allowed.'],
    ],
  ])('names %s', (_, changes, expected) => {
    const problems = problemsOf(changes);
    for (const [index, text] of expected.entries()) expect(problems[index]).toContain(text);
  });

  it('notes cells beyond the columns, which a price with a comma has', () => {
    const fares = 'fare_class,kind,vehicle_type,amount,base_cm\n';
    const read = (row: string) => plan({ 'fares.csv': `${fares}${row}\n` }).skipped;
    expect(read('saver,vehicle,car,20,50,600')).toContain(
      'not read: cells of fares.csv beyond its columns, from line 2 on; is a comma in a value?',
    );
    expect(read('saver,vehicle,car,20.50,600,,')).toEqual(read('saver,vehicle,car,20.50,600'));
  });

  it('are not invisible characters and line breaks in names, which are removed', () => {
    const { ports, skipped } = plan({
      'stops.txt': 'stop_id,stop_name\nnorth,"North\u202e\u200b\r\nPier"\nsouth,South\n',
    });
    expect(ports.map(({ name }) => name)).toEqual(['North Pier', 'South']);
    expect(skipped).toContain('removed: invisible characters in stops.txt');
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
      'has an unreadable time',
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
