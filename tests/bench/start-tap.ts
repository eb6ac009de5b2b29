/** A link, and the text of the heading that it leads to. */
export type StartTap = { link: string; heading: string };

declare global {
  // Kept on the page under measurement, read from outside.
  var __ownedMs: number | undefined;
  var __answeredMs: number | undefined;
}

/**
 * Runs in the page: notes when React rendered the link. From then on taps are answered without another document.
 * Self-contained, because it travels as text.
 */
export function installOwnershipProbe(link: string): void {
  if (window.top !== window) return;
  const look = () => {
    const found = document.querySelector(link);
    if (found !== null && Object.keys(found).some((key) => key.startsWith('__reactFiber')))
      globalThis.__ownedMs = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/**
 * Runs in each document of the tab: taps a link of the first one in the frame after what is wanted is readable, and notes
 * when the link's heading is shown, in milliseconds since the first navigation began. On a painted screen the link leads
 * to another document. Self-contained, because it travels as text.
 */
export function installTap({ link, heading }: StartTap): void {
  if (window.top !== window || !location.protocol.startsWith('http')) return;
  const KEY = 'bench-start';
  const began = Number(sessionStorage.getItem(KEY) ?? performance.timeOrigin);
  let isTapped = sessionStorage.getItem(KEY) !== null;
  const look = () => {
    const found = document.querySelector<HTMLElement>(link);
    if (document.querySelector('h1')?.textContent === heading) {
      globalThis.__answeredMs = performance.timeOrigin + performance.now() - began;
      return;
    }
    // After the frame that shows it was painted.
    if (found !== null && !isTapped && globalThis.__timeline?.readable != null) {
      isTapped = true;
      sessionStorage.setItem(KEY, String(performance.timeOrigin));
      found.click();
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
