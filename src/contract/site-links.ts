import { type Message, message } from '#messages/translate.ts';
import { ticketPages } from './paths.ts';
import { HELP_PATH, routePages } from './route-pages.ts';

type SiteLink = {
  path: string;
  label: Message;
  /** The app shows it, not the server alone. */
  isScreen: boolean;
};

export const SITE_LINKS_LABEL = message('Main menu');

/** The links in the header of the ticket host's pages. */
export const SITE_LINKS: readonly SiteLink[] = [
  { path: ticketPages.home, label: message('Book|a link'), isScreen: true },
  { path: ticketPages.departures, label: message('Departures'), isScreen: true },
  { path: routePages.all, label: message('Routes'), isScreen: false },
  { path: HELP_PATH, label: message('Help'), isScreen: false },
];
