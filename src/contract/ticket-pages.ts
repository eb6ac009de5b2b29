import { message } from '#messages/translate.ts';
import { NOT_FOUND_PAGE, type PageTable } from './page.ts';
import { ticketPages } from './paths.ts';

/** The pages of the ticket host. */
export const ticketPageTable: PageTable<'tickets'> = {
  [ticketPages.home]: {
    title: message('Purchase Tickets'),
    guard: 'open',
    isPrerendered: true,
    isReadableOffline: true,
    allowsOutsideScripts: true,
  },
  [ticketPages.newOrder]: { title: message('Purchase Tickets'), guard: 'open', allowsOutsideScripts: true },
  [ticketPages.confirmation]: {
    title: message('Order Confirmation'),
    guard: 'open',
    isReadableOffline: true,
  },
  [ticketPages.changeOrder]: { title: message('Change Order'), guard: 'open' },
  [ticketPages.departures]: { title: message('Departures'), guard: 'open', allowsOutsideScripts: true },
  [ticketPages.portDepartures]: {
    title: message('Departures'),
    guard: 'open',
    isReadableOffline: true,
    allowsOutsideScripts: true,
  },
  [ticketPages.sharedTickets]: { title: message('Your tickets'), guard: 'open', isReadableOffline: true },
  [ticketPages.notFound]: NOT_FOUND_PAGE,
};
