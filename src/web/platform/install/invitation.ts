import { readStored, writeStored } from '../browser-storage.ts';
import { createStore, useStore } from '../create-store.ts';
import { isInstalled, isIosBrowser } from './device.ts';
import { findInstallOffer, takeInstallOffer } from './offer.ts';

/** How this browser installs the app: it offers to, or somebody has to find it in its Share menu. */
export type Invitation = 'offer' | 'share';

const KEY = 'install-invitation';
const DISMISSED = 'dismissed';

const invitation = createStore<Invitation | null>(null);
let isWatching = false;

/** Null while there is nothing to invite to, and for good once it was declined or taken up. */
export function useInvitation(): Invitation | null {
  return useStore(invitation, () => null);
}

/** Looks again, and from now on whenever the browser makes an offer or the app was installed. */
export function watchInvitation(): void {
  lookAgain();
  if (isWatching) return;
  isWatching = true;
  window.addEventListener('beforeinstallprompt', lookAgain);
  window.addEventListener('appinstalled', declineInvitation);
}

export function declineInvitation(): void {
  writeStored(KEY, DISMISSED);
  invitation.set(null);
}

/** Opens the browser's own question; whatever is answered there, it is not asked again. */
export async function acceptInvitation(): Promise<void> {
  const offer = takeInstallOffer();
  declineInvitation();
  await offer?.prompt();
}

function lookAgain(): void {
  invitation.set(findInvitation());
}

function findInvitation(): Invitation | null {
  if (isInstalled() || readStored(KEY) === DISMISSED) return null;
  if (findInstallOffer() !== null) return 'offer';
  return isIosBrowser() ? 'share' : null;
}
