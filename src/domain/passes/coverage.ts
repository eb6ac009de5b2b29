import type { LegName } from '#contract/orders/buy/legs.ts';
import type { PassTerms } from '#contract/passes/pass-terms.ts';
import type { DescribedLine } from '../fares/line-item.ts';
import { type Direction, getDirection } from '../orders/legs.ts';
import { type BoughtLine, getPaidAmounts, isFareLine } from '../refunds/paid-amounts.ts';
import { getChargeRules } from '../trip-cards/card-charges.ts';

/** A traveler or vehicle of an order on one journey; `party_index` as on the tickets, the same on both boats of a journey. */
export type PassTripKey = { direction: Direction; party_index: number };

/** What one trip of a pass pays for. `amount` is the price of its tickets in minor units. */
export type PassTrip = PassTripKey & { amount: number };

type PricedLine = BoughtLine & DescribedLine & { leg: LegName; typeCode: string | null };

type PartyMemberJourney = PassTrip & Pick<PricedLine, 'kind' | 'typeCode' | 'item' | 'description'>;

/** A boat of the order: its line by `route_id`, and the scheduled departure in milliseconds since 1970. */
export type BookedLeg = { leg: LegName; line: string; departsAt: number };

export function isSamePassTrip(a: PassTripKey, b: PassTripKey): boolean {
  return a.direction === b.direction && a.party_index === b.party_index;
}

/**
 * Chooses what the trips of a pass pay for: one trip for each covered person or vehicle on each journey, the dearest first.
 * Free tickets take no trip. The rest is nothing, or an amount that a payment card can be charged.
 * @param input available: trips that can be spent; expiresAt: the journey must begin before; null: no end
 */
export function planCoverage(input: {
  lines: readonly PricedLine[];
  legs: readonly BookedLeg[];
  total: number;
  currency: string;
  terms: PassTerms;
  available: number;
  expiresAt: number | null;
}): PassTrip[] {
  const { terms, total, currency } = input;
  const journeys = new Set(listCoveredJourneys(input));
  const dearestFirst = listPartyMemberJourneys(input.lines, currency)
    .filter(
      (journey) => journey.amount > 0 && journeys.has(journey.direction) && isTypeCovered(terms, journey),
    )
    .toSorted((a, b) => b.amount - a.amount);
  const { smallest, step } = getChargeRules(currency);
  for (let count = Math.min(dearestFirst.length, input.available); count > 0; count -= 1) {
    const chosen = dearestFirst.slice(0, count);
    const rest = chosen.reduce((left, { amount }) => left - amount, total);
    if (rest === 0 || (rest >= smallest && rest % step === 0)) {
      return chosen.map(({ direction, party_index, amount }) => ({ direction, party_index, amount }));
    }
  }
  return [];
}

/** How many trips pay for which kind of person or vehicle, as price lines describe them. */
export function countCovered(
  lines: readonly PricedLine[],
  currency: string,
  trips: readonly PassTripKey[],
): (DescribedLine & { count: number })[] {
  const covered = listPartyMemberJourneys(lines, currency).filter((journey) =>
    trips.some((trip) => isSamePassTrip(trip, journey)),
  );
  const alike = Map.groupBy(covered, ({ item, description }) => JSON.stringify([item, description]));
  return [...alike.values()].flatMap(([first, ...others]) =>
    first ? { item: first.item, description: first.description, count: 1 + others.length } : [],
  );
}

export function sumCoverage(trips: readonly PassTrip[]): number {
  return trips.reduce((sum, { amount }) => sum + amount, 0);
}

/** Whether all boats of a journey are on lines of the pass, and the journey begins before it expires. */
export function isJourneyCovered(
  boats: readonly Omit<BookedLeg, 'leg'>[],
  { terms: { lines }, expiresAt }: { terms: PassTerms; expiresAt: number | null },
): boolean {
  const departs = Math.min(...boats.map(({ departsAt }) => departsAt));
  const isInTime = expiresAt === null || departs < expiresAt;
  return isInTime && boats.every(({ line }) => lines === null || lines.includes(line));
}

function listCoveredJourneys({
  legs,
  ...pass
}: {
  legs: readonly BookedLeg[];
  terms: PassTerms;
  expiresAt: number | null;
}): Direction[] {
  return [...Map.groupBy(legs, ({ leg }) => getDirection(leg))]
    .filter(([, boats]) => isJourneyCovered(boats, pass))
    .map(([direction]) => direction);
}

function isTypeCovered(terms: PassTerms, { kind, typeCode }: PartyMemberJourney): boolean {
  if (kind === 'vehicle') return typeCode !== null && typeCode === terms.vehicle_type;
  return kind === 'passenger' && isPassengerCovered(terms, typeCode);
}

/** Whether a pass pays for passengers of a type. */
export function isPassengerCovered(
  { passenger_types: types }: Pick<PassTerms, 'passenger_types'>,
  typeCode: string | null,
): boolean {
  return types === null || (typeCode !== null && types.includes(typeCode));
}

/** Each person, vehicle and bicycle on each journey, with what all boats of the journey cost. */
function listPartyMemberJourneys(lines: readonly PricedLine[], currency: string): PartyMemberJourney[] {
  const paid = getPaidAmounts(lines, currency);
  const journeys: PartyMemberJourney[] = [];
  for (const [leg, all] of Map.groupBy(lines.filter(isFareLine), (line) => line.leg)) {
    const tickets = all.flatMap((line) => (paid.get(line.id) ?? []).map((amount) => ({ line, amount })));
    for (const [index, { line, amount }] of tickets.entries()) {
      const key = { direction: getDirection(leg), party_index: index + 1 };
      const sameTrip = journeys.find((journey) => isSamePassTrip(journey, key));
      if (sameTrip) sameTrip.amount += amount;
      else {
        const { kind, typeCode, item, description } = line;
        journeys.push({ ...key, amount, kind, typeCode, item, description });
      }
    }
  }
  return journeys;
}
