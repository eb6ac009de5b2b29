import type { portalPages, ticketPages } from './paths.ts';

export type Host = 'tickets' | 'portal';

/** Who may open a page. Signed-in customers who open a `signedOutOnly` page are redirected and see its text there. */
export type Guard = 'open' | 'signed-in' | { signedOutOnly: string };

/** Properties of one page. All default to false, so a page is private unless its entry says otherwise. */
export type Page = {
  /** Shown beside the brand's name; null if the page only redirects. */
  title: string | null;
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
export type PagePath<Of extends Host> = PathOf<
  Of extends 'tickets' ? typeof ticketPages : typeof portalPages
>;

/** The pages of a host by path. */
export type PageTable<Of extends Host> = Record<PagePath<Of>, Page>;

export const NOT_FOUND_PAGE: Page = { title: 'Page not found', guard: 'open', allowsOutsideScripts: true };

/** The id of the template with the app's script, which a page that paints a snapshot inserts after the first frame. */
export const APP_SCRIPT = 'app-script';
/** The id of the template with the first-paint script, which start-check.ts inserts. */
export const FIRST_PAINT_SCRIPT = 'first-paint-script';
/** The name of the `<meta>` with the version of the styles that snapshots need. */
export const SNAPSHOT_STYLES = 'snapshot-styles';

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
