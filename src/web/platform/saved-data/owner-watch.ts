import { portalPages } from '#contract/paths.ts';
import { pageConfig } from '../page-config.ts';
import { adoptSession, ownerEpoch } from '../session/ownership.ts';
import { isOpenPage, onSessionCleared, ownerSecret, sessionStore } from '../session/session.ts';
import { whenNoPaymentPending } from '../updates/busy.ts';

/** Whose data this tab holds. */
export type Owner = { secret: string; epoch: string | null };

/** Nobody else's session is there, and nobody has signed out since, in this tab or any other. */
export function isStillOwner({ secret, epoch }: Owner): boolean {
  return ownerSecret() === secret && ownerEpoch() === epoch;
}

export type OwnerChanges = {
  /** Somebody is signed in whose data is to be kept. */
  onBegun: (owner: Owner) => void;
  /** The same customer goes on in a browser that threw everything away. */
  onEmptied: (owner: Owner) => void;
  /** Nothing more is written or shown; `isElsewhere` when another tab ended it, and wipes. A promise is waited for. */
  onEnded: (end: { isElsewhere: boolean }) => unknown;
  /** Whether the browser still has what it kept for the owner. */
  isIntact?: () => boolean;
  /** Loads a page in this one's place; null: the same one. */
  replacePage?: (url: string | null) => void;
};

/**
 * Follows who is signed in: what this tab does itself, and what others did while this one slept or lay in the browser's
 * cache of pages. Answers how to stop.
 */
export function watchOwner(changes: OwnerChanges): () => void {
  const { onBegun, onEmptied, onEnded, isIntact = () => true } = changes;
  const { replacePage = loadInPlace } = changes;
  let owner: Owner | null = null;
  let isElsewhere = false;

  function begin(): void {
    const secret = ownerSecret();
    if (owner !== null || secret === null) return;
    owner = { secret, epoch: ownerEpoch() };
    onBegun(owner);
  }

  function end(): unknown {
    owner = null;
    return onEnded({ isElsewhere });
  }

  function goOn({ secret }: Owner): void {
    owner = { secret, epoch: ownerEpoch() };
    onEmptied(owner);
  }

  /** What other tabs and the other host did shows in the cookie and the epoch. */
  function look(): void {
    if (owner === null) begin();
    else if (!isStillOwner(owner)) follow(owner);
    else if (!isIntact()) goOn(owner);
  }

  function follow(last: Owner): void {
    const secret = ownerSecret();
    const epoch = ownerEpoch();
    // Whoever ends a session leaves another epoch: none at all is a browser that threw everything away.
    if (epoch === null && secret === last.secret) {
      goOn(last);
      return;
    }
    isElsewhere = secret !== null || epoch !== last.epoch;
    adoptSession();
    isElsewhere = false;
    leave(secret !== null);
  }

  /**
   * The whole document goes, and with it all that was read for the last owner. In the portal whoever is next begins at
   * their orders, because the address may name one of the last; of what anybody may open, everybody sees another view.
   */
  function leave(isSomebodyElse: boolean): void {
    const { host, origins } = pageConfig();
    if (host === 'tickets') whenNoPaymentPending(() => replacePage(null));
    else if (isSomebodyElse) replacePage(origins.portal + portalPages.orders);
    else if (!isOpenPage(window.location.pathname)) replacePage(origins.portal + portalPages.signIn);
  }

  const stops = [
    onSessionCleared(end),
    sessionStore.subscribe(() => {
      if (sessionStore.get().isAuthenticated) begin();
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

/** Replacing an address by itself would go to its anchor only. */
function loadInPlace(url: string | null): void {
  if (url === null) window.location.reload();
  else window.location.replace(url);
}
