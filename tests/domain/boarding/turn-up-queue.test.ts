import { describe, expect, test } from 'vitest';
import {
  countFree,
  type FreePlaces,
  findFitting,
  type WaitingParty,
} from '#domain/boarding/turn-up-queue.ts';

const walkers = (id: string, amount: number): WaitingParty => ({
  ...{ id, firstStop: 0, lastStop: 1 },
  needs: [{ resource: 'passenger', amount }],
});
const car = (id: string, cm: number): WaitingParty => ({
  ...walkers(id, 1),
  needs: [
    { resource: 'passenger', amount: 1 },
    { resource: 'lane_cm', amount: cm },
  ],
});
const free = (passenger: number, lane: number, stretch = 0): FreePlaces[] => [
  { stretch, resource: 'passenger', amount: passenger, heldBack: 0 },
  { stretch, resource: 'lane_cm', amount: lane, heldBack: 0 },
];
const heldBack = (passenger: number): FreePlaces => ({
  ...{ stretch: 0, resource: 'passenger', amount: 0, heldBack: passenger },
});

describe('findFitting', () => {
  test('gives places in the order of arrival', () => {
    expect([...findFitting([walkers('a', 2), walkers('b', 2), walkers('c', 1)], free(4, 0)).keys()]).toEqual([
      'a',
      'b',
    ]);
  });

  test('passes over a party that does not fit, and serves those behind it', () => {
    const queue = [car('van', 700), car('car', 450), walkers('couple', 2)];
    expect([...findFitting(queue, free(10, 500)).keys()]).toEqual(['car', 'couple']);
  });

  test('needs every resource of a party', () => {
    expect(findFitting([car('car', 450)], free(0, 900)).size).toBe(0);
    expect(findFitting([car('car', 450)], free(5, 0).slice(0, 1)).size).toBe(0);
  });

  test('counts each stretch of the voyage for those who travel on it', () => {
    const places = [...free(5, 0, 0), ...free(1, 0, 1)];
    const short = (id: string, amount: number) => walkers(id, amount);
    const long = (id: string, amount: number) => ({ ...walkers(id, amount), lastStop: 2 });
    const fitting = findFitting([long('a', 1), long('b', 1), short('c', 4), short('d', 1)], places);
    expect([...fitting.keys()]).toEqual(['a', 'c']);
  });

  test('tells who fits only into places held back, without giving these places to anyone', () => {
    const queue = [walkers('a', 1), walkers('couple', 2), walkers('choir', 3), walkers('school', 4)];
    expect([...findFitting(queue, [{ ...heldBack(3), amount: 1 }])]).toEqual([
      ...[['a', 'free'] as const, ['couple', 'held_back'] as const, ['choir', 'held_back'] as const],
    ]);
  });
});

describe('countFree', () => {
  test('is the least of the stretches, and never negative', () => {
    const places = [...free(5, 300, 0), ...free(-1, 200, 1)];
    expect(countFree(places, { resource: 'lane_cm', firstStop: 0, lastStop: 2 })).toBe(200);
    expect(countFree(places, { resource: 'passenger', firstStop: 0, lastStop: 2 })).toBe(0);
    expect(countFree(places, { resource: 'bicycle', firstStop: 0, lastStop: 2 })).toBe(0);
  });
});
