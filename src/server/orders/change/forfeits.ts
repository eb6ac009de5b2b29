import { calculateForfeit } from '#domain/changes/forfeited-value.ts';
import type { PricedLine } from '#domain/fares/fare-book.ts';
import { isIncludedDriver } from '#domain/fares/included-driver.ts';
import { getDirection } from '#domain/orders/legs.ts';
import { getPaidAmounts, isFareLine } from '#domain/refunds/paid-amounts.ts';
import { FULL_REFUND, findRefundTerms, type RefundTerms } from '#domain/refunds/refund-tiers.ts';
import { findTermsDeparture } from '#domain/refunds/terms-departure.ts';
import type { TicketRow } from '#server/database/schema/sales.ts';
import { isOperatorsFault } from '../crossings/needs-attention.ts';
import { listTicketsOfJourneys } from '../crossings/replace-journeys.ts';
import { planRefund } from '../plan-cancellation.ts';
import type { ChangeableOrder } from './plan.ts';
import type { PricedJourney } from './price-journeys.ts';

/**
 * What the order's fare keeps of travelers, vehicles and bicycles that a change removes. The rest of their value is
 * refunded as a cancellation would.
 * @returns minor units; `fee`: the part that is a cancellation fee
 */
export function sumForfeits(
  sold: ChangeableOrder,
  { journeys, now }: { journeys: readonly PricedJourney[]; now: Date },
): { amount: number; fee: number } {
  const removed = journeys.flatMap((journey) => listRemoved(sold, journey));
  const { tickets: refunds } = planRefund(sold, removed, (ticket) => findTerms(sold, ticket, now));
  const forfeits = journeys.map((journey) => {
    const own = removed.filter(({ leg }) => getDirection(leg) === journey.direction).map(({ id }) => id);
    const ofDirection = refunds.filter(({ id }) => own.includes(id));
    const sum = (field: 'paid' | 'refund' | 'fee') =>
      ofDirection.reduce((total, each) => total + each[field], 0);
    const added = sumAdded(sold, journey);
    return calculateForfeit({ paid: sum('paid'), refund: sum('refund'), fee: sum('fee'), added });
  });
  const sum = (field: 'amount' | 'fee') => forfeits.reduce((total, each) => total + each[field], 0);
  return { amount: sum('amount'), fee: sum('fee') };
}

/** Of each kind, the highest numbers: the others keep theirs. */
function listRemoved(sold: ChangeableOrder, journey: PricedJourney): TicketRow[] {
  const left = countNew(journey);
  const own = listTicketsOfJourneys(sold, [journey.direction]);
  const removed = new Set<number>();
  for (const { key, partyIndex } of listMembers(sold, own)) {
    const count = left.get(key) ?? 0;
    if (count === 0) removed.add(partyIndex);
    else left.set(key, count - 1);
  }
  return own.filter(({ partyIndex }) => removed.has(partyIndex));
}

/** The price of the tickets that a journey has more of their kind than before. */
function sumAdded(sold: ChangeableOrder, journey: PricedJourney): number {
  const left = new Map<string, number>();
  for (const { key } of listMembers(sold, listTicketsOfJourneys(sold, [journey.direction]))) {
    left.set(key, (left.get(key) ?? 0) + 1);
  }
  const lines = journey.lines.map((line, index) => ({ ...line, id: String(index) }));
  const prices = getPaidAmounts(lines, sold.order.currency);
  // Each leg has the same tickets.
  return [...Map.groupBy(lines.filter(isFareLine), ({ leg }) => leg).values()].reduce((total, ofLeg) => {
    const unmatched = new Map(left);
    const added = ofLeg.flatMap((line) =>
      (prices.get(line.id) ?? []).filter(() => {
        const count = unmatched.get(getKey(line)) ?? 0;
        unmatched.set(getKey(line), count - 1);
        return count <= 0;
      }),
    );
    return total + added.reduce((sum, price) => sum + price, 0);
  }, 0);
}

/** Tells apart what can replace each other: passengers and vehicles by type. A vehicle's fare pays for its driver. */
function getKey(line: Pick<PricedLine, 'kind' | 'typeCode' | 'item' | 'description' | 'amount'>): string {
  return isIncludedDriver(line) ? 'driver' : `${line.kind} ${line.typeCode}`;
}

/** Each number in the party once, lowest first. */
function listMembers(sold: ChangeableOrder, tickets: readonly TicketRow[]) {
  const keys = new Map<number, string>();
  for (const { lineId, partyIndex } of tickets) {
    const line = sold.lines.find(({ id }) => id === lineId);
    if (line) keys.set(partyIndex, getKey(line));
  }
  return [...keys]
    .map(([partyIndex, key]) => ({ partyIndex, key }))
    .toSorted((a, b) => a.partyIndex - b.partyIndex);
}

function countNew({ direction, lines }: PricedJourney): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines.filter((each) => each.leg === direction && isFareLine(each))) {
    counts.set(getKey(line), (counts.get(getKey(line)) ?? 0) + line.quantity);
  }
  return counts;
}

function findTerms(sold: ChangeableOrder, ticket: TicketRow, now: Date): RefundTerms | null {
  if (isOperatorsFault(sold.order)) return FULL_REFUND;
  const departsAt = findTermsDeparture(sold.legs, ticket);
  return departsAt === null ? null : findRefundTerms(sold.order.farePolicy.cancel, departsAt, now.getTime());
}
