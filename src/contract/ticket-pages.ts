import { NOT_FOUND_PAGE, type PageTable } from './page.ts';
import { ticketPages } from './paths.ts';

/** The pages of the ticket host. */
export const ticketPageTable: PageTable<'tickets'> = {
  [ticketPages.home]: {
    title: 'Purchase Tickets',
    guard: 'open',
    isPrerendered: true,
    isReadableOffline: true,
    allowsOutsideScripts: true,
  },
  [ticketPages.newOrder]: { title: 'Purchase Tickets', guard: 'open', allowsOutsideScripts: true },
  [ticketPages.confirmation]: { title: 'Order Confirmation', guard: 'open', isReadableOffline: true },
  [ticketPages.changeOrder]: { title: 'Change Order', guard: 'open' },
  [ticketPages.departures]: { title: 'Departures', guard: 'open', allowsOutsideScripts: true },
  [ticketPages.portDepartures]: {
    title: 'Departures',
    guard: 'open',
    isReadableOffline: true,
    allowsOutsideScripts: true,
  },
  [ticketPages.sharedTickets]: { title: 'Your tickets', guard: 'open', isReadableOffline: true },
  [ticketPages.notFound]: NOT_FOUND_PAGE,
};
