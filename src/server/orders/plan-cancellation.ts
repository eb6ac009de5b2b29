import { isIncludedDriver } from '#domain/fares/included-driver.ts';
import { getDirection, isReturnLeg } from '#domain/orders/legs.ts';
import { isSamePassTrip } from '#domain/passes/coverage.ts';
import { planTripRefund, type TripPayment, type TripRefund } from '#domain/passes/refund-trips.ts';
import { calculateRefund, type Refund, sumTickets } from '#domain/refunds/calculate-refund.ts';
import { getPaidAmounts } from '#domain/refunds/paid-amounts.ts';
import type { RefundTerms } from '#domain/refunds/refund-tiers.ts';
import { listRefundablePayments } from '#domain/refunds/split-refund.ts';
import type { TicketRow } from '../database/schema/sales.ts';
import { isUnused, listSoldTickets, type StoredOrder } from './queries.ts';

/**
 * Adds what is canceled together with the chosen tickets: the driver whose passage is included in a vehicle's fare, and
 * the other boat of a journey with a change.
 */
export function withJoinedTickets(
  { tickets: all, lines }: Pick<StoredOrder, 'tickets' | 'lines'>,
  chosen: readonly TicketRow[],
): TicketRow[] {
  const vehicleLegs = new Set(chosen.filter(({ kind }) => kind === 'vehicle').map(({ leg }) => leg));
  const driverLines = new Set(
    lines.filter((line) => vehicleLegs.has(line.leg) && isIncludedDriver(line)).map(({ id }) => id),
  );
  const joined = all.filter(
    (ticket) => chosen.includes(ticket) || (driverLines.has(ticket.lineId) && isUnused(ticket)),
  );
  return all.filter(
    (ticket) =>
      joined.includes(ticket) || (isUnused(ticket) && joined.some((other) => isSameJourney(ticket, other))),
  );
}

/** Whether two tickets are of one traveler on one journey: the party is the same on both boats. */
function isSameJourney(a: TicketRow, b: TicketRow): boolean {
  return a.partyIndex === b.partyIndex && isReturnLeg(a.leg) === isReturnLeg(b.leg);
}

/** The sums contain `trips`: what goes back to a pass, in trips. */
export type PlannedRefund = Refund & { trips: TripRefund[] };

/** The refund of tickets of an order, on the terms of each. */
export function planRefund(
  sold: StoredOrder,
  chosen: readonly TicketRow[],
  findTicketTerms: (ticket: TicketRow) => RefundTerms | null,
): PlannedRefund {
  const { order, payments: paid, refunds: given } = sold;
  const amounts = listPaidByTicket(sold);
  const toRefund = chosen.map((ticket) => ({
    id: ticket.id,
    trip: { direction: getDirection(ticket.leg), party_index: ticket.partyIndex },
    paid: amounts.get(ticket.id) ?? 0,
    terms: findTicketTerms(ticket),
  }));
  const planned = listTripPayments(sold).map((payment) => {
    const own = toRefund.filter(({ trip }) => payment.coverage.some((each) => isSamePassTrip(each, trip)));
    return planTripRefund(
      payment,
      own.map((ticket) => ({ ...ticket, isRefundable: ticket.terms !== null })),
    );
  });
  const byTrips = new Map(planned.flatMap(({ tickets: all }) => all.map((ticket) => [ticket.id, ticket])));
  const byMoney = calculateRefund(
    toRefund.filter(({ id }) => !byTrips.has(id)),
    {
      currency: order.currency,
      feesKept: sold.feesKept,
      available: listRefundablePayments(paid, given).reduce((sum, { left }) => sum + left, 0),
    },
  );
  const all = toRefund.flatMap(
    ({ id }) => byTrips.get(id) ?? byMoney.tickets.find((each) => each.id === id) ?? [],
  );
  return { ...sumTickets(all), trips: planned.flatMap(({ refund }) => refund ?? []) };
}

/** The payments of an order by trips of a pass. */
function listTripPayments({ payments: paid, refunds: given }: StoredOrder): TripPayment[] {
  return paid.flatMap(({ id, amount, coverage, status }) => {
    if (coverage === null || status !== 'succeeded') return [];
    const own = given.filter((refund) => refund.paymentId === id);
    const left = own.reduce((rest, refund) => rest - refund.amount, amount);
    return [{ id, coverage, left, returned: own.flatMap(({ trips }) => trips ?? []) }];
  });
}

/** What was paid for each sold ticket. */
function listPaidByTicket(sold: Pick<StoredOrder, 'order' | 'lines' | 'tickets'>): Map<string, number> {
  const active = sold.lines.filter(({ status }) => status === 'active');
  const left = listSoldTickets(sold);
  const entries = [...getPaidAmounts(active, sold.order.currency)].flatMap(([lineId, amounts]) =>
    left
      .filter((ticket) => ticket.lineId === lineId)
      .map((ticket, index) => [ticket.id, amounts[index] ?? 0] as const),
  );
  return new Map(entries);
}
