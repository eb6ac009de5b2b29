import { createContext, use, useCallback, useMemo } from 'react';
import type { Location, Params, To } from 'react-router';

export type HistoryAction = 'POP' | 'PUSH' | 'REPLACE';
type NavigateOptions = { replace?: boolean; state?: unknown; preventScrollReset?: boolean };
/** A number goes through the history. Resolves when the screen is loaded, or when another navigation starts. */
export type Navigate = (to: To | number, options?: NavigateOptions) => Promise<void>;

/** The router, as far as links and screens use it. It stays the same, so its users do not render on navigations. */
export type Navigator = {
  /** May be ahead of the location on screen, which renders in a transition. */
  readonly state: { readonly location: Location };
  readonly navigate: Navigate;
};

/** The address on screen. */
type Address = {
  location: Location;
  params: Readonly<Params>;
  /** How the location was reached. */
  historyAction: HistoryAction;
  /** The document was opened at this entry of the session history. */
  isFirst: boolean;
};

export const NavigatorContext = createContext<Navigator | null>(null);
export const AddressContext = createContext<Address | null>(null);

export function useNavigator(): Navigator {
  return insideRouter(use(NavigatorContext));
}

export function useNavigate(): Navigate {
  const navigator = useNavigator();
  return useCallback((to, options) => navigator.navigate(to, options), [navigator]);
}

export function useLocation(): Location {
  return useAddress().location;
}

/** The parameters of the route's path. */
export function useParams(): Readonly<Params> {
  return useAddress().params;
}

export function useHistoryAction(): HistoryAction {
  return useAddress().historyAction;
}

/** True where the document was opened; a screen that the app has changed to takes the focus. */
export function useIsFirstScreen(): boolean {
  return useAddress().isFirst;
}

/** To change them, navigate to another `search`. */
export function useSearchParams(): URLSearchParams {
  const { search } = useLocation();
  return useMemo(() => new URLSearchParams(search), [search]);
}

function useAddress(): Address {
  return insideRouter(use(AddressContext));
}

function insideRouter<Value>(value: Value | null): Value {
  if (value === null) throw new Error('There is no router around this component.');
  return value;
}
