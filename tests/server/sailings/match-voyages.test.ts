import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchVoyages, type VoyageIdentity } from '#server/sailings/comparison/match-voyages.ts';

const DAY = '2026-06-02';
const START = Date.parse('2026-06-02T00:00:00Z');

/**
 * A voyage that needs 20 minutes from port to port.
 * @param ports letters, one per stop: `ABC`
 * @param departure minutes after midnight, or `HH:MM`
 */
function voyage(tripKey: string, ports: string, departure: number | string, line = 'sound'): VoyageIdentity {
  const minutes = typeof departure === 'number' ? departure : minutesOf(departure);
  return voyageAt(
    tripKey,
    [...ports].map((port, index) => [port, minutes + 20 * index]),
    line,
  );
}

/** A voyage that leaves each port at the given minute after midnight. */
function voyageAt(
  gtfsTripKey: string,
  calls: readonly (readonly [port: string, minute: number])[],
  gtfsRouteId = 'sound',
): VoyageIdentity {
  const at = (minute: number) => new Date(START + minute * 60_000).toISOString();
  const stops = calls.map(([port_id, minute], index) => ({
    port_id,
    arrives_at: index === 0 ? null : at(minute - 2),
    departs_at: index === calls.length - 1 ? null : at(minute),
  }));
  return { gtfsRouteId, serviceDate: DAY, gtfsTripKey, stops };
}

function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}

/** The trip id of the stored voyage by the index of each matched one. */
function match(stored: readonly VoyageIdentity[], imported: readonly VoyageIdentity[]): (string | null)[] {
  const matches = matchVoyages(stored, imported);
  return imported.map((_, index) => stored[matches.get(index) ?? -1]?.gtfsTripKey ?? null);
}

