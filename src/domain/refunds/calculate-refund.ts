import { apportion, scaleHalfEven } from '../fares/money.ts';
import { getChargeRules } from '../trip-cards/card-charges.ts';
import type { RefundTerms } from './refund-tiers.ts';

export type TicketToRefund = {
  id: string;
  /** What was paid for it, after discounts. */
  paid: number;
  /** Null: nothing is given back. */
  terms: RefundTerms | null;
};

/** `refund` is the amount after the fee. */
export type TicketRefund = { id: string; paid: number; fee: number; refund: number };

export type Refund = { tickets: TicketRefund[]; paid: number; fee: number; refund: number };

/**
 * The refund of each ticket, in amounts that a payment card can be refunded. Never more than was
 * paid for a ticket, and a fee never exceeds what it is deducted from.
 * @param feesKept what earlier cancellations of the order have kept of a fee per order
 * @param available the remainder of the order's payments
 */
export function calculateRefund(
  tickets: readonly TicketToRefund[],
  { currency, feesKept, available }: { currency: string; feesKept: number; available: number },
): Refund {
  const { step } = getChargeRules(currency);
  const shares = tickets.map(({ paid, terms }) => (terms ? takeShare(paid, terms.refundBp, step) : 0));
  const ticketFees = tickets.map(({ terms }, index) =>
    terms?.feePer === 'ticket' ? Math.min(terms.fee, shares[index] ?? 0) : 0,
  );
  const orderFees = splitOrderFee(tickets, shares, { feesKept, step });
  const fees = tickets.map((_, index) => (ticketFees[index] ?? 0) + (orderFees[index] ?? 0));
  const due = shares.map((share, index) => share - (fees[index] ?? 0));
  const given = limitSum(due, available, step);
  const refunds = tickets.map(({ id, paid }, index) => ({
    id,
    paid,
    fee: fees[index] ?? 0,
    refund: given[index] ?? 0,
  }));
  return sumTickets(refunds);
}

/** The refund of all tickets. */
export function sumTickets(tickets: TicketRefund[]): Refund {
  const sum = (field: 'paid' | 'fee' | 'refund') => tickets.reduce((total, each) => total + each[field], 0);
  return { tickets, paid: sum('paid'), fee: sum('fee'), refund: sum('refund') };
}

function takeShare(paid: number, refundBp: number, step: number): number {
  const share = step * scaleHalfEven(paid, Math.min(refundBp, 10_000), 10_000 * step);
  return Math.min(share, paid);
}

/** Reduces amounts in proportion until their sum is available. */
function limitSum(amounts: readonly number[], available: number, step: number): readonly number[] {
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  if (total <= available) return amounts;
  return apportion(Math.trunc(available / step), amounts).map((part) => step * part);
}

/** The highest fee per order among the tickets' terms, less what was kept before, split over the tickets it applies to. */
function splitOrderFee(
  tickets: readonly TicketToRefund[],
  shares: readonly number[],
  { feesKept, step }: { feesKept: number; step: number },
): number[] {
  const fees = tickets.map(({ terms }, index) =>
    terms?.feePer === 'order' && (shares[index] ?? 0) > 0 ? terms.fee : 0,
  );
  const weights = shares.map((share, index) => (fees[index] ? share : 0));
  const due = Math.max(0, Math.max(0, ...fees) - feesKept);
  const fee = Math.min(
    due,
    weights.reduce((sum, weight) => sum + weight, 0),
  );
  return apportion(Math.trunc(fee / step), weights).map((part) => step * part);
}
