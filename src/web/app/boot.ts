import '#web/ui/theme.css';
import '#web/ui/base.css';
import './boot.css';
import { watchLeaving } from '#web/platform/connection/connection.ts';
import { captureInstallOffer } from '#web/platform/install/offer.ts';
import { takeMailedToken } from '#web/platform/mailed-token.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { restoreSession } from '#web/platform/session/session.ts';
import { handleError, installErrorHandlers } from '#web/platform/updates/error-handlers.ts';
import { setTextLanguage } from '#web/ui/text-language.ts';

/** Prepares the page for the app, and starts it. */
export function boot(start: () => Promise<void>): void {
  setTextLanguage(pageConfig().settings.language);
  takeMailedToken();
  captureInstallOffer();
  installErrorHandlers();
  restoreSession();
  watchLeaving();
  start().catch((error: unknown) => {
    handleError(error);
    // start-check.ts shows it.
    document.getElementById('start-help')?.removeAttribute('hidden');
  });
}
