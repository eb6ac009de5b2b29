import { type ReactElement, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import type { RouteObject } from 'react-router';
import { attachAccount, checkSession } from '#web/platform/account/ping.ts';
import { profileTexts } from '#web/platform/account/profile.ts';
import { findPageData } from '#web/platform/page-config.ts';
import { attachQueryClient, createQueryClient } from '#web/platform/query/query-client.ts';
import { startReporting } from '#web/platform/reporting/start-reporting.ts';
import { attachRouter, createAppRouter, loadScreens, whenReady } from '#web/platform/router/app-router.ts';
import type { OpenSavedData } from '#web/platform/saved-data/account-data.ts';
import { readSavedSettings } from '#web/platform/settings/settings.ts';
import { supportTranslators } from '#web/platform/translated-page.ts';
import { whenIdle } from '../platform/when-idle.ts';
import { App } from './app.tsx';
import { rootErrorHooks } from './react-errors.ts';
import { withRoot } from './root.tsx';

type HostOptions = {
  openSavedData?: OpenSavedData;
  /** Wraps the app in the host's context. */
  provide?: (app: ReactElement) => ReactElement;
};

/** Renders a host's screens, or hydrates the prerendered one. */
export async function start(
  hostRoutes: RouteObject[],
  { openSavedData, provide = (app) => app }: HostOptions,
): Promise<void> {
  const container = document.getElementById('root');
  if (container === null) throw new Error('The page has no place for the app.');
  const client = createQueryClient();
  attachQueryClient(client);
  attachAccount();
  const saved = openSavedData?.(client);
  const routes = withRoot(hostRoutes);
  const isPainted = () => container.childElementCount > 0;
  const takesOverMarkup = findPageData() !== null && window.location.pathname === '/' && isPainted();
  // Prerendered markup was made with the current settings.
  if (!takesOverMarkup) readSavedSettings();
  const loaderData = takesOverMarkup ? await loadScreens(routes, window.location.pathname) : undefined;
  const router = createAppRouter(routes, client, loaderData);
  attachRouter(router);
  await whenReady(router);
  // A painted snapshot, which a slow phone may paint as late as now, stays until the saved data behind it is restored.
  // Nothing else waits for that.
  if (isPainted() && saved) await saved.restored;
  // The loader that pings on every navigation does not run for a prerendered screen. A session that has ended clears the
  // queries, so the markup made with them is hydrated first.
  const onRendered = takesOverMarkup ? () => void checkSession() : () => undefined;
  const app = provide(
    <App client={client} router={router} isRestoring={saved?.isRestoring} onRendered={onRendered} />,
  );
  supportTranslators();
  // As a transition it renders in slices, so that taps and scrolling are handled in between.
  startTransition(() => {
    if (takesOverMarkup) hydrateRoot(container, app, rootErrorHooks);
    else createRoot(container, rootErrorHooks).render(app);
  });
  whenIdle(() => {
    startReporting(profileTexts);
    void import('./late-start.ts').then(
      ({ startLate }) => startLate(router, client),
      () => undefined,
    );
  });
}
