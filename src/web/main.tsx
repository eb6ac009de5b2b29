import './ui/theme.css';
import './ui/base.css';
import './start-help.css';
import { watchLeaving } from '#web/platform/connection/connection.ts';
import { captureInstallOffer } from '#web/platform/install/offer.ts';
import { takeMailedToken } from '#web/platform/mailed-token.ts';
import { nextTask } from '#web/platform/next-task.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { findOpening } from '#web/platform/session/opening.ts';
import { restoreSession } from '#web/platform/session/session.ts';
import { handleError, installErrorHandlers } from '#web/platform/updates/error-handlers.ts';

takeMailedToken();
captureInstallOffer();
installErrorHandlers();
restoreSession();
watchLeaving();
boot().catch((error: unknown) => {
  handleError(error);
  // The page says what to do; see start-check.ts.
  document.getElementById('start-help')?.removeAttribute('hidden');
});

/**
 * The page asks for all of these files at once; here they are only run, each in a task of its own. Imported
 * together they would be one long task, in which a phone answers nothing.
 */
async function boot(): Promise<void> {
  const { firstPaint, endedToken } = findOpening();
  // What was saved must be on the screen before this script takes the processor.
  await firstPaint;
  if (endedToken) await leaveEnded(endedToken);
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

/** A session that was signed out of does not begin again; where that is known late, it ends then. */
async function leaveEnded(endedToken: Promise<string | null>): Promise<void> {
  const load = () => import('#web/platform/saved-data/end-restored-session.ts');
  const token = await Promise.race([endedToken, undefined]);
  if (token) (await load()).endRestoredSession(token);
  else if (token === undefined) {
    findOpening().leftToken = endedToken.then(async (late) => {
      if (late !== null)
        await load().then(({ endRestoredSessionLate }) => endRestoredSessionLate(late), handleError);
      return late;
    });
  }
}