describe('matchVoyages', () => {
  const morning = [voyage('1', 'AB', '08:00'), voyage('2', 'AB', '09:00'), voyage('3', 'AB', '10:00')];

  it('matches an unchanged timetable with itself', () => {
    expect(match(morning, morning)).toEqual(['1', '2', '3']);
  });

  it('follows the departure when two trips swap their ids', () => {
    const swapped = [voyage('2', 'AB', '08:00'), voyage('1', 'AB', '09:00'), voyage('3', 'AB', '10:00')];
    expect(match(morning, swapped)).toEqual(['1', '2', '3']);
  });

  it('follows the departure when an id is reused for another trip', () => {
    const reused = [voyage('x', 'AB', '08:00'), voyage('y', 'AB', '09:00'), voyage('1', 'AB', '17:00')];
    expect(match(morning, reused)).toEqual(['1', '2', null]);
  });

  it('follows the trip id when a trip gets another time', () => {
    const retimed = [voyage('1', 'AB', '08:00'), voyage('2', 'AB', '11:30'), voyage('3', 'AB', '10:00')];
    expect(match(morning, retimed)).toEqual(['1', '2', '3']);
  });

  it('follows the trip ids when a whole timetable moves by an hour', () => {
    const later = [voyage('1', 'AB', '09:00'), voyage('2', 'AB', '10:00'), voyage('3', 'AB', '11:00')];
    expect(match(morning.slice(0, 1), later.slice(0, 1))).toEqual(['1']);
  });

  it('takes the nearest departure when most trips have other ids', () => {
    const renumbered = [voyage('7', 'AB', '08:00'), voyage('1', 'AB', '09:10'), voyage('2', 'AB', '10:00')];
    expect(match(morning, renumbered)).toEqual(['1', '2', '3']);
  });

  it('ignores a departure more than 30 minutes away without an equal id', () => {
    expect(match(morning.slice(0, 1), [voyage('9', 'AB', '08:30')])).toEqual(['1']);
    expect(match(morning.slice(0, 1), [voyage('9', 'AB', '08:31')])).toEqual([null]);
  });

  it('keeps lines and service days apart', () => {
    const elsewhere = voyage('1', 'AB', '08:00', 'bay');
    const tomorrow = { ...voyage('1', 'AB', '08:00'), serviceDate: '2026-06-03' };
    expect(match(morning, [elsewhere, tomorrow])).toEqual([null, null]);
  });

  it('matches a trip that gains a stop at its end, whatever its id', () => {
    expect(match(morning, [voyage('9', 'ABC', '08:00')])).toEqual(['1']);
  });

  it('matches a trip that gains a stop between others at its unchanged times', () => {
    const before = voyageAt('1', [
      ['A', 480],
      ['C', 540],
      ['D', 600],
    ]);
    const after = voyageAt('9', [
      ['A', 480],
      ['B', 510],
      ['C', 540],
      ['D', 600],
    ]);
    expect(match([before], [after])).toEqual(['1']);
    expect(match([after], [before])).toEqual(['9']);
  });

  it('matches a trip that loses its first stop although its id went to another trip', () => {
    const before = [voyage('1', 'ABCD', '08:00'), voyage('2', 'ABCD', '12:00')];
    const after = [voyage('2', 'BCD', '08:20'), voyage('1', 'ABCD', '12:00')];
    expect(match(before, after)).toEqual(['1', '2']);
  });

  it('matches a trip that gains a stop and moves, by its id', () => {
    expect(match([voyage('1', 'AB', '08:00')], [voyage('1', 'ACB', '08:05')])).toEqual(['1']);
  });

  it('keeps two trips of the same minute apart by their ids', () => {
    const twins = [voyage('1', 'AB', '08:00'), voyage('2', 'AB', '08:00')];
    expect(match(twins, twins.toReversed())).toEqual(['2', '1']);
    expect(match(twins, [voyage('8', 'AB', '08:00'), voyage('2', 'AB', '08:00')])).toEqual(['1', '2']);
    expect(match(twins, [voyage('8', 'AB', '08:00'), voyage('9', 'AB', '08:00')])).toEqual(['1', '2']);
  });

  it('matches the repeated departures of a trip with a frequency', () => {
    const stored = [voyage('f@08:00:00', 'AB', '08:00'), voyage('f@08:30:00', 'AB', '08:30')];
    const imported = [voyage('g@08:30:00', 'AB', '08:30'), voyage('g@08:40:00', 'AB', '08:40')];
    expect(match(stored, imported)).toEqual(['f@08:30:00', null]);
    expect(match(stored, [voyage('g@08:05:00', 'AB', '08:05'), voyage('g@08:35:00', 'AB', '08:35')])).toEqual(
      ['f@08:00:00', 'f@08:30:00'],
    );
  });

  const times = fc.uniqueArray(
    fc.record({
      line: fc.constantFrom('sound', 'bay'),
      ports: fc.constantFrom('AB', 'ABC', 'CBA', 'BCD'),
      minute: fc.integer({ min: 300, max: 1320 }),
    }),
    { minLength: 1, maxLength: 40, selector: ({ line, ports, minute }) => `${line} ${ports} ${minute}` },
  );
  const timetable = times.chain((list) =>
    fc.record({
      stored: fc.constant(list.map((each, index) => voyage(`${index}`, each.ports, each.minute, each.line))),
      ids: fc.shuffledSubarray([...Array(list.length * 2).keys()], { minLength: list.length }),
      retimed: fc.array(fc.integer({ min: -90, max: 90 }), {
        minLength: list.length,
        maxLength: list.length,
      }),
      isRetimed: fc.array(fc.boolean(), { minLength: list.length, maxLength: list.length }),
      order: fc.shuffledSubarray([...list.keys()], { minLength: list.length }),
      list: fc.constant(list),
    }),
  );

  it('moves no voyage when ids are reused, renamed, swapped or renumbered', () => {
    fc.assert(
      fc.property(timetable, ({ stored, ids, order }) => {
        const imported = order.map((index) => ({
          ...(stored[index] as VoyageIdentity),
          gtfsTripKey: `${ids[index]}`,
        }));
        expect(match(stored, imported)).toEqual(order.map(String));
      }),
    );
  });

  it('moves no voyage that keeps its time when others get new times and all get new ids', () => {
    fc.assert(
      fc.property(timetable, ({ stored, list, ids, retimed, isRetimed, order }) => {
        const imported = order.map((index) => {
          const { ports, minute, line } = list[index] as (typeof list)[number];
          return voyage(
            `${ids[index]}`,
            ports,
            minute + (isRetimed[index] ? (retimed[index] ?? 0) : 0),
            line,
          );
        });
        const matches = matchVoyages(stored, imported);
        const departures = new Set(imported.map(departureOf));
        for (const [later, earlier] of matches) {
          const before = departureOf(stored[earlier]);
          if (departures.has(before)) expect(departureOf(imported[later])).toBe(before);
        }
      }),
    );
  });

  it('matches one to one, on the same line and day only', () => {
    fc.assert(
      fc.property(timetable, timetable, (a, b) => {
        const matches = matchVoyages(a.stored, b.stored);
        expect(new Set(matches.values()).size).toBe(matches.size);
        for (const [later, earlier] of matches) {
          expect(b.stored[later]?.gtfsRouteId).toBe(a.stored[earlier]?.gtfsRouteId);
        }
      }),
    );
  });
});

/** Line, ports and first departure. */
function departureOf(identity: VoyageIdentity | undefined): string {
  const ports = identity?.stops.map(({ port_id }) => port_id).join('');
  return `${identity?.gtfsRouteId} ${ports} ${identity?.stops[0]?.departs_at}`;
}
