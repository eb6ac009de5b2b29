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
    expect(readRealtimeFeed(encodeFeed([]), context)).toEqual({
      madeAt: NOW.getTime(),
      statements: [],
      skipped: {},
    });
  });

  it('reads a canceled trip, on the day that is named', () => {
    const trip = { tripId: 'out-10', startDate: '20260602', scheduleRelationship: 3, routeId: 'sound' };
    expect(read({ tripUpdate: { trip } })).toEqual([
      {
        ...{
          kind: 'canceled',
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

  describe('with a bad entity', () => {
    const good = { tripUpdate: { trip: { tripId: 'out-10' }, delay: 600 } };
    const late = (trip: object, delay = 600) => ({
      tripUpdate: { trip: { tripId: 'out-12', ...trip }, delay },
    });

    it.each([
      ['an impossible day', late({ startDate: '20260231' })],
      ['a day that is none', late({ startDate: 'today' })],
      ['a control character in an id', late({ tripId: 'out\u0000-12' })],
      ['a control character in a line', late({ routeId: 'sound\u0000' })],
      ['an endless id', late({ tripId: 'x'.repeat(201) })],
      ['a delay in milliseconds', late({}, 600_000)],
    ])('skips and counts %s, and reads the others', (_, bad) => {
      const feed = readRealtimeFeed(encodeFeed([bad, good]), context);
      expect(feed.statements).toMatchObject([{ tripKey: 'out-10', minutes: 10 }]);
      expect(feed.skipped).toEqual({ invalid: 1 });
    });

    it('skips and counts one that ends before it begins', () => {
      const seconds = NOW.getTime() / 1000;
      const activePeriod = [{ start: seconds + 10 * 86_400, end: seconds + 86_400 }];
      const headerText = { translation: [{ text: 'Strong wind.' }] };
      const alert = { activePeriod, informedEntity: [{ routeId: 'sound' }], headerText };
      const feed = readRealtimeFeed(encodeFeed([{ alert }, good]), context);
      expect(feed.statements).toHaveLength(1);
      expect(feed.skipped).toEqual({ invalid: 1 });
    });

    it('skips and counts one that is not encoded as an entity', () => {
      const bytes = encodeFeed([good]);
      // Field 2 with three bytes that begin a message of 127 bytes.
      const broken = new Uint8Array([...bytes, 0x12, 0x03, 0x1a, 0x7f, 0x0a]);
      const feed = readRealtimeFeed(broken, context);
      expect(feed.statements).toHaveLength(1);
      expect(feed.skipped).toEqual({ unreadable: 1 });
    });

    it('counts a second statement about a trip', () => {
      const feed = readRealtimeFeed(encodeFeed([good, late({ tripId: 'out-10' }, 1200)]), context);
      expect(feed.statements).toMatchObject([{ minutes: 10 }]);
      expect(feed.skipped).toEqual({ repeated: 1 });
    });

    it.each([
      ['milliseconds', NOW.getTime() + 3_600_000],
      ['the end of time', '18446744073709551615'],
    ])('shows an alert whose end is %s', (_, end) => {
      const headerText = { translation: [{ text: 'Strong\u0000 wind\u202e.' }] };
      const alert = { activePeriod: [{ end }], informedEntity: [{ routeId: 'sound' }], headerText };
      expect(read({ alert })).toMatchObject([
        { fromDay: '2026-06-01', untilDay: '2027-06-02', text: 'Strong  wind .' },
      ]);
    });

    it('reads delays that follow thousands of alerts', () => {
      const headerText = { translation: [{ text: 'Strong wind.' }] };
      const alert = { informedEntity: [{ routeId: 'sound' }], headerText };
      const feed = readRealtimeFeed(encodeFeed([...Array(5000).fill({ alert }), good]), context);
      expect(feed.statements).toHaveLength(2000);
      expect(feed.statements[0]).toMatchObject({ kind: 'delayed', tripKey: 'out-10' });
      expect(feed.skipped).toEqual({ too_many: 3001 });
    });
  });

  it('refuses bytes that are no feed', () => {
    expect(() => readRealtimeFeed(new TextEncoder().encode('<html>'), context)).toThrow();
  });
});
