import type { QueryClient } from '@tanstack/react-query';
import { createPath, type Location, matchRoutes, type Params, parsePath, resolvePath } from 'react-router';
import type { HistoryAction, Navigator } from '#web/navigation/navigation.ts';
import type { Route } from '#web/navigation/screens.tsx';
import { carryOverNotifications } from '../notifications/carry-over.ts';
import { clearDisplayedNotifications, displayedNotifications } from '../notifications/notifications.ts';
import { pendingRequests } from '../pending-requests.ts';
import { createBrowserHistory, createLocation, type History } from './history.ts';
import { setNavigate } from './navigation.ts';
import { loadScreen, type Redirect, type RedirectHandle, type ScreenHandle } from './screen.ts';

export type RouterState = {
  location: Location;
  historyAction: HistoryAction;
  /** `loading` until the next screen is loaded; the current one stays meanwhile. */
  navigation: { state: 'idle' | 'loading' };
  isInitialized: boolean;
  /** Why the location has no screen. */
  failure: { error: unknown } | null;
  keepsScroll: boolean;
};
export type AppRouter = Navigator & {
  readonly routes: Route[];
  readonly history: History;
  readonly state: RouterState;
  subscribe(listener: (state: RouterState) => void): () => void;
};
type RouterOptions = {
  history?: History;
  /** The first screen has been loaded by `loadScreens`, and its page is prerendered: it is not entered again. */
  isLoaded?: boolean;
  /** The path of a link on the screen of the address. The router opens it and does not enter that screen. */
  startAt?: string | null;
};
type Pending = { location: Location; action: HistoryAction; keepsScroll: boolean };

/**
 * Shows the screen of the address. A navigation enters and loads its screen before it changes the address and
 * `state.location`; a later navigation cancels it.
 */
export function createAppRouter(
  table: Route[],
  client: QueryClient,
  { history = createBrowserHistory(), isLoaded = false, startAt = null }: RouterOptions = {},
): AppRouter {
  const routes = copyRoutes(table);
  const listeners = new Set<(state: RouterState) => void>();
  let current = new AbortController();
  let state: RouterState = {
    location: history.location,
    historyAction: 'POP',
    navigation: { state: 'idle' },
    isInitialized: isLoaded,
    failure: null,
    keepsScroll: false,
  };
  const update = (change: Partial<RouterState>) => {
    state = { ...state, ...change };
    for (const listener of [...listeners]) listener(state);
  };

  const complete = ({ location, action, keepsScroll }: Pending, failure: RouterState['failure']) => {
    if (action === 'PUSH') history.push(location);
    if (action === 'REPLACE') history.replace(location);
    const navigation = { state: 'idle' } as const;
    update({ location, historyAction: action, navigation, isInitialized: true, failure, keepsScroll });
  };

  const start = async (pending: Pending): Promise<void> => {
    current.abort();
    current = new AbortController();
    const { signal } = current;
    if (state.isInitialized && isSameScreen(state.location, pending.location)) {
      return complete(pending, state.failure);
    }
    const match = findMatches(routes, pending.location).at(-1);
    if (!match || !needsLoading(match.route)) return complete(pending, null);
    update({ navigation: { state: 'loading' } });
    pendingRequests.set((count) => count + 1);
    try {
      const url = new URL(createPath(pending.location), window.location.origin);
      const redirect = await enterScreen(match.route, { params: match.params, url, client, signal });
      if (signal.aborted) return;
      if (redirect === null) return complete(pending, null);
      // The history already contains an entry that the customer goes back to.
      const action = pending.action === 'PUSH' ? 'PUSH' : 'REPLACE';
      if (redirect.inNewDocument) {
        window.location[action === 'PUSH' ? 'assign' : 'replace'](redirect.redirectTo);
        return;
      }
      await start({ ...pending, location: createLocation(parsePath(redirect.redirectTo)), action });
    } catch (error) {
      if (!signal.aborted) complete(pending, { error });
    } finally {
      pendingRequests.set((count) => count - 1);
    }
  };

  const pop = (location: Location) => start({ location, action: 'POP', keepsScroll: false });
  let popped = Promise.resolve();
  history.listen((location) => {
    popped = pop(location);
  });
  const navigate: AppRouter['navigate'] = (to, options = {}) => {
    const { replace = false, state: usr, preventScrollReset = false } = options;
    if (typeof to === 'number') {
      history.go(to);
      return popped;
    }
    return start({
      location: createLocation(resolvePath(to, state.location.pathname), usr),
      action: replace ? 'REPLACE' : 'PUSH',
      keepsScroll: preventScrollReset,
    });
  };
  if (startAt) void navigate(startAt);
  else if (!isLoaded) void pop(history.location);
  return {
    routes,
    history,
    get state() {
      return state;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    navigate,
  };
}

type Match = { route: Route; params: Readonly<Params> };

const found = new WeakMap<Route[], Map<string, readonly Match[]>>();

/** The routes of a path, outermost first. They are kept, because react-router ranks all routes for each path. */
export function findMatches(routes: Route[], { pathname }: Pick<Location, 'pathname'>): readonly Match[] {
  const known = found.get(routes) ?? new Map<string, readonly Match[]>();
  found.set(routes, known);
  const matches = known.get(pathname) ?? matchRoutes(routes, pathname) ?? [];
  known.set(pathname, matches);
  return matches;
}

/** Loads the screens of a path into its routes, so that they can render at once. */
export async function loadScreens(routes: Route[], pathname: string): Promise<void> {
  await Promise.all(findMatches(routes, { pathname }).map(({ route }) => loadInto(route)));
}

/** Resolves when the first screen can be rendered. */
export function whenReady(router: AppRouter): Promise<void> {
  if (router.state.isInitialized) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = router.subscribe(({ isInitialized }) => {
      if (!isInitialized) return;
      stop();
      resolve();
    });
  });
}

