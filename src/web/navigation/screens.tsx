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

type ScreensProps = {
  /** Outermost first. */
  matches: readonly { route: Route }[];
  /** Wraps or replaces the screen within its layouts. */
  around?: (screen: ReactNode) => ReactNode;
};

/**
 * Nests the components of matched routes. Those that the previous location had at the same level keep their state.
 */
export function Screens({ matches, around = (screen) => screen }: ScreensProps): ReactNode {
  const Component = matches.at(-1)?.route.Component;
  let outlet = around(Component ? <Screen Component={Component} /> : null);
  for (const { route } of matches.slice(0, -1).reverse()) {
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
