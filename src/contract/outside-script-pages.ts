import { portalPages, ticketPages } from './paths.ts';

/**
 * The pages on which scripts of others (tag manager, session recording) may run: their address opens nothing and no
 * secret is typed on them. Every other page is private, one that is new included.
 */
export const outsideScriptPages = {
  tickets: [ticketPages.home, ticketPages.newOrder, ticketPages.notFound],
  portal: [
    portalPages.home,
    portalPages.orders,
    portalPages.tripCards,
    portalPages.tripCardBalance,
    portalPages.tripCardTopUps,
    portalPages.notFound,
  ],
} as const satisfies Record<string, readonly string[]>;
