import { useEffect } from 'react';
import { focusMain } from '#web/platform/router/focus-main.ts';

/** For what takes the place of a form: else the focus stays on a button that is gone, and nothing is read out. */
export function useScreenFocus(): void {
  useEffect(() => {
    focusMain();
    window.scrollTo(0, 0);
  }, []);
}
