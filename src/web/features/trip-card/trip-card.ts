import { DEFAULT_CARD_NAME } from '#domain/trip-cards/default-name.ts';
import { type Message, message } from '#messages/translate.ts';
import { t } from '#web/language/texts.ts';
import type { ShareRole, TopUp, TripCard, TripCardEntry } from '#web/platform/api/types.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import type { BadgeTone } from '#web/ui/feedback/badge.tsx';
import type { IconName } from '#web/ui/icon.tsx';

type Named = Pick<TripCard, 'name' | 'lastFour'>;

export function hasOwnName({ name }: Named): boolean {
  return name !== DEFAULT_CARD_NAME;
}

/** "Family card", or "Trip card ending 3280" for a card without a name. */
export function cardTitle(card: Named): string {
  return hasOwnName(card) ? card.name : t('Trip card ending {digits}', { digits: card.lastFour });
}

/** "Family card, ending 3280" */
export function titleWithNumber(card: Named): string {
  return hasOwnName(card)
    ? t('{card}, ending {digits}', { card: card.name, digits: card.lastFour })
    : cardTitle(card);
}

type CardBadge = { label: Message; tone: BadgeTone; icon?: IconName };

export const STATUS_BADGES: Record<TripCard['status'], CardBadge> = {
  active: { label: message('Ready to use'), tone: 'success' },
  frozen: { label: message('Frozen'), tone: 'warning' },
  lost: { label: message('Reported lost'), tone: 'neutral' },
};

/** The badge of a card; of one in use also that it has expired, or holds less than its owner's alert. `now` in milliseconds. */
export function findBadge(card: TripCard, now: number): CardBadge {
  const { status, balance, lowBalanceAt } = card;
  if (status !== 'active') return STATUS_BADGES[status];
  if (isExpired(card, now)) return { label: message('Expired'), tone: 'warning' };
  return lowBalanceAt !== null && balance < lowBalanceAt
    ? { label: message('Low balance'), tone: 'warning', icon: 'warning' }
    : STATUS_BADGES.active;
}

export const ROLE_LABELS: Record<ShareRole, Message> = {
  spend: message('Pay with it'),
  spend_and_view: message('Pay with it and see its history'),
  top_up: message('Only top it up'),
};

export const SHARED_WITH_YOU_TEXTS: Record<ShareRole, Message> = {
  spend: message('Shared with you: you may pay with it.'),
  spend_and_view: message('Shared with you: you may pay with it and see its history.'),
  top_up: message('Shared with you: you may top it up.'),
};

export const ENTRY_LABELS: Record<TripCardEntry['kind'], Message> = {
  top_up: message('Top-up'),
  fare: message('Fare|an entry of a trip card'),
  transfer_out: message('Moved to another card'),
  transfer_in: message('Moved from another card'),
  refund_in: message('Refund'),
  adjustment: message('Correction'),
};

export const TOP_UP_BADGES: Record<TopUp['status'], CardBadge> = {
  created: { label: message('Not paid'), tone: 'neutral' },
  requires_action: { label: message('Not confirmed'), tone: 'neutral' },
  processing: { label: message('Being confirmed'), tone: 'info' },
  succeeded: { label: message('Paid'), tone: 'success' },
  failed: { label: message('Not paid'), tone: 'danger' },
  canceled: { label: message('Canceled|a top-up'), tone: 'neutral' },
  disputed: { label: message('Disputed'), tone: 'warning' },
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
export const AUTO_TOP_UP_PENDING = message('An automatic top-up is on its way.');
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
