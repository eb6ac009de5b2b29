import { useEffect, useRef } from 'react';
import { useHistoryAction, useLocation } from '#web/navigation/navigation.ts';
import { Outlet, type Route } from '#web/navigation/screens.tsx';
import { useConnectionPhase, useWritesPaused } from '#web/platform/connection/connection.ts';
import { focusMain } from '#web/platform/router/focus-main.ts';
import { pageTitle } from '#web/platform/router/screen.ts';
import { useScreen } from '#web/platform/router/use-screen.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { OffReason } from '#web/ui/form/button.tsx';
import { ErrorScreen } from './error-screen.tsx';
import { LateConnectionOverlay } from './late-overlay.tsx';
import { NotificationHost } from './notification-host.tsx';

/** Wraps the routes of a host in what every screen shares. */
export function withRoot(routes: Route[]): Route[] {
  return [{ Component: Root, children: routes }];
}

function Root() {
  return (
    <>
      <DocumentTitle />
      <OffReason value={useOffReasonNow()}>
        <Outlet />
      </OffReason>
      <GlobalLayers />
    </>
  );
}

function useOffReasonNow(): string | null {
  const isOff = useWritesPaused();
  const isLost = useConnectionPhase() === 'lost';
  if (!isOff) return null;
  return isLost ? 'This needs a connection.' : 'Possible in a moment: we are checking what has changed.';
}

/** In place of everything, if a layout failed. */
export function RootError({ error }: { error: unknown }) {
  return (
    <>
      <DocumentTitle />
      <main id="main" tabIndex={-1}>
        <ErrorScreen error={error} />
      </main>
      <GlobalLayers />
    </>
  );
}

function GlobalLayers() {
  useFocusOnNewScreen();
  return (
    <>
      <NotificationHost />
      <LateConnectionOverlay />
    </>
  );
}

/** Before the screens, whose effects run later and may set a more specific one. */
function DocumentTitle() {
  const { pathname } = useLocation();
  const title = pageTitle(useScreen()?.title ?? null, useSettings().brand.name);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the screen before may have set another title
  useEffect(() => {
    document.title = title;
  }, [title, pathname]);
  return null;
}

/**
 * Without it the focus stays on a removed link, and screen readers announce nothing. Also for the first screen, if the
 * app starts with one whose link was pressed.
 */
function useFocusOnNewScreen(): void {
  const { pathname } = useLocation();
  const isOpenedByLink = useHistoryAction() === 'PUSH';
  const shown = useRef(isOpenedByLink ? null : pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    focusMain();
  }, [pathname]);
}
