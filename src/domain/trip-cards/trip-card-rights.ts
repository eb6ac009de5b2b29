import type { ShareRole } from '#contract/trip-cards/schemas.ts';

/** Actions that a share can permit; all others are reserved for the owner. */
export type TripCardAction = 'spend' | 'view_history' | 'top_up';

const RIGHTS: Readonly<Record<ShareRole, readonly TripCardAction[]>> = {
  spend: ['spend'],
  spend_and_view: ['spend', 'view_history'],
  top_up: ['top_up'],
};

/** Whether a role permits an action; the owner may do everything. */
export function isTripCardActionAllowed(role: 'owner' | ShareRole, act: TripCardAction | 'own'): boolean {
  if (role === 'owner') return true;
  return act !== 'own' && RIGHTS[role].includes(act);
}
