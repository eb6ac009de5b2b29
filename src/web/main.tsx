import './ui/theme.css';
import './ui/base.css';
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
  const endedToken = await firstPaint();
  if (endedToken) (await import('#web/platform/session/end-again.ts')).endAgain(endedToken);
  await import('react-dom/client');
  await nextTask();
  const { start } = await import('./app/start.tsx');
  await nextTask();
  if (pageConfig().host === 'portal') {
    const { openSavedData, routes } = await import('#web/portal/routes.tsx');
    await nextTask();
    await start(routes, openSavedData);
  } else {
    const { routes } = await import('#web/tickets/routes.tsx');
    await nextTask();
    await start(routes);
  }
}

/** Of what was saved, by the script before this one: it must be on the screen before this one takes the processor. */
function firstPaint(): Promise<string | null> | undefined {
  return (window as { firstPaint?: Promise<string | null> }).firstPaint;
}
