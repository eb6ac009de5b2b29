import { useIsPainted } from '#web/platform/use-painted.ts';

/** More than a phone shows at once. */
const FIRST = 4;

/**
 * The first items of a list, and all of them once these are on screen. `first` for a list that begins further down a
 * phone's screen.
 */
export function useFirstItems<Item>(items: readonly Item[], first = FIRST): readonly Item[] {
  return useIsPainted() ? items : items.slice(0, first);
}
