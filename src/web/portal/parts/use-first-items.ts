import { startTransition, useEffect, useState } from 'react';

/** More than a phone shows at once. */
const FIRST = 4;

/**
 * The first items of a list, and all of them once these are on screen: the others render in slices, so that taps are
 * handled in between. `first` for a list that begins further down a phone's screen.
 */
export function useFirstItems<Item>(items: readonly Item[], first = FIRST): readonly Item[] {
  // Not a deferred value: when a deferred one renders the list, as with an answer, React skips the initial value.
  const [showsAll, setShowsAll] = useState(false);
  useEffect(() => startTransition(() => setShowsAll(true)), []);
  return showsAll ? items : items.slice(0, first);
}
