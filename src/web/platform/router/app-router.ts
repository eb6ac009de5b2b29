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
import { queryClientContext, type ScreenHandle } from './screen.ts';

export type AppRouter = ReturnType<typeof createBrowserRouter>;

/** `takesOverMarkup`: the page is prerendered, so its screen must be loaded before React starts. */
export async function createAppRouter(
  routes: RouteObject[],
  client: QueryClient,
  { takesOverMarkup }: { takesOverMarkup: boolean },
): Promise<AppRouter> {
  const options = { getContext: () => routerContext(client) };
  const router = createBrowserRouter(
    routes,
    takesOverMarkup
      ? { ...options, hydrationData: { loaderData: await loadScreens(routes, window.location.pathname) } }
      : options,
  );
  attachRouter(router);
  return router;
}

/**
 * Loads the screens of a path into its routes, so that they can render at once.
 * @returns data for each route's loader; without it the loaders would count as pending
 */
export async function loadScreens(routes: RouteObject[], pathname: string): Promise<Record<string, null>> {
  const ids = await Promise.all((matchRoutes(routes, pathname) ?? []).map(({ route }) => loadScreen(route)));
  return Object.fromEntries(ids.filter((id) => id !== undefined).map((id) => [id, null]));
}

/** Resolves when the first screen can be rendered. */
export function whenReady(router: AppRouter): Promise<void> {
  if (router.state.initialized) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return;
      stop();
      resolve();
    });
  });
}

export function routerContext(client: QueryClient): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(queryClientContext, client);
  return context;
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
  setNavigate((to, options) => void router.navigate(to, options));
}

/** Preloads the chunk and data of the screen that a link leads to. */
export function preloadScreen(routes: RouteObject[], href: string, client: QueryClient): void {
  const url = new URL(href, window.location.href);
  for (const { route, params } of matchRoutes(routes, url.pathname) ?? []) {
    const handle = screenHandle(route.handle);
    // The navigation itself reports the failure.
    void handle?.lazy?.().catch(() => undefined);
    handle?.preload?.({ params, url, client });
  }
}

export function screenHandle(handle: unknown): ScreenHandle | null {
  return typeof handle === 'object' && handle !== null && 'name' in handle ? (handle as ScreenHandle) : null;
}

async function loadScreen(route: RouteObject): Promise<string | undefined> {
  const lazy = screenHandle(route.handle)?.lazy;
  if (lazy) {
    route.Component = await lazy();
    delete route.lazy;
  }
  return route.id;
}
