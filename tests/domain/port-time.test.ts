import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countMinutes,
  formatLocalTime,
  getDayStart,
  getLocalDay,
  getServiceDayStart,
  getZoneLabel,
  isTimeZone,
  parseServiceTime,
} from '#domain/time/port-time.ts';

const ZONES = ['America/Los_Angeles', 'Europe/Amsterdam', 'Australia/Lord_Howe'] as const;
const HOUR = 3_600_000;

/** The two nights of 2026 when each zone changes its clocks: service day, and hours of that calendar day. */
const CLOCK_CHANGES = [
  { zone: 'America/Los_Angeles', day: '2026-03-08', hours: 23 },
  { zone: 'America/Los_Angeles', day: '2026-11-01', hours: 25 },
  { zone: 'Europe/Amsterdam', day: '2026-03-29', hours: 23 },
  { zone: 'Europe/Amsterdam', day: '2026-10-25', hours: 25 },
  { zone: 'Australia/Lord_Howe', day: '2026-04-05', hours: 24.5 },
  { zone: 'Australia/Lord_Howe', day: '2026-10-04', hours: 23.5 },
] as const;

const anyZone = fc.constantFrom(...ZONES);
const anyDay = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2060-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
/** Up to a boat at 47:59:59. */
const anySeconds = fc.integer({ min: 0, max: 48 * 3600 - 1 });

/** The instant of a timetable's time, computed like a departure. */
function serviceInstant(day: string, seconds: number, zone: string): number {
  return getServiceDayStart(day, zone) + seconds * 1000;
}

describe('service time', () => {
  it('reads hours past midnight and refuses invalid times', () => {
    expect(parseServiceTime('25:10:00')).toBe(90_600);
    expect(parseServiceTime('5:00:01')).toBe(18_001);
    expect(parseServiceTime('5:10')).toBe(18_600);
    for (const text of ['', '5', '05:60:00', '05:00:60', '-1:00:00', '1e1:00:00', '05:00:00 ']) {
      expect(parseServiceTime(text)).toBeNull();
    }
  });

  it('shows an afternoon departure at its printed time on every day of the year', () => {
    fc.assert(
      fc.property(
        anyZone,
        anyDay,
        fc.integer({ min: 12 * 3600, max: 24 * 3600 - 1 }),
        (zone, day, seconds) => {
          const local = formatLocalTime(serviceInstant(day, seconds, zone), zone);
          const clock = new Date(seconds * 1000).toISOString().slice(11, 19);
          expect(local.slice(0, 19)).toBe(`${day}T${clock}`);
        },
      ),
    );
  });

  it('begins a calendar day at its first instant', () => {
    fc.assert(
      fc.property(anyZone, anyDay, (zone, day) => {
        expect(getLocalDay(getDayStart(day, zone), zone)).toBe(day);
        expect(getLocalDay(getDayStart(day, zone) - 1, zone) < day).toBe(true);
      }),
    );
    // Clocks there skipped midnight.
    expect(formatLocalTime(getDayStart('2018-11-04', 'America/Sao_Paulo'), 'America/Sao_Paulo')).toContain(
      'T01:00:00',
    );
  });

  it('formats local time with an offset that gives the same instant', () => {
    fc.assert(
      fc.property(anyZone, anyDay, anySeconds, (zone, day, seconds) => {
        const instant = serviceInstant(day, seconds, zone);
        expect(Date.parse(formatLocalTime(instant, zone))).toBe(instant);
        expect(formatLocalTime(instant, zone).slice(0, 10)).toBe(getLocalDay(instant, zone));
      }),
    );
  });

  it.each(CLOCK_CHANGES)('counts $day in $zone from noon, not from midnight', ({ zone, day, hours }) => {
    const midnight = Temporal.PlainDate.from(day).toZonedDateTime(zone);
    expect(midnight.hoursInDay).toBe(hours);
    expect(getServiceDayStart(day, zone) - midnight.epochMilliseconds).toBe((hours - 24) * HOUR);
    expect(formatLocalTime(serviceInstant(day, 18 * 3600, zone), zone)).toContain(`${day}T18:00:00`);
  });

  it.each(CLOCK_CHANGES)(
    'puts a departure at 25:10 at ten past one on the day after $day in $zone',
    ({ zone, day }) => {
      const next = Temporal.PlainDate.from(day).add({ days: 1 }).toString();
      expect(formatLocalTime(serviceInstant(day, 90_600, zone), zone)).toContain(`${next}T01:10:00`);
    },
  );

  it('moves a departure in the skipped hour of a clock change to an hour that exists', () => {
    const evening = serviceInstant('2026-03-28', 26.5 * 3600, 'Europe/Amsterdam');
    expect(formatLocalTime(evening, 'Europe/Amsterdam')).toBe('2026-03-29T03:30:00+02:00');
  });
});

describe('zones', () => {
  it('names a zone by its local name, by season', () => {
    const winter = Date.parse('2026-01-15T12:00:00Z');
    const summer = Date.parse('2026-07-15T12:00:00Z');
    expect(['America/Los_Angeles', 'America/Vancouver'].map((zone) => getZoneLabel(winter, zone))).toEqual([
      'PST',
      'PST',
    ]);
    expect(getZoneLabel(summer, 'America/Los_Angeles')).toBe('PDT');
    expect(getZoneLabel(winter, 'Europe/Amsterdam')).toBe('CET');
    expect(getZoneLabel(summer, 'Europe/Amsterdam')).toBe('CEST');
    expect(getZoneLabel(winter, 'UTC')).toBe('UTC');
    expect(getZoneLabel(winter, 'Australia/Lord_Howe')).toMatch(/^GMT\+11|^LH/);
  });

  it('accepts only the zones of the IANA database', () => {
    expect(ZONES.every(isTimeZone)).toBe(true);
    for (const zone of ['', 'Europe/Atlantis', '+02:00', 'PST8PDT nonsense'])
      expect(isTimeZone(zone)).toBe(false);
  });

  it('counts whole minutes', () => {
    expect(countMinutes(0, 35 * 60_000 + 59_999)).toBe(35);
  });
});
