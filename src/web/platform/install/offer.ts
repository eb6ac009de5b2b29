/** The browser's offer to install the app, where there is one: not on iOS, and not when it is installed already. */
export type InstallOffer = Event & {
  prompt(): Promise<unknown>;
  userChoice: Promise<{ outcome: 'accepted' | 'dismissed' }>;
};

let offer: InstallOffer | null = null;

/** The offer comes once and early, long before anybody wants it. Held back, the browser shows no banner of its own. */
export function captureInstallOffer(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    offer = event as InstallOffer;
  });
}

export function findInstallOffer(): InstallOffer | null {
  return offer;
}

/** An offer can be taken up once. */
export function takeInstallOffer(): InstallOffer | null {
  const taken = offer;
  offer = null;
  return taken;
}
