import { describe, expect, it } from 'vitest';
import { type Plan, planFeed } from '#tests/factories/planned-feed.ts';
import { buildFeed, feedText, MONDAY } from '#tests/factories/timetable.ts';

function plan(changes: Record<string, string | null> = {}, { now = MONDAY, days = 2 } = {}): Plan {
  return planFeed(buildFeed(changes), { now: new Date(now), days });
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
