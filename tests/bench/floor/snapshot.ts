/** What was last known is painted by the page itself; the bundle starts when that frame is out. */
requestAnimationFrame(() => void import('./persist.tsx'));
