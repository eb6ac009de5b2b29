import { describe, expect, it } from 'vitest';
import { FeedMessage, readRealtimeFeed } from '#server/sailings/exceptions/realtime-feed.ts';

const NOW = new Date('2026-06-01T15:00:00.000Z');
const context = { now: NOW, zone: 'America/Los_Angeles', locale: 'en-US' };

/** The bytes of a feed with these entities. */
function encodeFeed(entity: object[], timestamp = NOW.getTime() / 1000): Uint8Array {
  return FeedMessage.encode(FeedMessage.fromObject({ header: { timestamp }, entity })).finish();
}

function read(...entity: object[]) {
  return readRealtimeFeed(encodeFeed(entity), context).statements;
}

describe('readRealtimeFeed', () => {
  it('reads when the feed was made', () => {
    expect(readRealtimeFeed(encodeFeed([]), context)).toEqual({ madeAt: NOW.getTime(), statements: [] });
  });

  it('reads a canceled trip, on the day that is named', () => {
    const trip = { tripId: 'out-10', startDate: '20260602', scheduleRelationship: 3, routeId: 'sound' };
    expect(read({ tripUpdate: { trip } })).toEqual([
      {
        ...{
          kind: 'cancelled',
          fromDay: '2026-06-02',
          untilDay: '2026-06-02',
          line: 'sound',
          tripKey: 'out-10',
        },
        ...{ stopId: null, minutes: 0, reason: null, text: '' },
      },
    ]);
  });

  it('reads the delay at the first stop, in whole minutes, today if no day is named', () => {
    const stopTimeUpdate = [{ departure: { delay: 760 } }, { arrival: { delay: 60 } }];
    expect(read({ tripUpdate: { trip: { tripId: 'out-10' }, stopTimeUpdate } })).toMatchObject([
      { kind: 'delayed', fromDay: '2026-06-01', minutes: 13 },
    ]);
  });

  it('ignores trips on time, early ones, deleted entities and trips without an id', () => {
    const trip = { tripId: 'out-10' };
    expect(
      read(
        { tripUpdate: { trip, delay: 0 } },
        { tripUpdate: { trip, delay: -120 } },
        { isDeleted: true, tripUpdate: { trip, delay: 600 } },
        { tripUpdate: { trip: {}, delay: 600 } },
      ),
    ).toEqual([]);
  });

  it('names a trip defined by frequency with its start time', () => {
    const trip = { tripId: 'shuttle', startTime: '09:20:00' };
    expect(read({ tripUpdate: { trip, delay: 300 } })).toMatchObject([{ tripKey: 'shuttle@09:20:00' }]);
  });

  it('reads an alert for a line in the operator’s language, on the days it applies', () => {
    const alert = {
      activePeriod: [{ start: Date.UTC(2026, 5, 2, 12) / 1000, end: Date.UTC(2026, 5, 4, 12) / 1000 }],
      informedEntity: [{ routeId: 'sound' }],
      cause: 8,
      headerText: {
        translation: [
          { text: 'Viento fuerte.', language: 'es' },
          { text: 'Strong wind.', language: 'en' },
        ],
      },
    };
    expect(read({ alert })).toEqual([
      {
        ...{ kind: 'notice', fromDay: '2026-06-02', untilDay: '2026-06-04', line: 'sound', tripKey: null },
        ...{ stopId: null, minutes: 0, reason: 'weather', text: 'Strong wind.' },
      },
    ]);
  });

  it('ignores alerts that are over, and those for the whole operator', () => {
    const headerText = { translation: [{ text: 'Strong wind.' }] };
    const over = [{ start: 1, end: NOW.getTime() / 1000 - 60 }];
    expect(
      read(
        { alert: { activePeriod: over, informedEntity: [{ routeId: 'sound' }], headerText } },
        { alert: { informedEntity: [{}], headerText } },
      ),
    ).toEqual([]);
  });

  it('refuses bytes that are no feed', () => {
    expect(() => readRealtimeFeed(new TextEncoder().encode('<html>'), context)).toThrow();
  });
});
