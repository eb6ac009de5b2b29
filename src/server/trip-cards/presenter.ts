import { presentDecline } from '#contract/payments/declines.ts';
import type {
  AutoTopUp,
  TopUp,
  TripCard,
  TripCardEntry,
  TripCardShare,
} from '#contract/trip-cards/schemas.ts';
import { getLastDay } from '#domain/passes/validity.ts';
import type { AutoTopUpRow } from './auto-top-up.ts';
import type { EntryRow } from './post-entry.ts';
import { availableOn, type HeldCard, type ShareRow, type TopUpRow, type TripCardRow } from './queries.ts';

/** A card as its owner or a person it is shared with may see it; the latter sees no number and no other shares. */
export function presentTripCard(
  { card, role }: HeldCard,
  {
    shares,
    auto,
    owed,
    zone,
  }: { shares: readonly ShareRow[]; auto: AutoTopUpRow | null; owed: number; zone: string },
  now: Date,
): TripCard {
  const isOwner = role === 'owner';
  const common = {
    id: card.id,
    number: isOwner ? card.number : null,
    last_four: card.number.slice(-4),
    name: card.name,
    role,
    status: card.status,
    balance: card.balance,
    held: card.held,
    available: availableOn(card),
    owed: isOwner ? owed : 0,
    as_of: now.toISOString(),
    version: card.version,
    low_balance_at: isOwner ? card.lowBalanceAt : null,
    last_used_at: card.lastUsedAt?.toISOString() ?? null,
    replaces_card_id: isOwner ? card.replacesCardId : null,
    replaced_by_card_id: isOwner ? card.replacedByCardId : null,
    shared_with: isOwner ? shares.map(presentShare) : [],
    inserted_at: card.insertedAt.toISOString(),
  };
  if (card.pass === null) {
    const { currency } = card;
    return {
      ...common,
      unit: 'money',
      currency,
      auto_top_up: isOwner && auto ? presentAutoTopUp(auto) : null,
    };
  }
  return {
    ...common,
    unit: 'trips',
    auto_top_up: null,
    pass: card.pass,
    valid_until: card.expiresAt && getLastDay(card.expiresAt.getTime(), zone),
    expires_at: card.expiresAt?.toISOString() ?? null,
  };
}

/** The unit of the card's amounts, as it is sent. */
export function presentUnit({
  unit,
  currency,
}: Pick<TripCardRow, 'unit' | 'currency'>): { unit: 'trips' } | { unit: 'money'; currency: string } {
  return unit === 'trips' ? { unit } : { unit, currency };
}

export function presentShare(share: ShareRow): TripCardShare {
  return {
    id: share.id,
    email: share.email,
    role: share.role,
    daily_limit: share.dailyLimit,
    status: share.status === 'active' ? 'active' : 'invited',
    inserted_at: share.insertedAt.toISOString(),
  };
}

/**
 * A ledger entry. The id of an order opens the order with its tickets, so only the order's owner and its payer get the
 * id; others read the reference in the description.
 * @param row orderOf: the owner of the order
 */
export function presentEntry(
  { entry, orderOf }: { entry: EntryRow; orderOf: string | null },
  viewerId: string,
): TripCardEntry {
  const mayOpen = orderOf === viewerId || (orderOf === null && entry.byCustomerId === viewerId);
  return {
    id: entry.id,
    seq: entry.seq,
    kind: entry.kind,
    amount: entry.amount,
    balance_after: entry.balanceAfter,
    description: entry.description,
    place: entry.place,
    order_id: mayOpen ? entry.orderId : null,
    top_up_id: entry.topUpId,
    transfer_id: entry.transferId,
    actor: entry.actor,
    occurred_at: entry.occurredAt.toISOString(),
    inserted_at: entry.insertedAt.toISOString(),
  };
}

export function presentTopUp(topUp: TopUpRow): TopUp {
  return {
    id: topUp.id,
    trip_card_id: topUp.tripCardId,
    seq: topUp.seq,
    amount: topUp.amount,
    currency: topUp.currency,
    ...(topUp.pass ? { trips: topUp.pass.trips } : {}),
    trigger: topUp.trigger,
    payment_card_id: topUp.paymentCardId,
    status: topUp.status,
    failure: topUp.failureCode === null ? null : presentDecline(topUp.failureCode),
    receipt_number: topUp.receiptNumber,
    inserted_at: topUp.insertedAt.toISOString(),
    completed_at: topUp.completedAt?.toISOString() ?? null,
  };
}

function presentAutoTopUp(auto: AutoTopUpRow): AutoTopUp {
  return {
    threshold: auto.threshold,
    amount: auto.amount,
    payment_card_id: auto.paymentCardId,
    max_per_day: auto.maxPerDay,
    state: auto.state,
    next_try_at: auto.tryAt?.toISOString() ?? null,
  };
}
