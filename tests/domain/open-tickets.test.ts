import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getOpenTicketEnd } from '#domain/orders/open-tickets.ts';
import { countDays } from '#domain/time/days.ts';
import { formatLocalTime, getLocalDay } from '#domain/time/port-time.ts';

describe('getOpenTicketEnd', () => {
  test('is the last minute of the last day at the port, also where the clocks change', () => {
    const end = (departs: string, zone: string) =>
      formatLocalTime(
        getOpenTicketEnd({ open_ticket_days: 2 }, { departsAt: Date.parse(departs), zone }) ?? 0,
        zone,
      );
    expect(end('2026-06-02T15:00:00Z', 'America/Los_Angeles')).toBe('2026-06-04T23:59:00-07:00');
    expect(end('2026-10-23T22:30:00Z', 'Europe/Oslo')).toBe('2026-10-26T23:59:00+01:00');
    // Midnight does not exist on the day after.
    expect(end('2026-09-03T12:00:00Z', 'America/Santiago')).toBe('2026-09-05T23:59:00-04:00');
  });

  test('is as many days after the departure as the fare allows, and never without them', () => {
    const zones = fc.constantFrom('America/Los_Angeles', 'Europe/Oslo', 'Pacific/Chatham', 'UTC');
    const departures = fc.integer({ min: Date.UTC(2026, 0), max: Date.UTC(2027, 11) });
    void fc.assert(
      fc.property(fc.integer({ min: 1, max: 366 }), departures, zones, (days, departsAt, zone) => {
        const end = getOpenTicketEnd({ open_ticket_days: days }, { departsAt, zone }) ?? 0;
        expect(countDays(getLocalDay(departsAt, zone), getLocalDay(end, zone))).toBe(days);
        expect(getLocalDay(end + 60_000, zone)).not.toBe(getLocalDay(end, zone));
        expect(getOpenTicketEnd({}, { departsAt, zone })).toBeNull();
      }),
    );
  });
});
