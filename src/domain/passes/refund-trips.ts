import type { TicketRefund } from '../refunds/calculate-refund.ts';
import { isSamePassTrip, type PassTrip, type PassTripKey } from './coverage.ts';

/** A payment by trips of a pass, and what of it was given back. */
export type TripPayment = {
  id: string;
  coverage: readonly PassTrip[];
  /** The remaining amount. */
  left: number;
  returned: readonly PassTripKey[];
};

/** `isRefundable`: the fare gives something back for the ticket now. */
export type CoveredTicket = { id: string; trip: PassTripKey; paid: number; isRefundable: boolean };

/** What goes back to a pass: trips, and what they had paid. */
export type TripRefund = { paymentId: string; amount: number; trips: PassTripKey[] };

/**
 * The refund of tickets that trips of a pass paid for. A trip cannot be divided: it goes back whole if the fare
 * gives anything back, without a fee, once for both boats of a journey.
 */
export function planTripRefund(
  { id: paymentId, coverage, left, returned }: TripPayment,
  tickets: readonly CoveredTicket[],
): { tickets: TicketRefund[]; refund: TripRefund | null } {
  const back = coverage.filter((trip) =>
    tickets.some((ticket) => ticket.isRefundable && isSamePassTrip(ticket.trip, trip)),
  );
  const trips = back
    .filter((trip) => !returned.some((other) => isSamePassTrip(other, trip)))
    .map(({ direction, party_index }) => ({ direction, party_index }));
  let rest = left;
  const refunds = tickets.map(({ id, paid, isRefundable }) => {
    const refund = isRefundable ? Math.min(paid, rest) : 0;
    rest -= refund;
    return { id, paid, fee: 0, refund };
  });
  const amount = left - rest;
  return { tickets: refunds, refund: amount > 0 ? { paymentId, amount, trips } : null };
}
