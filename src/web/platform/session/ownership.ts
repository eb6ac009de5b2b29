import { readStored, removeStored } from '../browser-storage.ts';
import { EPOCH_KEY, forgetOwner, isAuthenticatedHere, readToken, sessionStore, WIPE_KEY } from './session.ts';

/** Changes in every tab of this origin whenever what is kept on it has another owner, or none. */
export function ownerEpoch(): string | null {
  return readStored(EPOCH_KEY);
}

/** What the last owner left on this device may still be there. */
export function isWipeDue(): boolean {
  return readStored(WIPE_KEY) !== null;
}

export function setWiped(): void {
  removeStored(WIPE_KEY);
}

/** Whose session it is was changed elsewhere: this tab forgets the last one, and touches nothing of the next. */
export function adoptSession(): void {
  const isAuthenticated = isAuthenticatedHere() && readToken() !== null;
  sessionStore.set((session) => ({ ...session, isAuthenticated }));
  void forgetOwner();
}
