import { useSearchParams } from '#web/navigation/navigation.ts';

/** Whether the page is for a screen at the terminal: departures without header, footer and links. */
export function useIsDisplay(): boolean {
  return useSearchParams().has('display');
}
