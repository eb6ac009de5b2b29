import { useEffect, useRef } from 'react';
import { Outlet, type RouteObject, ScrollRestoration, useLocation, useMatches } from 'react-router';
import { screenHandle } from '#web/platform/router/app-router.ts';
import { pageTitle } from '#web/platform/router/screen.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { ConnectionOverlay } from './connection-overlay.tsx';
import { ErrorScreen } from './error-screen.tsx';
import { NotificationHost } from './notification-host.tsx';

/** What stands around either host's screens. */
export function withRoot(routes: RouteObject[]): RouteObject[] {
  return [{ id: 'root', Component: Root, ErrorBoundary: RootError, children: routes }];
}

function Root() {
  return (
    <>
      <Outlet />
      <Surroundings />
    </>
  );
}

function RootError() {
  return (
    <>
      <ErrorScreen />
      <Surroundings />
    </>
  );
}

function Surroundings() {
  useDocumentTitle();
  useFocusOnNewScreen();
  return (
    <>
      <NotificationHost />
      <ConnectionOverlay />
      <ScrollRestoration />
    </>
  );
}

function useDocumentTitle(): void {
  const handles = useMatches().map((match) => screenHandle(match.handle));
  const title = pageTitle(
    handles.findLast((handle) => handle !== null)?.title ?? null,
    useSettings().brand.name,
  );
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** Else the focus stays on a link that is gone, and a screen reader is told nothing. */
function useFocusOnNewScreen(): void {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    document.querySelector('main')?.focus({ preventScroll: true });
  }, [pathname]);
}
