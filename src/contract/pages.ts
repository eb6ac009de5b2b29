import { findPageIn, type Host, type Page, type PageTable } from './page.ts';
import { portalPageTable } from './portal-pages.ts';
import { ticketPageTable } from './ticket-pages.ts';

/** Every page of both hosts by path. A host's screens import only its own table. */
export const pages: { [Each in Host]: PageTable<Each> } = {
  tickets: ticketPageTable,
  portal: portalPageTable,
};

/** The page for an address; null if the host has none. */
export function findPage(host: Host, pathname: string): Page | null {
  return findPageIn(pages[host], pathname);
}
