import { presentDecline } from '#contract/payments/declines.ts';
import {
  type AutoTopUp,
  AutoTopUpSchema,
  MoneyCardSchema,
  PassCardSchema,
  type TopUp,
  TopUpSchema,
  type TripCard,
  type TripCardEntry,
  TripCardEntrySchema,
  type TripCardShare,
  TripCardShareSchema,
} from '#contract/trip-cards/schemas.ts';
import { getLastDay } from '#domain/passes/validity.ts';
import { describeEntry } from '#sentences/trip-card-entries.ts';
import { textsIn } from '#server/core/texts.ts';
import { present } from '../core/present.ts';
import { translatePass } from '../sailings/translate-catalogue.ts';
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
    language,
  }: {
    shares: readonly ShareRow[];
    auto: AutoTopUpRow | null;
    owed: number;
    zone: string;
    language: string;
  },
  now: Date,
): TripCard {
  const isOwner = role === 'owner';
  const ofOwner = {
    number: card.number,
    owed,
    lowBalanceAt: card.lowBalanceAt,
    replacesCardId: card.replacesCardId,
    replacedByCardId: card.replacedByCardId,
    sharedWith: shares.map(presentShare),
  };
  const shown = {
    ...card,
    ...(isOwner ? ofOwner : HIDDEN),
    role,
    lastFour: card.number.slice(-4),
    available: availableOn(card),
    asOf: now,
  };
  if (card.pass === null) {
    const autoTopUp = isOwner && auto ? presentAutoTopUp(auto) : null;
    return present(MoneyCardSchema, { ...shown, unit: 'money', autoTopUp });
  }
  const validUntil = card.expiresAt && getLastDay(card.expiresAt.getTime(), zone);
  const pass = translatePass(card.pass, language);
  return present(PassCardSchema, { ...shown, unit: 'trips', autoTopUp: null, pass, validUntil });
}

/** What is sent instead of the fields that only the owner sees. */
const HIDDEN = {
  number: null,
  owed: 0,
  lowBalanceAt: null,
  replacesCardId: null,
  replacedByCardId: null,
  sharedWith: [],
};

/** The unit of the card's amounts, as it is sent. */
export function presentUnit({
  unit,
  currency,
}: Pick<TripCardRow, 'unit' | 'currency'>): { unit: 'trips' } | { unit: 'money'; currency: string } {
  return unit === 'trips' ? { unit } : { unit, currency };
}

export function presentShare(share: ShareRow): TripCardShare {
  const status = share.status === 'active' ? 'active' : 'invited';
  return present(TripCardShareSchema, { ...share, status });
}

/**
 * A ledger entry. The id of an order opens the order with its tickets, so only the order's owner and its payer get the
 * id; others read the reference in the description.
 * @param row orderOf: the owner of the order
 */
export function presentEntry(
  { entry, orderOf }: { entry: EntryRow; orderOf: string | null },
  { customerId, language }: { customerId: string; language: string },
): TripCardEntry {
  const mayOpen = orderOf === customerId || (orderOf === null && entry.byCustomerId === customerId);
  return present(TripCardEntrySchema, {
    ...entry,
    description: writeDescription(entry, language),
    orderId: mayOpen ? entry.orderId : null,
  });
}

export function writeDescription(
  { cause, description }: Pick<EntryRow, 'cause' | 'description'>,
  language: string,
): string {
  return cause === null ? description : describeEntry(textsIn(language), cause);
}

export function presentTopUp(topUp: TopUpRow, language: string): TopUp {
  return present(TopUpSchema, {
    ...topUp,
    status: topUp.takenBackAt === null ? topUp.status : 'canceled',
    trips: topUp.pass?.trips,
    failure: topUp.failureCode === null ? null : presentDecline(textsIn(language), topUp.failureCode),
  });
}

function presentAutoTopUp(auto: AutoTopUpRow): AutoTopUp {
  return present(AutoTopUpSchema, { ...auto, nextTryAt: auto.tryAt });
}
