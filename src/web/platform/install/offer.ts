import { createStore } from '../create-store.ts';

/** The browser's offer to install the app. Missing on iOS, and where it is installed already. */
export type InstallOffer = Event & {
  prompt(): Promise<unknown>;
  userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>;
};

const offer = createStore<InstallOffer | null>(null);

/** The browser fires the event once, early. Preventing its default hides the browser's banner. */
export function captureInstallOffer(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    offer.set(event as InstallOffer);
  });
}

export function findInstallOffer(): InstallOffer | null {
  return offer.get();
}

/** An offer can be used once. */
export function takeInstallOffer(): InstallOffer | null {
  const taken = offer.get();
  offer.set(null);
  return taken;
}
