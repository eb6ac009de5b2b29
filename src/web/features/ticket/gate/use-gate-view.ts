import { useLocation, useNavigate, useSearchParams } from 'react-router';

/** In the address of a screen: its codes are shown full screen. */
const PARAM = 'show';
/** Asked for by the app's shortcuts, which know neither order nor card. */
export const NEXT = 'next';

/** Set by links of the app: the entry of the history before this one is a screen of the app. */
type GateState = { isOpenedHere: true; at?: string | undefined };

/** For `to` and `state` of a link that opens the gate view over a screen; `at` is what to show first. */
export function gateLink(path: string, value: string, at?: string): { to: string; state: GateState } {
  const separator = path.includes('?') ? '&' : '?';
  return {
    to: `${path}${separator}${PARAM}=${encodeURIComponent(value)}`,
    state: { isOpenedHere: true, at },
  };
}

type GateViewState = {
  /** Which codes the address asks for; null when the view is closed. */
  shown: string | null;
  at: string | undefined;
  /** For a link that opens the view over this screen. */
  linkTo: (value: string, at?: string) => { to: string; state: GateState };
  close: () => void;
};

/** The gate view is part of the address, so that the back button closes it and a shortcut opens it. */
export function useGateView(): GateViewState {
  const { pathname, search, state } = useLocation();
  const shown = useSearchParams()[0].get(PARAM);
  const navigate = useNavigate();
  const opened = state as Partial<GateState> | null;
  const below = withoutParam(pathname, search);
  return {
    shown,
    at: opened?.at,
    linkTo: (value, at) => gateLink(below, value, at),
    close: () => {
      if (opened?.isOpenedHere) void navigate(-1);
      else void navigate(below, { replace: true });
    },
  };
}

function withoutParam(pathname: string, search: string): string {
  const params = new URLSearchParams(search);
  params.delete(PARAM);
  return params.size === 0 ? pathname : `${pathname}?${params}`;
}
