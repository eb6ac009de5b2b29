import { numberParty, type PartyMember } from '#domain/changes/number-party.ts';
import { getWay } from '#domain/orders/legs.ts';
import { isFareLine } from '#domain/refunds/paid-amounts.ts';
import { listTicketsOfWays } from '../crossings/replace-ways.ts';
import { listSoldTickets, type SoldOrder } from '../plan-cancellation.ts';
import type { PricedWay } from './price-ways.ts';

/**
 * The numbers in the party of the tickets of each way, and the names of an order in which added travelers have none yet.
 * @returns travelerNames: null if they stay as they are
 */
export function numberWays(
  sold: SoldOrder,
  ways: readonly PricedWay[],
): { numbers: number[][]; travelerNames: string[] | null } {
  const others = listSoldTickets(sold)
    .filter(({ leg }) => !ways.some(({ way }) => way === getWay(leg)))
    .map((ticket) => toMember(sold, ticket));
  const names = [...sold.order.travelerNames];
  const numbers = ways.map(({ way, lines }) => {
    const own = listTicketsOfWays(sold, [way]).map((ticket) => toMember(sold, ticket));
    const keys = listKeys(lines.filter(({ leg }) => leg === way));
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

type Kind = Pick<PricedWay['lines'][number], 'kind' | 'typeCode'>;

function getKey({ kind, typeCode }: Kind): string {
  return kind === 'passenger' ? `passenger ${typeCode}` : kind;
}

function listKeys(lines: PricedWay['lines']): string[] {
  return lines
    .filter(isFareLine)
    .flatMap((line) => Array.from({ length: line.quantity }, () => getKey(line)));
}

function toMember(
  { lines }: SoldOrder,
  { kind, lineId, partyIndex }: SoldOrder['tickets'][number],
): PartyMember {
  const typeCode = lines.find(({ id }) => id === lineId)?.typeCode ?? null;
  return { key: getKey({ kind, typeCode }), partyIndex };
}
