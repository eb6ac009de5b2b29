import { numberParty, type PartyMember } from '#domain/changes/number-party.ts';
import { getDirection } from '#domain/orders/legs.ts';
import { isFareLine } from '#domain/refunds/paid-amounts.ts';
import { listTicketsOfJourneys } from '../crossings/replace-journeys.ts';
import { listSoldTickets, type StoredOrder } from '../queries.ts';
import type { PricedJourney } from './price-journeys.ts';

/**
 * The numbers in the party of the tickets of each journey, and the names of an order in which added travelers have none yet.
 * @returns travelerNames: null if they stay as they are
 */
export function numberJourneys(
  sold: StoredOrder,
  journeys: readonly PricedJourney[],
): { numbers: number[][]; travelerNames: string[] | null } {
  const others = listSoldTickets(sold)
    .filter(({ leg }) => !journeys.some(({ direction }) => direction === getDirection(leg)))
    .map((ticket) => toMember(sold, ticket));
  const names = [...sold.order.travelerNames];
  const numbers = journeys.map(({ direction, lines }) => {
    const own = listTicketsOfJourneys(sold, [direction]).map((ticket) => toMember(sold, ticket));
    const keys = listKeys(lines.filter(({ leg }) => leg === direction));
    const numbered = numberParty(keys, { own, others });
    const members = keys.map((key, index) => ({ key, partyIndex: numbered[index] ?? 0 }));
    for (const member of members) {
      const isKnown = [...own, ...others].some(
        ({ key, partyIndex }) => key === member.key && partyIndex === member.partyIndex,
      );
      if (!isKnown && names[member.partyIndex - 1]) names[member.partyIndex - 1] = '';
    }
    others.push(...members);
    return numbered;
  });
  const isSame = names.every((name, index) => name === sold.order.travelerNames[index]);
  return { numbers, travelerNames: isSame ? null : names };
}

type Kind = Pick<PricedJourney['lines'][number], 'kind' | 'typeCode'>;

function getKey({ kind, typeCode }: Kind): string {
  return kind === 'passenger' ? `passenger ${typeCode}` : kind;
}

function listKeys(lines: PricedJourney['lines']): string[] {
  return lines
    .filter(isFareLine)
    .flatMap((line) => Array.from({ length: line.quantity }, () => getKey(line)));
}

function toMember(
  { lines }: StoredOrder,
  { kind, lineId, partyIndex }: StoredOrder['tickets'][number],
): PartyMember {
  const typeCode = lines.find(({ id }) => id === lineId)?.typeCode ?? null;
  return { key: getKey({ kind, typeCode }), partyIndex };
}
