import { portalPages } from '#contract/paths.ts';
import { readStored, writeStored } from '../browser-storage.ts';
import { markOf } from '../mark.ts';
import { pageConfig } from '../page-config.ts';
import { adoptSession, onNewToken, ownerEpoch } from '../session/ownership.ts';
import { isOpenPage, onSessionCleared, readToken, sessionStore } from '../session/session.ts';

/** Whose data this tab holds. */
export type Owner = { token: string; epoch: string | null };

/** The token that a session of this epoch goes on under, as a number that does not tell it. */
const RENEWED_KEY = 'owner-token';

/** Nobody else's token is there, and nobody has signed out since, in this tab or any other. */
export function isStillOwner({ token, epoch }: Owner): boolean {
  return readToken() === token && ownerEpoch() === epoch;
}

export type OwnerChanges = {
  /** Somebody is signed in whose data is to be kept. */
  onBegun: (owner: Owner) => void;
  /** The same customer goes on, under another token or in a browser that threw everything away. */
  onRenewed: (owner: Owner) => void;
  /** Nothing more is written or shown; `isElsewhere` when another tab ended it, and wipes. A promise is waited for. */
  onEnded: (end: { isElsewhere: boolean }) => unknown;
  /** Whether the browser still has what it kept for the owner. */
  isIntact?: () => boolean;
  /** Loads a page in this one's place. */
  replacePage?: (url: string) => void;
};

/**
 * Follows who is signed in: what this tab does itself, and what others did while this one slept or lay in the browser's
 * cache of pages. Answers how to stop.
 */
export function watchOwner(changes: OwnerChanges): () => void {
  const { onBegun, onRenewed, onEnded, isIntact = () => true } = changes;
  const { replacePage = (url) => window.location.replace(url) } = changes;
  let owner: Owner | null = null;
  let isElsewhere = false;

  function begin(): void {
    const token = readToken();
    if (owner !== null || token === null) return;
    owner = { token, epoch: ownerEpoch() };
    onBegun(owner);
  }

  function end(): unknown {
    owner = null;
    return onEnded({ isElsewhere });
  }

  function goOn(token: string): void {
    if (owner === null) return;
    owner = { token, epoch: ownerEpoch() };
    onRenewed(owner);
  }

  /** What other tabs and the other host did shows in the cookie and the epoch. */
  function look(): void {
    if (owner === null) begin();
    else if (!isStillOwner(owner)) follow(owner);
    else if (!isIntact()) goOn(owner.token);
  }

  function follow(last: Owner): void {
    const token = readToken();
    const epoch = ownerEpoch();
    const isSameEpoch = epoch === last.epoch;
    const isRenewed = isSameEpoch && token !== null && readStored(RENEWED_KEY) === markOf(token);
    // Whoever ends a session leaves another epoch: none at all is a browser that threw everything away.
    const isCleared = epoch === null && token === last.token;
    if (token !== null && (isRenewed || isCleared)) {
      goOn(token);
      return;
    }
    isElsewhere = token !== null || !isSameEpoch;
    adoptSession();
    isElsewhere = false;
    const page = nextPage(token);
    if (page !== null) replacePage(page);
  }

  const stops = [
    onSessionCleared(end),
    sessionStore.subscribe(() => {
      if (sessionStore.get().isAuthenticated) begin();
    }),
    onNewToken((token) => {
      writeStored(RENEWED_KEY, markOf(token));
      goOn(token);
    }),
  ];
  const endings = new AbortController();
  const { signal } = endings;
  const lookWhenVisible = () => {
    if (document.visibilityState === 'visible') look();
  };
  window.addEventListener('storage', ({ key }) => key === 'owner-epoch' && look(), { signal });
  window.addEventListener('pageshow', ({ persisted }) => persisted && look(), { signal });
  window.addEventListener('focus', look, { signal });
  document.addEventListener('visibilitychange', lookWhenVisible, { signal });
  begin();
  return () => {
    endings.abort();
    for (const stop of stops) stop();
  };
}

/**
 * The whole document goes, and with it all that was read for the last owner; whoever is next begins at their orders,
 * because the address may name one of the last. Null: this page is for anybody.
 */
function nextPage(token: string | null): string | null {
  const { host, origins } = pageConfig();
  const { href, pathname } = window.location;
  if (token !== null) return host === 'portal' ? origins.portal + portalPages.orders : href;
  return host === 'portal' && !isOpenPage(pathname) ? origins.portal + portalPages.signIn : null;
}
