import { describe, expect, test } from 'vitest';
import {
  createDoubleBookingFinder,
  describeDoubleBooking,
  isDoubleBooked,
  type VesselVoyage,
} from '#domain/sailings/double-bookings.ts';

const HOUR = 3_600_000;
const trip = (serviceDate: string, from: number, until: number, vessel = 'tern'): VesselVoyage => {
  const midnight = Date.parse(`${serviceDate}T00:00Z`);
  return {
    ...{ vessel, vesselName: `MV ${vessel}`, line: 'sound', serviceDate, departure: `${from}:00 Quay` },
    ...{ startsAt: midnight + from * HOUR, endsAt: midnight + until * HOUR },
  };
};

describe('double bookings of a vessel', () => {
  test('are voyages that overlap, not those that follow each other or have other vessels', () => {
    const first = trip('2026-06-01', 10, 12);
    expect(isDoubleBooked(first, trip('2026-06-01', 11, 13))).toBe(true);
    expect(isDoubleBooked(first, trip('2026-06-01', 9, 14))).toBe(true);
    expect(isDoubleBooked(first, trip('2026-06-01', 12, 13))).toBe(false);
    expect(isDoubleBooked(first, trip('2026-06-01', 10, 12, 'gull'))).toBe(false);
  });

  test('are found over the steps and over midnight, and counted by day', () => {
    const finder = createDoubleBookingFinder();
    finder.add([trip('2026-06-01', 8, 9), trip('2026-06-01', 23, 26)]);
    finder.add([trip('2026-06-02', 1, 3), trip('2026-06-02', 5, 6), trip('2026-06-02', 5, 7)]);
    finder.add([trip('2026-06-03', 5, 6), trip('2026-06-03', 5, 6, 'gull')]);
    finder.add([trip('2026-06-04', 5, 7), trip('2026-06-04', 6, 8)]);
    const [found, ...others] = finder.list();
    expect(others).toEqual([]);
    expect(found && describeDoubleBooking(found)).toBe(
      'MV tern is sold twice at the same time on 2 days, first on 2026-06-02: 23:00 Quay (sound) and 1:00 Quay (sound)',
    );
  });

  test('name the day if there is only one', () => {
    const finder = createDoubleBookingFinder();
    finder.add([trip('2026-06-01', 8, 10), trip('2026-06-01', 9, 11)]);
    expect(finder.list().map(describeDoubleBooking)).toEqual([
      'MV tern is sold twice at the same time on 2026-06-01: 8:00 Quay (sound) and 9:00 Quay (sound)',
    ]);
  });
});
