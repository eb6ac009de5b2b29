import { useEffect } from 'react';

/** For what takes the place of a form: else the focus stays on a button that is gone, and nothing is read out. */
export function useScreenFocus(): void {
  useEffect(() => {
    document.querySelector('main')?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, []);
}
