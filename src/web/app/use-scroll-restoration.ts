import { useEffect, useLayoutEffect, useRef } from 'react';
import { readStoredJson, writeStored } from '#web/platform/browser-storage.ts';
import type { AppRouter, RouterState } from '#web/platform/router/app-router.ts';

const KEY = 'scroll-positions';

/** By key of the entry in the session history: addresses may contain ids, which are not stored readably. */
type Positions = Record<string, number>;

/** Scrolls to the top of a new screen, to the target of a hash, and back to where a screen was left. */
export function useScrollRestoration(router: AppRouter, { location, keepsScroll }: RouterState): void {
  const positions = useRef<Positions | null>(null);
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    positions.current ??= (readStoredJson(KEY, 'sessionStorage') as Positions | null) ?? {};
    const saved = positions.current[location.key];
    // The first screen may have been scrolled before the app started.
    const resets = !keepsScroll && !isFirst.current;
    isFirst.current = false;
    if (saved !== undefined) window.scrollTo(0, saved);
    else if (!scrollToTarget(location.hash) && resets) window.scrollTo(0, 0);
  }, [location, keepsScroll]);
  useEffect(() => followPositions(router, positions.current ?? {}), [router]);
}

function scrollToTarget(hash: string): boolean {
  try {
    const target = document.getElementById(decodeURIComponent(hash.slice(1)));
    target?.scrollIntoView();
    return target !== null;
  } catch {
    // Anyone can write a hash that cannot be decoded.
    return false;
  }
}

/** Saves where each screen is left, also for a reload. */
function followPositions(router: AppRouter, positions: Positions): () => void {
  let { location } = router.state;
  const save = () => {
    positions[location.key] = window.scrollY;
  };
  const stop = router.subscribe((state) => {
    if (state.location === location) return;
    save();
    location = state.location;
  });
  const leave = () => {
    save();
    writeStored(KEY, JSON.stringify(positions), 'sessionStorage');
    setRestoration('auto');
  };
  const show = () => setRestoration('manual');
  show();
  window.addEventListener('pagehide', leave);
  window.addEventListener('pageshow', show);
  return () => {
    stop();
    window.removeEventListener('pagehide', leave);
    window.removeEventListener('pageshow', show);
    setRestoration('auto');
  };
}

/** While the page is open, the browser would scroll before the screen is rendered. */
function setRestoration(restoration: ScrollRestoration): void {
  window.history.scrollRestoration = restoration;
}
