import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  combineSailings,
  findPortsByChange,
  findTransferPorts,
  isConnected,
  LONGEST_CHANGE_MINUTES,
} from '#domain/sailings/connections.ts';

const MINUTE = 60_000;

/** A – B – C – D, and B – E where no changes are sold. */
const network = {
  ports: ['A', 'B', 'C', 'D', 'E'].map((id) => ({ id, transferMinutes: id === 'E' ? null : 20 })),
  routes: ['AB', 'BC', 'CD', 'BE', 'EF'].flatMap(([from = '', to = '']) => [
    { originPortId: from, destinationPortId: to },
    { originPortId: to, destinationPortId: from },
  ]),
};

describe('a journey with a change', () => {
  test('is found between ports that a third one connects', () => {
    expect(findTransferPorts(network, 'A', 'C')).toEqual([{ portId: 'B', minutes: 20 }]);
    expect(findPortsByChange(network, 'A').toSorted()).toEqual(['C', 'E']);
  });

  test('is not found where a direct boat runs, back to the start, with two changes, or where no changes are sold', () => {
    expect(findTransferPorts(network, 'A', 'B')).toEqual([]);
    expect(findTransferPorts(network, 'A', 'A')).toEqual([]);
    expect(findTransferPorts(network, 'A', 'D')).toEqual([]);
    expect(findTransferPorts(network, 'B', 'F')).toEqual([]);
    expect(findPortsByChange(network, 'B')).toEqual(['D']);
  });

  test('has the same ports in both searches', () => {
    for (const { id: from } of network.ports) {
      const found = network.ports.filter(({ id: to }) => findTransferPorts(network, from, to).length > 0);
      const reached = findPortsByChange(network, from).filter((id) => id !== 'F');
      expect(reached.toSorted()).toEqual(found.map(({ id }) => id));
    }
  });
});

const boats = fc
  .array(fc.record({ departs: fc.nat(1440), takes: fc.integer({ min: 1, max: 120 }) }), { maxLength: 12 })
  .map((all) =>
    all
      .map(({ departs, takes }) => ({ departsAt: departs * MINUTE, arrivesAt: (departs + takes) * MINUTE }))
      .toSorted((a, b) => a.departsAt - b.departsAt),
  );

describe('two boats of a journey', () => {
  test('leave the minutes for the change, and at most four hours', () => {
    fc.assert(
      fc.property(boats, boats, fc.integer({ min: 1, max: 60 }), (first, onward, minutes) => {
        for (const [boat, next] of combineSailings(first, onward, minutes)) {
          expect(isConnected(boat, next, minutes)).toBe(true);
          expect(next.departsAt - boat.arrivesAt).toBeLessThanOrEqual(LONGEST_CHANGE_MINUTES * MINUTE);
        }
      }),
    );
  });

  test('are found for every first boat that has an onward boat in time, or a later first boat reaches the same one', () => {
    fc.assert(
      fc.property(boats, boats, fc.integer({ min: 1, max: 60 }), (first, onward, minutes) => {
        const journeys = combineSailings(first, onward, minutes);
        for (const boat of first) {
          const next = onward.find((each) => isConnected(boat, each, minutes));
          if (!next || next.departsAt - boat.arrivesAt > LONGEST_CHANGE_MINUTES * MINUTE) continue;
          const journey = journeys.find((each) => each[1] === next);
          expect(journey?.[0].departsAt).toBeGreaterThanOrEqual(boat.departsAt);
        }
      }),
    );
  });

  test('are one journey where two first boats reach the same onward boat: the later one', () => {
    const at = (hour: number) => ({ departsAt: hour * 60 * MINUTE, arrivesAt: (hour * 60 + 30) * MINUTE });
    const [early, late, onward] = [at(8), at(9), at(11)];
    expect(combineSailings([early, late], [onward], 20)).toEqual([[late, onward]]);
  });
});
