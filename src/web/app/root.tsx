import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Outlet, type RouteObject, ScrollRestoration, useLocation } from 'react-router';
import { t } from '#web/language/texts.ts';
import { useConnectionPhase, useWritesPaused } from '#web/platform/connection/connection.ts';
import { FirstLocationKey } from '#web/platform/router/first-screen.ts';
import { focusMain } from '#web/platform/router/focus-main.ts';
import { pageTitle, useScreen } from '#web/platform/router/screen.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { OffReason } from '#web/ui/form/button.tsx';
import { ErrorScreen } from './error-screen.tsx';
import { LateConnectionOverlay } from './late-overlay.tsx';
import { NotificationHost } from './notification-host.tsx';

/** Wraps the routes of a host in what every screen shares. */
export function withRoot(routes: RouteObject[]): RouteObject[] {
  return [{ Component: Root, ErrorBoundary: RootError, children: routes.map(keepLayout) }];
}

/** The header and its links stay when only the screen has failed. */
function keepLayout(route: RouteObject): RouteObject {
  if (!route.children) return { ...route };
  const screens = route.children.map((screen) => ({ ...screen }));
  return { ...route, children: [{ ErrorBoundary: ErrorScreen, children: screens }] } as RouteObject;
}

function Root() {
  const { key } = useLocation();
  const [firstKey] = useState(key);
  return (
    <FirstLocationKey value={firstKey}>
      <DocumentTitle />
      <OffReason value={useOffReasonNow()}>
        <Outlet />
      </OffReason>
      <GlobalLayers />
    </FirstLocationKey>
  );
}

function useOffReasonNow(): string | null {
  const isOff = useWritesPaused();
  const isLost = useConnectionPhase() === 'lost';
  if (!isOff) return null;
  return isLost
    ? t('This needs a connection.')
    : t('Possible in a moment: we are checking what has changed.');
}

/** In place of everything, if a layout failed. */
function RootError() {
  return (
    <>
      <DocumentTitle />
      <main id="main" tabIndex={-1}>
        <ErrorScreen />
      </main>
      <GlobalLayers />
    </>
  );
}

function GlobalLayers() {
  useFocusOnNewScreen();
  usePreservedScroll();
  return (
    <>
      <NotificationHost />
      <LateConnectionOverlay />
      <ScrollRestoration />
    </>
  );
}

/** Before the screens, whose effects run later and may set a more specific one. */
function DocumentTitle() {
  const { pathname } = useLocation();
  const ofScreen = useScreen()?.title ?? null;
  const title = pageTitle(ofScreen && t(ofScreen), useSettings().brand.name);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the screen before may have set another title
  useEffect(() => {
    document.title = title;
  }, [title, pathname]);
  return null;
}

/** The customer may have scrolled the page before the app started, and ScrollRestoration begins at the top. */
function usePreservedScroll(): void {
  const [top] = useState(() => (typeof window === 'undefined' ? 0 : window.scrollY));
  useLayoutEffect(() => {
    if (top > 0 && window.scrollY === 0) window.scrollTo(0, top);
  }, [top]);
}

/** Without it the focus stays on a removed link, and screen readers announce nothing. */
function useFocusOnNewScreen(): void {
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    focusMain();
  }, [pathname]);
}
