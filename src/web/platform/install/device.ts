/** Opened from the home screen or the dock, in a window of its own. */
export function isInstalled(): boolean {
  if (typeof window === 'undefined') return false;
  const { standalone } = navigator as Navigator & { standalone?: boolean };
  return standalone === true || window.matchMedia?.('(display-mode: standalone)').matches === true;
}

/** Only where that word stands are first pictures of installed apps asked of the page: on iOS. */
export function takesSplash(): boolean {
  return 'standalone' in navigator;
}

/**
 * A browser on an iPhone or iPad, where nothing but its Share menu can install an app. Views inside other apps
 * have no such entry. An iPad calls itself a Mac, but is touched.
 */
export function isIosBrowser({ userAgent, maxTouchPoints }: NavigatorLook = navigator): boolean {
  const isIos = /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
  return isIos && /Safari\//.test(userAgent) && !/FBAN|FBAV|Instagram|Line\/|GSA\//.test(userAgent);
}

type NavigatorLook = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>;
