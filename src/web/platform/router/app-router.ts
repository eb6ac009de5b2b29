import type { QueryClient } from '@tanstack/react-query';
import {
  createBrowserRouter,
  type DataRouter,
  matchRoutes,
  type RouteObject,
  RouterContextProvider,
} from 'react-router';
import { carryOverNotifications } from '../notifications/carry-over.ts';
import { clearDisplayedNotifications, displayedNotifications } from '../notifications/notifications.ts';
import { setNavigate } from './navigation.ts';
import { queryClientContext, screenHandle } from './screen.ts';

type LoaderData = Record<string, unknown>;

/**
 * Creates the router of the page's address.
 * @param loaderData of `loadScreens`, if the page is prerendered: its screen is not entered again
 */
export function createAppRouter(
  routes: RouteObject[],
  client: QueryClient,
  loaderData?: LoaderData,
): DataRouter {
  nameHistoryEntry();
  return createBrowserRouter(routes, {
    getContext: () => routerContext(client),
    ...(loaderData && { hydrationData: { loaderData } }),
  });
}

/** Without a key of its own, each freshly opened page of a tab would be scrolled to where the one before was left. */
function nameHistoryEntry(): void {
  const { state } = window.history;
  if (state?.key) return;
  window.history.replaceState({ ...state, key: Math.random().toString(36).slice(2, 10) }, '');
}

/** What loaders get, in the browser and in tests. */
export function routerContext(client: QueryClient): RouterContextProvider {
  return new RouterContextProvider(new Map([[queryClientContext, client]]));
}

/**
 * Loads the screens of a path into its routes, so that they can render at once.
 * @returns the data of their loaders, so that these do not count as pending
 */
export async function loadScreens(routes: RouteObject[], pathname: string): Promise<LoaderData> {
  const loaderData: LoaderData = {};
  for (const { route } of matchRoutes(routes, pathname) ?? []) {
    const lazy = screenHandle(route.handle)?.lazy;
    if (lazy) {
      route.Component = await lazy();
      delete route.lazy;
    }
    if (route.id) loaderData[route.id] = null;
  }
  return loaderData;
}

/** Resolves when the first screen can be rendered. */
export function whenReady(router: DataRouter): Promise<void> {
  if (router.state.initialized) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return;
      stop();
      resolve();
    });
  });
}

/**
 * Clears notifications with the screen that showed them. Those added during a navigation, for example by a guard,
 * belong to the next screen.
 */
export function attachRouter(router: DataRouter): void {
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
