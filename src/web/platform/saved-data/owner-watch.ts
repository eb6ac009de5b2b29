import { portalPages } from '#contract/paths.ts';
import { readStored, writeStored } from '../browser-storage.ts';
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
  /** The same customer goes on under another token. */
  onRenewed: (owner: Owner) => void;
  /** Nothing more is written or shown; `isElsewhere` when another tab ended it, and wipes. */
  onEnded: (end: { isElsewhere: boolean }) => void;
  /** Loads a page in this one's place. */
  replacePage?: (url: string) => void;
};

/**
 * Follows who is signed in: what this tab does itself, and what others did while this one slept or lay in the browser's
 * cache of pages. Answers how to stop.
 */
export function watchOwner(changes: OwnerChanges): () => void {
  const { onBegun, onRenewed, onEnded, replacePage = (url) => window.location.replace(url) } = changes;
  let owner: Owner | null = null;
  let isElsewhere = false;

  function begin(): void {
    const token = readToken();
    if (owner !== null || token === null) return;
    owner = { token, epoch: ownerEpoch() };
    onBegun(owner);
  }

  function end(): void {
    owner = null;
    onEnded({ isElsewhere });
  }

  function goOn(token: string): void {
    if (owner === null) return;
    owner = { ...owner, token };
    onRenewed(owner);
  }

  /** What other tabs and the other host did shows in the cookie and the epoch. */
  function look(): void {
    if (owner === null) begin();
    else if (!isStillOwner(owner)) follow(owner);
  }

  function follow(last: Owner): void {
    const token = readToken();
    const isSameEpoch = ownerEpoch() === last.epoch;
    if (isSameEpoch && token !== null && readStored(RENEWED_KEY) === mark(token)) {
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
      writeStored(RENEWED_KEY, mark(token));
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

/** FNV-1a: enough to tell two tokens apart, and nothing to find one by. */
function mark(token: string): string {
  let hash = 0x811c9dc5;
  for (const character of token) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return (hash >>> 0).toString(16);
}
