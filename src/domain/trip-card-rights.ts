import type { ShareRole } from '#contract/trip-cards/schemas.ts';

/** What may be done with a card by others than its owner; everything else is the owner's alone. */
export type TripCardAct = 'spend' | 'view_history' | 'top_up';

const RIGHTS: Readonly<Record<ShareRole, readonly TripCardAct[]>> = {
  spend: ['spend'],
  spend_and_view: ['spend', 'view_history'],
  top_up: ['top_up'],
};

/** Whether somebody may do this with a card; the owner may do everything. */
export function mayWithTripCard(role: 'owner' | ShareRole, act: TripCardAct | 'own'): boolean {
  if (role === 'owner') return true;
  return act !== 'own' && RIGHTS[role].includes(act);
}
