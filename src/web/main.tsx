import './ui/theme.css';
import './ui/base.css';
import type { RouteObject } from 'react-router';
import { captureInstallOffer } from '#web/platform/install/offer.ts';
import { takeMailedToken } from '#web/platform/mailed-token.ts';
import { nextTask } from '#web/platform/next-task.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { handleError, installErrorHandlers } from '#web/platform/reporting/reporting.ts';

takeMailedToken();
captureInstallOffer();
installErrorHandlers();
boot().catch(handleError);

/**
 * The page asks for all of these files at once; here they are only run, each in a task of its own. Imported
 * together they would be one long task, in which a phone answers nothing.
 */
async function boot(): Promise<void> {
  await import('react-dom/client');
  await nextTask();
  const { start } = await import('./app/start.tsx');
  await nextTask();
  const routes = await loadRoutes();
  await nextTask();
  await start(routes);
}

async function loadRoutes(): Promise<RouteObject[]> {
  const table =
    pageConfig().host === 'portal'
      ? await import('#web/portal/routes.tsx')
      : await import('#web/tickets/routes.tsx');
  return table.routes;
}
