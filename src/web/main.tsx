import './ui/theme.css';
import './ui/base.css';
import './start.css';
import { watchLeaving } from '#web/platform/connection/connection.ts';
import { captureInstallOffer } from '#web/platform/install/offer.ts';
import { takeMailedToken } from '#web/platform/mailed-token.ts';
import { nextTask } from '#web/platform/next-task.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { findFirstPaintResult } from '#web/platform/session/first-paint-result.ts';
import { restoreSession } from '#web/platform/session/session.ts';
import { handleError, installErrorHandlers } from '#web/platform/updates/error-handlers.ts';
import { setTextLanguage } from '#web/ui/text-language.ts';

setTextLanguage(pageConfig().settings.language);
takeMailedToken();
captureInstallOffer();
installErrorHandlers();
restoreSession();
watchLeaving();
boot().catch((error: unknown) => {
  handleError(error);
  // start-check.ts shows it.
  document.getElementById('start-help')?.removeAttribute('hidden');
});

/**
 * The page preloads all of these files. Each runs in a separate task: imported together, they would be one long
 * task that blocks input on a phone.
 */
async function boot(): Promise<void> {
  const { firstPaint, endedToken } = findFirstPaintResult();
  // Saved data is painted before this script takes the processor.
  await Promise.all([firstPaint, nextTask()]);
  if (endedToken) await leaveEnded(endedToken);
  await import('react-dom/client');
  await nextTask();
  const { start } = await import('./app/start.tsx');
  await nextTask();
  if (pageConfig().host === 'portal') {
    const { openSavedData, routes } = await import('#web/portal/routes.tsx');
    await nextTask();
    await start(routes, { openSavedData });
  } else {
    const { routes, startPurchase } = await import('#web/tickets/routes.tsx');
    await nextTask();
    await start(routes, { provide: startPurchase() });
  }
}

/** Ends a session that was signed out of but whose cookie came back; late, if that is known only after the start. */
async function leaveEnded(endedToken: Promise<string | null>): Promise<void> {
  const load = () => import('#web/platform/saved-data/end-restored-session.ts');
  const token = await Promise.race([endedToken, undefined]);
  if (token) (await load()).endRestoredSession(token);
  else if (token === undefined) {
    findFirstPaintResult().signedOutToken = endedToken.then(async (late) => {
      if (late !== null)
        await load().then(({ endRestoredSessionLate }) => endRestoredSessionLate(late), handleError);
      return late;
    });
  }
}
