import { LEGS, type LegName } from '#contract/orders/buy/legs.ts';

/** The outward part of a trip or the return journey, each with one or two boats. */
export const DIRECTIONS = ['out', 'back'] as const;
export type Direction = (typeof DIRECTIONS)[number];

export function getDirection(leg: LegName): Direction {
  return isReturnLeg(leg) ? 'back' : 'out';
}

/** The legs of a journey with one or two boats. */
export function listLegsOfJourney(direction: Direction, boats: number): LegName[] {
  return LEGS.filter((leg) => getDirection(leg) === direction).slice(0, boats);
}

/** Whether the leg belongs to the return journey. */
export function isReturnLeg(leg: LegName): boolean {
  return leg === 'back' || leg === 'back_onward';
}

/** Whether the leg is the second boat of its journey, after a change. */
export function isOnwardLeg(leg: LegName): boolean {
  return leg === 'out_onward' || leg === 'back_onward';
}

/** The first leg of each journey, from which its deadlines count. */
export function findJourneyStarts<Leg extends { leg: LegName }>(legs: readonly Leg[]): Leg[] {
  const isSameDirection = (a: Leg, b: Leg) => isReturnLeg(a.leg) === isReturnLeg(b.leg);
  return legs.filter((leg) => legs.find((other) => isSameDirection(leg, other)) === leg);
}

/** Sorts legs as they are travelled. */
export function compareLegs(a: LegName, b: LegName): number {
  return LEGS.indexOf(a) - LEGS.indexOf(b);
}

/**
 * Names the legs of a request. Without names the first is outward and the second the return journey.
 * @returns null if the names do not form a trip: it starts outward, keeps the order of `LEGS`, names all legs or none,
 * and continues on a second boat only where there is a first
 */
export function nameLegs(named: readonly (LegName | undefined)[]): LegName[] | null {
  const names = named.every((name) => name === undefined) ? DEFAULT_LEGS.slice(0, named.length) : named;
  const legs = names.filter((name) => name !== undefined);
  const isComplete = legs.length === named.length && legs[0] === 'out';
  const isInOrder = legs.every((leg, at) => {
    const before = legs[at - 1];
    if (before === undefined) return true;
    return isOnwardLeg(leg) ? FIRST_OF_ONWARD[leg] === before : compareLegs(before, leg) < 0;
  });
  return isComplete && isInOrder ? legs : null;
}

const DEFAULT_LEGS: readonly LegName[] = ['out', 'back'];

const FIRST_OF_ONWARD: Partial<Record<LegName, LegName>> = { out_onward: 'out', back_onward: 'back' };
