import { useDeferredValue } from 'react';

/** More than a phone shows at once. */
const FIRST = 4;

/**
 * The first items of a list, and all of them right after: the others render in slices, so that taps are handled in
 * between.
 */
export function useFirstItems<Item>(items: readonly Item[]): readonly Item[] {
  return items.slice(0, useDeferredValue(items.length, FIRST));
}
