import { useSyncExternalStore } from 'react';

/** The width from which styles put a summary beside the content. */
const WIDE = '(min-width: 64rem)';

/** For content that only wide screens show. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => window.matchMedia(WIDE).matches,
    () => false,
  );
}

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(WIDE);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
