import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { findMailedToken, forgetMailedToken, takeMailedToken, tokenIn } from '#web/platform/mailed-token.ts';
import { useNavigate } from '#web/platform/router/use-router.ts';
import { beginBusy } from '#web/platform/updates/busy.ts';

/**
 * The token of the mailed link that opened this screen; null if there is none. A link opened while the screen is
 * open changes only the fragment, and the newer token counts.
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
  // No longer in the address, so a reload would lose it.
  useEffect(() => (token === null ? undefined : beginBusy('a mailed link open')), [token]);
  return token;
}
