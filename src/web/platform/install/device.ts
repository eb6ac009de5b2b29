/** The app runs in its own window, from the home screen or the dock. */
export function isInstalled(): boolean {
  if (typeof window === 'undefined') return false;
  const { standalone } = navigator as Navigator & { standalone?: boolean };
  return standalone === true || window.matchMedia?.('(display-mode: standalone)').matches === true;
}

/** Only iOS has this property, and only iOS takes splash images from the page. */
export function usesSplashImages(): boolean {
  return 'standalone' in navigator;
}

/**
 * A browser on an iPhone or iPad, where apps are installed through the Share menu. In-app browsers have no such
 * entry. iPads report to be Macs, but have touch points.
 */
export function isIosBrowser({
  userAgent,
  maxTouchPoints,
}: Pick<Navigator, 'userAgent' | 'maxTouchPoints'> = navigator): boolean {
  const isIos = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
  return isIos && /Safari\//.test(userAgent) && !/FBAN|FBAV|Instagram|Line\/|GSA\//.test(userAgent);
}

/**
 * Asks the browser not to evict saved data when the device is low on storage. Only for the installed app, where
 * browsers grant it without a prompt.
 */
export async function requestPersistentStorage(): Promise<void> {
  // Missing in insecure contexts.
  const { storage } = navigator as Partial<Navigator>;
  try {
    if ((await storage?.persisted?.()) === false) await storage?.persist();
  } catch {
    // Refused: nothing changes.
  }
}
