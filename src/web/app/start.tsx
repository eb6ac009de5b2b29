import type { QueryClient } from '@tanstack/react-query';
import { type ReactElement, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { parsePath } from 'react-router';
import { unstable_forceFrameRate as setFrameRate } from 'scheduler';
import type { Route } from '#web/navigation/screens.tsx';
import { attachAccount, checkSession } from '#web/platform/account/ping.ts';
import { profileTexts } from '#web/platform/account/profile.ts';
import { nextTask, postponeIdleWork, whenIdle } from '#web/platform/next-task.ts';
import { findPageData } from '#web/platform/page-config.ts';
import { attachQueryClient, createQueryClient } from '#web/platform/query/query-client.ts';
import { startReporting } from '#web/platform/reporting/start-reporting.ts';
import {
  type AppRouter,
  attachRouter,
  createAppRouter,
  loadScreens,
  preloadScreen,
  whenReady,
} from '#web/platform/router/app-router.ts';
import type { OpenSavedData } from '#web/platform/saved-data/account-data.ts';
import { findFirstPaintResult } from '#web/platform/session/first-paint-result.ts';
import { readSavedSettings } from '#web/platform/settings/settings.ts';
import { App } from './app.tsx';
import { withRoot } from './root.tsx';

type HostOptions = {
  openSavedData?: OpenSavedData;
  /** Wraps the app in the host's context. */
  provide?: (app: ReactElement) => ReactElement;
};

/**
 * React renders transitions in slices of 33 ms, one thirtieth of a second, instead of 5. Between two slices the browser
 * paints and handles other tasks, which took a slow phone longer than the slices themselves.
 */
const SLICES_PER_SECOND = 30;

/** Renders a host's screens, or hydrates the prerendered one. */
export async function start(
  hostRoutes: Route[],
  { openSavedData, provide = (app) => app }: HostOptions,
): Promise<void> {
  const container = document.getElementById('root');
  if (container === null) throw new Error('The page has no place for the app.');
  setFrameRate(SLICES_PER_SECOND);
  const client = createQueryClient();
  attachQueryClient(client);
  attachAccount();
  const saved = openSavedData?.(client);
  const routes = withRoot(hostRoutes);
  const isPainted = () => container.childElementCount > 0;
  const takesOverMarkup = findPageData() !== null && window.location.pathname === '/' && isPainted();
  // Prerendered markup was made with the current settings.
  if (!takesOverMarkup) readSavedSettings();
  await nextTask();
  if (takesOverMarkup) await loadScreens(routes, window.location.pathname);
  const pressed = findFirstPaintResult().takePressedLink?.() ?? null;
  // A screen that is not loaded yet follows the one of the address.
  const startAt = pressed && (await isScreenLoaded(pressed, routes)) ? pressed : null;
  const router = createAppRouter(routes, client, { isLoaded: takesOverMarkup, startAt });
  attachRouter(router);
  await whenReady(router);
  await nextTask();
  // A painted snapshot, which a slow phone may paint as late as now, stays until the saved data behind it is restored.
  // Nothing else waits for that.
  if (isPainted() && saved) {
    postponeIdleWork();
    await saved.restored;
  }
  // The customer may have scrolled the snapshot.
  if (startAt) window.scrollTo(0, 0);
  else if (pressed) void router.navigate(pressed);
  const app = provide(<App client={client} router={router} isRestoring={saved?.isRestoring} />);
  // Loaded apart, because translators start after the page has loaded.
  void import('#web/platform/translated-page.ts').then(
    ({ supportTranslators }) => supportTranslators(),
    () => undefined,
  );
  // As a transition it renders in slices, so that taps and scrolling are handled in between.
  startTransition(() => {
    if (takesOverMarkup) hydrateRoot(container, app);
    else createRoot(container).render(app);
  });
  // The loader that pings on every navigation does not run for a prerendered screen.
  if (takesOverMarkup) void checkSession();
  installLinkPreloading(router, client);
  whenIdle(() => {
    startReporting(profileTexts);
    void import('./late-start.ts').then(
      ({ startLate }) => startLate(router, client),
      () => undefined,
    );
  });
}

/** Waits for it no longer than one task. */
function isScreenLoaded(path: string, routes: Route[]): Promise<boolean> {
  const isNot = () => nextTask().then(() => false);
  const loaded = loadScreens(routes, parsePath(path).pathname ?? '').then(() => true, isNot);
  return Promise.race([loaded, isNot()]);
}

/** A hundred milliseconds pass between pointer down and click: the next screen starts loading then. */
function installLinkPreloading({ routes }: AppRouter, client: QueryClient): void {
  document.addEventListener('pointerdown', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!(link instanceof HTMLAnchorElement) || link.origin !== window.location.origin) return;
    if (link.target === '' && !link.hasAttribute('download')) preloadScreen(routes, link.href, client);
  });
}
