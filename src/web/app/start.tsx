import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import type { RouteObject } from 'react-router';
import { attachAccount, checkSession } from '#web/platform/account/ping.ts';
import { profileTexts } from '#web/platform/account/profile.ts';
import { startOutsideScripts } from '#web/platform/analytics/outside-scripts.ts';
import { isInstalled, takesSplash } from '#web/platform/install/device.ts';
import { nextTask, whenIdle } from '#web/platform/next-task.ts';
import { findPageData, pageConfig } from '#web/platform/page-config.ts';
import { createQueryClient, tendQueryClient } from '#web/platform/query/query-client.ts';
import { beginReporting } from '#web/platform/reporting/begin-reporting.ts';
import { createAppRouter, whenReady } from '#web/platform/router/app-router.ts';
import type { OpenSavedData } from '#web/platform/saved-data/account-data.ts';
import { followSettings } from '#web/platform/settings/follow-settings.ts';
import { loadSettings, readSavedSettings } from '#web/platform/settings/settings.ts';
import { App } from './app.tsx';
import { installLinkPreloading } from './link-preloading.ts';
import { withRoot } from './root.tsx';

/** Shows a host's screens, or takes over the one that came with the page. */
export async function start(hostRoutes: RouteObject[], openSavedData?: OpenSavedData): Promise<void> {
  const container = document.getElementById('root');
  if (container === null) throw new Error('The page has no place for the app.');
  const client = createQueryClient();
  tendQueryClient(client);
  attachAccount();
  const saved = openSavedData?.(client);
  const routes = withRoot(hostRoutes);
  const isPainted = container.childElementCount > 0;
  const takesOverMarkup = findPageData() !== null && window.location.pathname === '/' && isPainted;
  // Markup that came with the page was made with the settings of this minute.
  if (!takesOverMarkup) readSavedSettings();
  await nextTask();
  const router = await createAppRouter(routes, client, { takesOverMarkup });
  await whenReady(router);
  await nextTask();
  // What was painted of saved data stays until the same can be shown again; nothing else waits for it.
  if (isPainted) await saved?.restored;
  const app = <App client={client} router={router} isRestoring={saved?.isRestoring} />;
  // As a transition it is done in slices, between which taps and scrolling of the readable page are answered.
  if (takesOverMarkup) startTransition(() => void hydrateRoot(container, app));
  else createRoot(container).render(app);
  // Every navigation asks about the session; the loader that does it did not run for a screen that was there already.
  if (takesOverMarkup) void checkSession();
  document.getElementById('start-help')?.remove();
  installLinkPreloading(routes, client);
  whenIdle(() => {
    beginReporting(profileTexts);
    // Without it everything works, only not offline.
    void import('#web/platform/worker/worker.ts').then(
      ({ startWorker }) => startWorker(),
      () => undefined,
    );
    if (pageConfig().version !== 'development') {
      void import('#web/platform/updates/updates.ts').then(
        ({ startUpdates }) => startUpdates(router, client),
        () => undefined,
      );
    }
    if (isInstalled()) {
      void import('#web/platform/install/keep-storage.ts').then(({ keepStorage }) => keepStorage());
    }
    if (!isInstalled() && takesSplash()) {
      void import('#web/platform/install/splash.ts')
        .then(({ provideSplash }) => provideSplash())
        .catch(() => undefined);
    }
    void loadSettings().then(startOutsideScripts);
    followSettings(router);
  });
}
