import type { ShareRole, TopUp, TripCard, TripCardEntry } from '#web/platform/api/types.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import type { BadgeTone } from '#web/ui/feedback/badge.tsx';

/** The server's name for a card without a name. */
const DEFAULT_NAME = 'Trip card';

type Named = Pick<TripCard, 'name' | 'lastFour'>;

export function hasOwnName({ name }: Named): boolean {
  return name !== DEFAULT_NAME;
}

/** "Family card", or "Trip card ending 3280" for a card without a name. */
export function cardTitle(card: Named): string {
  return hasOwnName(card) ? card.name : `${DEFAULT_NAME} ending ${card.lastFour}`;
}

/** "Family card, ending 3280" */
export function titleWithNumber(card: Named): string {
  return hasOwnName(card) ? `${card.name}, ending ${card.lastFour}` : cardTitle(card);
}

export const STATUS_BADGES: Record<TripCard['status'], { label: string; tone: BadgeTone }> = {
  active: { label: 'Ready to use', tone: 'success' },
  frozen: { label: 'Frozen', tone: 'warning' },
  lost: { label: 'Reported lost', tone: 'neutral' },
};

/** The badge of a card; of a pass it also says whether it has expired. `now` in milliseconds. */
export function findBadge(card: TripCard, now: number): { label: string; tone: BadgeTone } {
  const isOver = card.status === 'active' && isExpired(card, now);
  return isOver ? { label: 'Expired', tone: 'warning' } : STATUS_BADGES[card.status];
}

export const ROLE_LABELS: Record<ShareRole, string> = {
  spend: 'Pay with it',
  spend_and_view: 'Pay with it and see its history',
  top_up: 'Only top it up',
};

export const SHARED_WITH_YOU_TEXTS: Record<ShareRole, string> = {
  spend: 'Shared with you: you may pay with it.',
  spend_and_view: 'Shared with you: you may pay with it and see its history.',
  top_up: 'Shared with you: you may top it up.',
};

export const ENTRY_LABELS: Record<TripCardEntry['kind'], string> = {
  top_up: 'Top-up',
  fare: 'Fare',
  transfer_out: 'Moved to another card',
  transfer_in: 'Moved from another card',
  refund_in: 'Refund',
  adjustment: 'Correction',
};

export const TOP_UP_BADGES: Record<TopUp['status'], { label: string; tone: BadgeTone }> = {
  created: { label: 'Not paid', tone: 'neutral' },
  requires_action: { label: 'Not confirmed', tone: 'neutral' },
  processing: { label: 'Being confirmed', tone: 'info' },
  succeeded: { label: 'Paid', tone: 'success' },
  failed: { label: 'Not paid', tone: 'danger' },
  canceled: { label: 'Canceled', tone: 'neutral' },
  disputed: { label: 'Disputed', tone: 'warning' },
};

type Act = 'spend' | 'view' | 'top-up';

const RIGHTS: Readonly<Record<ShareRole, readonly Act[]>> = {
  spend: ['spend'],
  spend_and_view: ['spend', 'view'],
  top_up: ['top-up'],
};

/** Whether this customer's role allows it, whatever the card's status. */
export function may({ role }: Pick<TripCard, 'role'>, act: Act): boolean {
  return role === 'owner' || RIGHTS[role].includes(act);
}

/** The customer's other cards that can receive money from this one. */
export function transferTargets(card: TripCard, cards: readonly TripCard[]): TripCard[] {
  return cards.filter(
    (each) =>
      each.id !== card.id &&
      isOwn(each) &&
      each.status === 'active' &&
      each.unit !== 'trips' &&
      card.unit !== 'trips' &&
      each.currency === card.currency,
  );
}

export function canShowCode(card: TripCard): boolean {
  return card.status === 'active' && may(card, 'spend') && !isExpired(card, serverNow());
}

/** Whether the card is a pass whose last day is over. `now` in milliseconds. */
export function isExpired(card: TripCard, now: number): boolean {
  return card.unit === 'trips' && card.expiresAt !== null && Date.parse(card.expiresAt) <= now;
}

export function isOwn({ role }: Pick<TripCard, 'role'>): boolean {
  return role === 'owner';
}

export const REFETCH_EVERY_MS = 2000;
/** Shown only for fresh data, and never painted from a saved screen. */
export const AUTO_TOP_UP_PENDING = 'An automatic top-up is on its way.';
const SOON_MS = 60_000;

/** When a card below its threshold is topped up automatically; null if it will not be. */
export function findNextAutoTopUp({
  status,
  autoTopUp,
  balance,
  asOf,
}: TripCard): 'now' | { at: string } | null {
  if (status !== 'active' || autoTopUp?.state !== 'ok' || balance >= autoTopUp.threshold) return null;
  const { nextTryAt } = autoTopUp;
  if (nextTryAt === null || Date.parse(nextTryAt) - Date.parse(asOf) < SOON_MS) return 'now';
  return { at: nextTryAt };
}
