import { useDeferredValue } from 'react';

/** More than a phone shows at once. */
const FIRST = 4;

/**
 * The first items of a list, and all of them right after: the others render in slices, so that taps are handled in
 * between. `first` for a list that begins further down a phone's screen.
 */
export function useFirstItems<Item>(items: readonly Item[], first = FIRST): readonly Item[] {
  return items.slice(0, useDeferredValue(items.length, first));
}
