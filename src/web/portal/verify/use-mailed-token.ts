import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { findMailedToken, forgetMailedToken, takeMailedToken, tokenIn } from '#web/platform/mailed-token.ts';
import { beginBusy } from '#web/platform/updates/busy.ts';

/**
 * The secret of the mailed link this screen was opened with; null when the address holds none. The link may be
 * followed while the screen is already open: then only the fragment changes, and the newer one counts.
 */
export function useMailedToken(): string | null {
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState(() => findMailedToken(pathname));
  const arrived = tokenIn(hash);
  if (arrived !== null && arrived !== token) setToken(arrived);

  useEffect(() => {
    if (arrived === null) return;
    takeMailedToken();
    void navigate(pathname + search, { replace: true });
  }, [arrived, pathname, search, navigate]);

  useEffect(() => forgetMailedToken, []);
  // The address no longer holds it, so a reload would lose it.
  useEffect(() => (token === null ? undefined : beginBusy('a mailed link open')), [token]);
  return token;
}
