import { portalPages, ticketPages } from './paths.ts';

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

const USE_SECURITY_PAGE = 'Use the Password & Security page to reset your password when already signed in';
const savedOnDevice = { guard: 'signed-in', isReadableOffline: true, allowsOutsideScripts: true } as const;
const notFound: Page = { title: 'Page not found', guard: 'open', allowsOutsideScripts: true };

/** Every page of both hosts by path. */
export const pages: { [Each in Host]: Record<PagePath<Each>, Page> } = {
  tickets: {
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
    [ticketPages.notFound]: notFound,
  },
  portal: {
    [portalPages.home]: { title: null, guard: 'signed-in', allowsOutsideScripts: true },
    [portalPages.orders]: { ...savedOnDevice, title: 'My Orders', hasSnapshot: true },
    [portalPages.tripCards]: { ...savedOnDevice, title: 'Trip Cards', hasSnapshot: true },
    [portalPages.tripCardBalance]: { ...savedOnDevice, title: 'Trip Card Balance', hasSnapshot: true },
    [portalPages.tripCardTopUps]: { ...savedOnDevice, title: 'Trip Card Top-ups' },
    [portalPages.passes]: { title: 'Buy a pass', guard: 'signed-in' },
    [portalPages.paymentMethods]: { title: 'Payment Methods', guard: 'signed-in' },
    [portalPages.account]: { title: 'My Account', guard: 'signed-in' },
    [portalPages.security]: { title: 'Password & Security', guard: 'signed-in' },
    [portalPages.signIn]: { title: 'Sign in', guard: { signedOutOnly: 'You are already signed in' } },
    [portalPages.signUp]: {
      title: 'Create an account',
      guard: { signedOutOnly: 'You cannot signup when you are already signed in.' },
    },
    [portalPages.verifyAccount]: {
      title: 'Confirm your account',
      guard: { signedOutOnly: 'You cannot complete a new signup when you are already signed in' },
    },
    [portalPages.askForReset]: { title: 'Reset Password', guard: { signedOutOnly: USE_SECURITY_PAGE } },
    [portalPages.newPassword]: { title: 'Reset Password', guard: { signedOutOnly: USE_SECURITY_PAGE } },
    [portalPages.verifyMagicLink]: {
      title: 'Sign in',
      guard: { signedOutOnly: 'Cannot use a magic link when already signed in' },
    },
    [portalPages.verifyEmail]: { title: 'Confirm your new email address', guard: 'open' },
    [portalPages.undoEmail]: { title: 'Keep your old email address', guard: 'open' },
    [portalPages.signOut]: { title: 'Sign out', guard: 'open' },
    [portalPages.notFound]: notFound,
  },
};

/** The id of the template with the app's script, which a page that paints a snapshot inserts after the first frame. */
export const APP_SCRIPT = 'app-script';
/** The name of the `<meta>` with the version of the styles that snapshots need. */
export const SNAPSHOT_STYLES = 'snapshot-styles';

/** The page for an address; null if the host has none. */
export function findPage(host: Host, pathname: string): Page | null {
  const found = Object.entries<Page>(pages[host]).find(([path]) => matchesPath(path, pathname));
  return found?.[1] ?? null;
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
