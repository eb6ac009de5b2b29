import type { RootOptions } from 'react-dom/client';
import type { ClientOnErrorFunction } from 'react-router';
import { noteComponents } from '#web/platform/reporting/reporting.ts';
import { handleError } from '#web/platform/updates/error-handlers.ts';

/** For the router, whose boundaries catch the errors of screens and loaders. */
export const onRouterError: ClientOnErrorFunction = (error, { errorInfo }) => {
  noteComponents(error, errorInfo?.componentStack ?? undefined);
  handleError(error);
};

/** For errors outside the router's boundaries. `window` gets them as without these hooks, and its handler reports them. */
export const rootErrorHooks: RootOptions = {
  onUncaughtError: passToWindow,
  onRecoverableError: passToWindow,
};

function passToWindow(error: unknown, { componentStack }: { componentStack?: string | undefined }): void {
  noteComponents(error, componentStack);
  reportError(error);
}
