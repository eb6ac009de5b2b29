import { readStored, removeStored } from '../browser-storage.ts';
import { EPOCH_KEY, forgetOwner, isAuthenticatedHere, readToken, sessionStore, WIPE_KEY } from './session.ts';

/** Changes in every tab of this origin whenever the stored data gets another owner, or none. */
export function ownerEpoch(): string | null {
  return readStored(EPOCH_KEY);
}

/** True if the last owner's data may still be on this device. */
export function isWipeDue(): boolean {
  return readStored(WIPE_KEY) !== null;
}

export function setWiped(): void {
  removeStored(WIPE_KEY);
}

/** Follows a sign-in or sign-out in another tab: forgets the last owner and leaves the next one's data alone. */
export function adoptSession(): void {
  const isAuthenticated = isAuthenticatedHere() && readToken() !== null;
  sessionStore.set((session) => ({ ...session, isAuthenticated }));
  void forgetOwner();
}
