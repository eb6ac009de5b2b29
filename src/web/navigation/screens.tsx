import { type ComponentType, createContext, memo, type ReactNode, use } from 'react';
import type { NonIndexRouteObject } from 'react-router';

/** The properties of react-router's routes that the app uses. */
export type Route = Pick<NonIndexRouteObject, 'id' | 'path' | 'handle'> & {
  Component?: ComponentType;
  children?: Route[];
};

const OutletContext = createContext<ReactNode>(null);

/** The place of the nested screen in a layout. */
export function Outlet(): ReactNode {
  return use(OutletContext);
}

/**
 * Nests the components of matched routes, outermost first. Those that the previous location had at the same level keep
 * their state.
 */
export function Screens({ matches }: { matches: readonly { route: Route }[] }): ReactNode {
  let outlet: ReactNode = null;
  for (const { route } of [...matches].reverse()) {
    if (!route.Component) continue;
    outlet = (
      <OutletContext value={outlet}>
        <Screen Component={route.Component} />
      </OutletContext>
    );
  }
  return outlet;
}

/** A navigation renders only what reads the address. */
const Screen = memo(({ Component }: { Component: ComponentType }) => <Component />);
