import { portalPages } from '#contract/paths.ts';
import { pageConfig } from '../page-config.ts';
import {
  adoptSession,
  isOpenPage,
  isSignInRequired,
  onSessionCleared,
  ownerEpoch,
  ownerSecret,
  sessionStore,
} from '../session/session.ts';
import { whenNoPaymentPending } from '../updates/busy.ts';

/** The owner of the data in this tab. */
export type Owner = { secret: string; epoch: string | null };

/** False after a sign-out or another sign-in, in any tab. */
export function isStillOwner({ secret, epoch }: Owner): boolean {
  return ownerSecret() === secret && ownerEpoch() === epoch;
}

export type OwnerListeners = {
  /** A customer is signed in whose data is to be saved. */
  onStart: (owner: Owner) => void;
  /** The browser deleted its data, but the same customer is still signed in. */
  onStorageCleared: (owner: Owner) => void;
  /**
   * Stop writing and showing data. `isElsewhere`: another tab ended the session and wipes. A returned promise is
   * awaited.
   */
  onEnd: (end: { isElsewhere: boolean }) => unknown;
  /** Whether the owner's stored data is still there. */
  isIntact?: () => boolean;
  /** Replaces this page; null reloads it. */
  replacePage?: (url: string | null) => void;
};

/**
 * Watches who is signed in: changes in this tab, and those of other tabs while this one was frozen or in the
 * back/forward cache. Returns a function that stops it.
 */
export function watchOwner(changes: OwnerListeners): () => void {
  const { onStart, onStorageCleared, onEnd, isIntact = () => true } = changes;
  const { replacePage = loadInPlace } = changes;
  let owner: Owner | null = null;
  let isElsewhere = false;

  function startOwner(): void {
    const secret = ownerSecret();
    if (owner !== null || secret === null) return;
    owner = { secret, epoch: ownerEpoch() };
    onStart(owner);
  }

  function end(): unknown {
    owner = null;
    return onEnd({ isElsewhere });
  }

  function restoreStorage({ secret }: Owner): void {
    owner = { secret, epoch: ownerEpoch() };
    onStorageCleared(owner);
  }

  /** Changes by other tabs and the other host show in the cookie and the epoch. */
  function checkOwner(): void {
    if (owner === null) startOwner();
    else if (!isStillOwner(owner)) switchOwner(owner);
    else if (!isIntact()) restoreStorage(owner);
  }

  function switchOwner(last: Owner): void {
    const secret = ownerSecret();
    const epoch = ownerEpoch();
    // A sign-out sets a new epoch. None at all means that the browser deleted its data.
    if (epoch === null && secret === last.secret) {
      restoreStorage(last);
      return;
    }
    isElsewhere = secret !== null || epoch !== last.epoch;
    adoptSession();
    isElsewhere = false;
    replaceDocument(secret !== null);
  }

  /**
   * Replaces the document with all its data. The portal starts the next customer at My Orders, because the address
   * may name an order of the last one. Public pages reload.
   */
  function replaceDocument(isOtherCustomer: boolean): void {
    const { origins } = pageConfig();
    if (!isSignInRequired()) whenNoPaymentPending(() => replacePage(null));
    else if (isOtherCustomer) replacePage(origins.portal + portalPages.orders);
    else if (!isOpenPage(window.location.pathname)) replacePage(origins.portal + portalPages.signIn);
  }

  const stops = [
    onSessionCleared(end),
    sessionStore.subscribe(() => {
      if (sessionStore.get().isAuthenticated) startOwner();
    }),
  ];
  const endings = new AbortController();
  const { signal } = endings;
  const checkWhenVisible = () => {
    if (document.visibilityState === 'visible') checkOwner();
  };
  window.addEventListener('storage', ({ key }) => key === 'owner-epoch' && checkOwner(), { signal });
  window.addEventListener('pageshow', ({ persisted }) => persisted && checkOwner(), { signal });
  window.addEventListener('focus', checkOwner, { signal });
  document.addEventListener('visibilitychange', checkWhenVisible, { signal });
  startOwner();
  return () => {
    endings.abort();
    for (const stop of stops) stop();
  };
}

/** Replacing an address by itself would only scroll to its anchor. */
function loadInPlace(url: string | null): void {
  if (url === null) window.location.reload();
  else window.location.replace(url);
}
