import { type Message, message } from '#messages/translate.ts';
import type { Host } from './hosts.ts';
import type { portalPages, staffPages, ticketPages } from './paths.ts';

/** Who may open a page. Signed-in customers who open a `signedOutOnly` page are redirected and see its text there. */
export type Guard = 'open' | 'signed-in' | { signedOutOnly: Message };

/** Properties of one page. All default to false, so a page is private unless its entry says otherwise. */
export type Page = {
  /** Shown beside the brand's name; null if the page only redirects. */
  title: Message | null;
  guard: Guard;
  /** The server renders its content into the HTML. */
  isPrerendered?: true;
  /** Its data is saved on the device, so it opens without a connection. */
  isReadableOffline?: true;
  /** A snapshot of it is painted before the app runs. */
  hasSnapshot?: true;
  /**
   * Third-party scripts (tag manager, session recording) may run: the address grants no access and no secret is typed.
   */
  allowsOutsideScripts?: true;
};

type PathOf<Paths> = Paths[keyof Paths] & string;
/** The paths of each host by name; a host without an entry does not compile. */
type HostPaths = { tickets: typeof ticketPages; portal: typeof portalPages; staff: typeof staffPages };
export type PagePath<Of extends Host> = PathOf<HostPaths[Of]>;

/** The pages of a host by path. */
export type PageTable<Of extends Host> = Record<PagePath<Of>, Page>;

export const NOT_FOUND_PAGE: Page = {
  title: message('Page not found'),
  guard: 'open',
  allowsOutsideScripts: true,
};

/** The page for an address; null if the host has none. */
export function findPageIn(table: Readonly<Record<string, Page>>, pathname: string): Page | null {
  const match = Object.entries(table).find(([path]) => matchesPath(path, pathname));
  return match?.[1] ?? null;
}

/** Whether an address matches a path such as `/orders/{id}/confirmation`, with or without a trailing slash. */
export function matchesPath(path: string, pathname: string): boolean {
  const expected = path.split('/');
  const given = pathname.replace(/(.)\/$/, '$1').split('/');
  return (
    expected.length === given.length &&
    expected.every((part, at) => (part.startsWith('{') ? given[at] !== '' : part === given[at]))
  );
}
