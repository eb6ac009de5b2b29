import { readStored, writeStored } from '../browser-storage.ts';
import { createStore, useStore } from '../create-store.ts';
import { isInstalled, isIosBrowser } from './device.ts';
import { findInstallOffer, takeInstallOffer } from './offer.ts';

/** How this browser installs the app: by its own prompt, or through the Share menu. */
export type Invitation = 'offer' | 'share';

const KEY = 'install-invitation';
const DISMISSED = 'dismissed';

const invitation = createStore<Invitation | null>(null);

/** Null if the app cannot be installed, or the invitation was accepted or declined before. */
export function useInvitation(): Invitation | null {
  return useStore(invitation, () => null);
}

/** Updates the invitation now, and when the browser offers to install the app or has installed it. */
export function watchInvitation(): void {
  updateInvitation();
  // Adding the same listeners again has no effect.
  window.addEventListener('beforeinstallprompt', updateInvitation);
  window.addEventListener('appinstalled', declineInvitation);
}

export function declineInvitation(): void {
  writeStored(KEY, DISMISSED);
  invitation.set(null);
}

/** Opens the browser's prompt. It is offered only once. */
export async function acceptInvitation(): Promise<void> {
  const offer = takeInstallOffer();
  declineInvitation();
  await offer?.prompt();
}

function updateInvitation(): void {
  invitation.set(findInvitation());
}

function findInvitation(): Invitation | null {
  if (isInstalled() || readStored(KEY) === DISMISSED) return null;
  if (findInstallOffer() !== null) return 'offer';
  return isIosBrowser() ? 'share' : null;
}
