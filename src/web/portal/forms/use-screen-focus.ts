import { useEffect } from 'react';
import { focusMain } from '#web/platform/router/focus-main.ts';

/** For content that replaces a form, whose focused button is gone: screen readers announce the new content. */
export function useScreenFocus(): void {
  useEffect(() => {
    focusMain();
    window.scrollTo(0, 0);
  }, []);
}
