import { useLocation } from 'react-router';
import { ticketPages } from '#contract/paths.ts';

/** Whether the page is for a screen at the terminal: departures without header, footer and links. */
export function useIsDisplay(): boolean {
  const { pathname, search } = useLocation();
  return (
    search !== '' && pathname.startsWith(ticketPages.departures) && new URLSearchParams(search).has('display')
  );
}
