import './ui/theme.css';
import './ui/base.css';
import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import type { RouteObject } from 'react-router';
import { startRecording } from '#web/platform/analytics/session-recording.ts';
import { initAnalytics } from '#web/platform/analytics/tag-manager.ts';
import { watchConnection } from '#web/platform/connection/connection.ts';
import { findPageData, pageConfig } from '#web/platform/page-config.ts';
import { createQueryClient, tendQueryClient } from '#web/platform/query/query-client.ts';
import { handleError, installErrorHandlers } from '#web/platform/reporting/reporting.ts';
import { createAppRouter, whenReady } from '#web/platform/router/app-router.ts';
import { loadSettings } from '#web/platform/settings/settings.ts';
import { App } from './app/app.tsx';
import { installLinkPreloading } from './app/link-preloading.ts';
import { withRoot } from './app/root.tsx';

installErrorHandlers();
watchConnection();
start().catch(handleError);

async function start(): Promise<void> {
  void loadSettings().then(() => {
    initAnalytics();
    startRecording();
  });
  const container = document.getElementById('root');
  if (container === null) throw new Error('The page has no place for the app.');
  const client = createQueryClient();
  tendQueryClient(client);
  const routes = withRoot(await loadRoutes());
  const takesOverMarkup =
    findPageData() !== null && window.location.pathname === '/' && container.childElementCount > 0;
  const router = await createAppRouter(routes, client, { takesOverMarkup });
  await whenReady(router);
  const app = <App client={client} router={router} />;
  // As a transition it is done in slices, between which taps and scrolling of the readable page are answered.
  if (takesOverMarkup) startTransition(() => void hydrateRoot(container, app));
  else createRoot(container).render(app);
  installLinkPreloading(routes, client);
}

async function loadRoutes(): Promise<RouteObject[]> {
  const table =
    pageConfig().host === 'portal'
      ? await import('#web/portal/routes.tsx')
      : await import('#web/tickets/routes.tsx');
  return table.routes;
}
