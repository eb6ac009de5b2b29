import { Component, type ReactNode, startTransition, useLayoutEffect, useMemo, useState } from 'react';
import {
  createPath,
  type Location,
  matchRoutes,
  type NavigationType,
  type Navigator,
  Router,
  useRoutes,
} from 'react-router';
import { type AppRouter, type RouterState, screenHandle } from '#web/platform/router/app-router.ts';
import { RouterContext } from '#web/platform/router/use-router.ts';
import { RootError } from './root.tsx';
import { useScrollRestoration } from './use-scroll-restoration.ts';

type RouterViewProps = { router: AppRouter; onError?: (error: unknown) => void };

/** Shows the screens of a router. */
export function RouterView({ router, onError }: RouterViewProps) {
  const state = useRouterState(router, onError);
  const { location, failure } = state;
  const navigator = useMemo(() => createNavigator(router), [router]);
  const context = useMemo(() => {
    const match = matchRoutes(router.routes, location)?.at(-1);
    return { router, screen: screenHandle(match?.route.handle) };
  }, [router, location]);
  useScrollRestoration(router, state);
  if (!state.isInitialized) return null;
  return (
    <RouterContext value={context}>
      <Router
        location={location}
        navigationType={state.historyAction as NavigationType}
        navigator={navigator}
      >
        <ErrorBoundary location={location} onError={onError}>
          {failure ? <RootError error={failure.error} /> : <Screens router={router} />}
        </ErrorBoundary>
      </Router>
    </RouterContext>
  );
}

function Screens({ router }: { router: AppRouter }) {
  return useRoutes(router.routes);
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

/** For links, which await nothing. */
function createNavigator(router: AppRouter): Navigator {
  return {
    createHref: (to) => (typeof to === 'string' ? to : createPath(to)),
    go: (delta) => void router.navigate(delta),
    push: (to, state, options) => void router.navigate(to, { ...options, state, replace: false }),
    replace: (to, state, options) => void router.navigate(to, { ...options, state, replace: true }),
  };
}

type BoundaryProps = {
  location: Location;
  onError: ((error: unknown) => void) | undefined;
  children: ReactNode;
};
type BoundaryState = { location: Location; failure: { error: unknown } | null };

/** Shows an error that a screen throws until the next navigation. */
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
    return this.state.failure ? <RootError error={this.state.failure.error} /> : this.props.children;
  }
}
