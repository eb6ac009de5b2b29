import { useSearchParams } from 'react-router';

/** Whether the page is for a screen at the terminal: departures without header, footer and links. */
export function useIsDisplay(): boolean {
  return useSearchParams()[0].has('display');
}
