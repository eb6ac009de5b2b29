/** The app runs in its own window, from the home screen or the dock. */
export function isInstalled(): boolean {
  if (typeof window === 'undefined') return false;
  const { standalone } = navigator as Navigator & { standalone?: boolean };
  return standalone === true || window.matchMedia?.('(display-mode: standalone)').matches === true;
}

/** Only iOS has this property, and only iOS takes splash images from the page. */
export function takesSplash(): boolean {
  return 'standalone' in navigator;
}

/**
 * A browser on an iPhone or iPad, where apps are installed through the Share menu. In-app browsers have no such
 * entry. iPads report to be Macs, but have touch points.
 */
export function isIosBrowser({ userAgent, maxTouchPoints }: NavigatorLook = navigator): boolean {
  const isIos = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
  return isIos && /Safari\//.test(userAgent) && !/FBAN|FBAV|Instagram|Line\/|GSA\//.test(userAgent);
}

type NavigatorLook = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>;
