import { Component, type ReactNode, startTransition, useLayoutEffect, useMemo, useState } from 'react';
import type { Location } from 'react-router';
import { AddressContext, NavigatorContext } from '#web/navigation/navigation.ts';
import { Screens } from '#web/navigation/screens.tsx';
import {
  type AppRouter,
  findMatches,
  type RouterState,
  screenHandle,
} from '#web/platform/router/app-router.ts';
import { ScreenContext } from '#web/platform/router/use-screen.ts';
import { ErrorScreen } from './error-screen.tsx';
import { RootError } from './root.tsx';
import { useScrollRestoration } from './use-scroll-restoration.ts';

type RouterViewProps = { router: AppRouter; onError?: (error: unknown) => void };

/** Shows the screens of a router. */
export function RouterView({ router, onError }: RouterViewProps) {
  const state = useRouterState(router, onError);
  const { location, historyAction, failure } = state;
  const matches = findMatches(router.routes, location);
  const match = matches.at(-1);
  const params = match?.params;
  const [firstKey] = useState(location.key);
  const address = useMemo(
    () => ({ location, params: params ?? {}, historyAction, isFirst: location.key === firstKey }),
    [location, params, historyAction, firstKey],
  );
  useScrollRestoration(router, state);
  /** The header and its links stay when only the screen has failed. */
  const around = (screen: ReactNode) => (
    <ErrorBoundary location={location} onError={onError} show={(error) => <ErrorScreen error={error} />}>
      {failure ? <ErrorScreen error={failure.error} /> : screen}
    </ErrorBoundary>
  );
  if (!state.isInitialized) return null;
  return (
    <NavigatorContext value={router}>
      <AddressContext value={address}>
        <ScreenContext value={screenHandle(match?.route.handle)}>
          <ErrorBoundary location={location} onError={onError} show={(error) => <RootError error={error} />}>
            <Screens matches={matches} around={around} />
          </ErrorBoundary>
        </ScreenContext>
      </AddressContext>
    </NavigatorContext>
  );
}

/** The state of the last finished navigation: nothing renders while the next screen loads. */
function useRouterState(router: AppRouter, onError?: (error: unknown) => void): RouterState {
  const [state, setState] = useState(router.state);
  useLayoutEffect(() => {
    const show = (next: RouterState) => {
      if (next.navigation.state !== 'idle') return;
      if (next.failure) onError?.(next.failure.error);
      startTransition(() => setState(next));
    };
    if (router.state.isInitialized) show(router.state);
    return router.subscribe(show);
  }, [router, onError]);
  return state;
}

type BoundaryProps = {
  location: Location;
  onError: ((error: unknown) => void) | undefined;
  show: (error: unknown) => ReactNode;
  children: ReactNode;
};
type BoundaryState = { location: Location; failure: { error: unknown } | null };

/** Shows an error that its children throw until the next navigation. */
class ErrorBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { location: this.props.location, failure: null };

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { failure: { error } };
  }

  static getDerivedStateFromProps(props: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return props.location === state.location ? null : { location: props.location, failure: null };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onError?.(error);
  }

  override render(): ReactNode {
    const { show, children } = this.props;
    return this.state.failure ? show(this.state.failure.error) : children;
  }
}
