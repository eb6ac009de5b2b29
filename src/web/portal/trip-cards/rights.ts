import type { ShareRole, TripCard } from '#web/platform/api/types.ts';

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
      each.id !== card.id && isOwn(each) && each.status === 'active' && each.currency === card.currency,
  );
}

export function canShowCode(card: Pick<TripCard, 'role' | 'status'>): boolean {
  return card.status === 'active' && may(card, 'spend');
}

export function isOwn({ role }: Pick<TripCard, 'role'>): boolean {
  return role === 'owner';
}
