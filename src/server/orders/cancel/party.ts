import { type Direction, getDirection, isReturnLeg } from '#domain/orders/legs.ts';
import type { RebookingOfferRow } from '#server/database/schema/rebooking-offers.ts';
import type { TicketRow } from '#server/database/schema/sales.ts';
import { ApiError } from '#server/http/api-error.ts';
import { listSoldTickets, type OrderRecord, type StoredOrder } from '../queries.ts';

/** An order with its sailings and the codes of the passenger types that need an adult. */
export type CancellableOrder = {
  sold: StoredOrder;
  legs: OrderRecord['legs'];
  needAdult: ReadonlySet<string>;
  /** With which its buyer may still choose another sailing or the full refund. */
  choices: readonly RebookingOfferRow[];
};

/**
 * Requires that those who are left on each journey may travel: with an adult, and no vehicle or bicycle without a passenger.
 * @throws {ApiError} change_not_allowed
 */
export function requireValidParty(order: CancellableOrder, canceled: readonly TicketRow[]): void {
  const left = listSoldTickets(order.sold).filter((ticket) => !canceled.includes(ticket));
  const isChanged = (ticket: TicketRow) => canceled.some(({ leg }) => leg === ticket.leg);
  for (const party of Map.groupBy(left.filter(isChanged), ({ leg }) => leg).values()) {
    const passengers = party.filter(({ kind }) => kind === 'passenger');
    const suffix = findSuffix(order, party);
    if (passengers.length === 0) {
      throw new ApiError('change_not_allowed', { reason: `vehicle_alone${suffix}` });
    }
    if (passengers.every((ticket) => needsAdult(order, ticket))) {
      throw new ApiError('change_not_allowed', { reason: `child_alone${suffix}` });
    }
  }
}

function needsAdult({ sold, needAdult }: CancellableOrder, { lineId }: TicketRow): boolean {
  const type = sold.lines.find(({ id }) => id === lineId)?.typeCode;
  return type != null && needAdult.has(type);
}

/** Says which trip of an order with a return is meant. */
function findSuffix({ legs }: CancellableOrder, [first]: readonly TicketRow[]): '' | `_${Direction}` {
  return first && legs.some(({ leg }) => isReturnLeg(leg)) ? `_${getDirection(first.leg)}` : '';
}
