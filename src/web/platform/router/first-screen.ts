import { createContext, use } from 'react';
import { useLocation } from 'react-router';

/** The key of the entry in the session history where the document was opened. */
export const FirstLocationKey = createContext<string | null>(null);

/** True where the document was opened; a screen that the app has changed to takes the focus. */
export function useIsFirstScreen(): boolean {
  const { key } = useLocation();
  const first = use(FirstLocationKey);
  return first === null || first === key;
}
