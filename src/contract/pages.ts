import type { Host } from './hosts.ts';
import { findPageIn, type Page, type PageTable } from './page.ts';
import { portalPageTable } from './portal-pages.ts';
import { staffPageTable } from './staff-pages.ts';
import { ticketPageTable } from './ticket-pages.ts';

/** Every page of each host by path. A host's screens import only its own table. */
export const pages: { [Each in Host]: PageTable<Each> } = {
  tickets: ticketPageTable,
  portal: portalPageTable,
  staff: staffPageTable,
};

/** The page for an address; null if the host has none. */
export function findPage(host: Host, pathname: string): Page | null {
  return findPageIn(pages[host], pathname);
}

/** Whether the host paints snapshots of pages before the app runs. */
export function hasSnapshots(host: Host): boolean {
  return Object.values<Page>(pages[host]).some(({ hasSnapshot }) => hasSnapshot);
}