/**
 * Clears notifications with the screen that showed them. Those added during a navigation, for example by a guard,
 * belong to the next screen.
 */
export function attachRouter(router: AppRouter): void {
  let { key } = router.state.location;
  let shownBefore: ReadonlySet<string> | undefined;
  carryOverNotifications(() => shownBefore ?? displayedNotifications());
  router.subscribe(({ location, navigation }) => {
    if (navigation.state !== 'idle') {
      shownBefore ??= displayedNotifications();
      return;
    }
    if (location.key !== key) clearDisplayedNotifications(shownBefore);
    key = location.key;
    shownBefore = undefined;
  });
  setNavigate((to) => void router.navigate(to));
}

/** Preloads the chunk and data of the screen that a link leads to. */
export function preloadScreen(routes: Route[], href: string, client: QueryClient): void {
  const url = new URL(href, window.location.href);
  for (const { route, params } of findMatches(routes, url)) {
    const handle = screenHandle(route.handle);
    // The navigation itself reports the failure.
    void handle?.lazy?.().catch(() => undefined);
    handle?.preload?.({ params, url, client });
  }
}

export function screenHandle(handle: unknown): ScreenHandle | null {
  return typeof handle === 'object' && handle !== null && 'name' in handle ? (handle as ScreenHandle) : null;
}

/** Only the hash differs, as after a click on a link within the page. */
function isSameScreen(from: Location, to: Location): boolean {
  return from.pathname === to.pathname && from.search === to.search && from.hash !== to.hash;
}

function needsLoading({ handle }: Route): boolean {
  return handle !== undefined && ('redirectTo' in handle || Boolean(handle.enter || handle.lazy));
}

async function enterScreen(
  route: Route,
  args: Parameters<NonNullable<ScreenHandle['enter']>>[0],
): Promise<Redirect | null> {
  const handle: ScreenHandle | RedirectHandle = route.handle;
  if ('redirectTo' in handle) return handle;
  const loaded = loadInto(route);
  // A redirect does not need the chunk.
  loaded.catch(() => undefined);
  const redirect = await handle.enter?.(args);
  if (redirect) return redirect;
  await loaded;
  return null;
}

async function loadInto(route: Route): Promise<void> {
  const lazy = screenHandle(route.handle)?.lazy;
  if (lazy && !route.Component) route.Component = await loadScreen(lazy);
}

/** Each router loads its screens into separate routes. */
function copyRoutes(routes: Route[]): Route[] {
  return routes.map((route) =>
    route.children ? { ...route, children: copyRoutes(route.children) } : { ...route },
  );
}
