/** A link, and the text of the heading that it leads to. */
export type StartTap = { link: string; heading: string };

export type Tapped = {
  /** When React rendered what is on screen: from then on taps are answered at once. */
  ownedMs: number | null;
  /** When the screen is shown that a link leads to which was tapped as soon as it was painted; null without a tap. */
  answeredMs: number | null;
  /** Of the first screen. */
  largestPaint: number | null;
};

declare global {
  // Kept on the page under measurement, read from outside.
  var __tap: Tapped | undefined;
}

/**
 * Runs in the page: taps a link in the frame in which it appears, and notes when React has rendered it and when the
 * tap's screen is shown. Self-contained, because it travels as text.
 */
export function installTap(tap: StartTap | null): void {
  if (window.top !== window || globalThis.__tap || tap === null) return;
  const { link, heading } = tap;
  const seen: Tapped = { ownedMs: null, answeredMs: null, largestPaint: null };
  globalThis.__tap = seen;
  let isTapped = false;
  const look = () => {
    const found = document.querySelector<HTMLElement>(link);
    const isOwned = found !== null && Object.keys(found).some((key) => key.startsWith('__reactFiber'));
    if (isOwned) seen.ownedMs ??= performance.now();
    if (document.querySelector('h1')?.textContent === heading) {
      seen.answeredMs = performance.now();
      // Later ones are of the screen that the tap led to.
      seen.largestPaint = globalThis.__timeline?.largestPaint ?? null;
    }
    // After the frame that shows it was painted, so that what is readable first is measured too.
    else if (found !== null && !isTapped && globalThis.__timeline?.readable != null) {
      isTapped = true;
      found.click();
    }
    if (seen.answeredMs === null) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
