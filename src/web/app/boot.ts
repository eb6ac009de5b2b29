import '#web/ui/theme.css';
import '#web/ui/base.css';
import '#web/ui/fonts/display-face.css';
import '#web/ui/layout/site-header.css';
import './boot.css';
import { loadMessages } from '#web/language/load-messages.ts';
import { startPageLanguage } from '#web/language/page-language.ts';
import { watchLeaving } from '#web/platform/connection/connection.ts';
import { captureInstallOffer } from '#web/platform/install/offer.ts';
import { takeMailedToken } from '#web/platform/mailed-token.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { restoreSession } from '#web/platform/session/session.ts';
import { handleError, installErrorHandlers } from '#web/platform/updates/error-handlers.ts';

/** Prepares the page for the app, and starts it. */
export function boot(start: () => Promise<void>): void {
  const { host, settings } = pageConfig();
  // What the server has rendered in another language is rendered again.
  if (startPageLanguage(settings.language)) document.getElementById('root')?.replaceChildren();
  takeMailedToken();
  captureInstallOffer();
  installErrorHandlers();
  restoreSession();
  watchLeaving();
  startInLanguage(start, host).catch((error: unknown) => {
    handleError(error);
    // start-check.ts shows it.
    document.getElementById('start-help')?.removeAttribute('hidden');
  });
}

async function startInLanguage(start: () => Promise<void>, host: string): Promise<void> {
  await loadMessages(`${host}/start`);
  await start();
}
