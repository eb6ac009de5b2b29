import { useEffect, useRef } from 'react';

/** The pressed button disappears with its list, so the focus moves to the next choice. */
export function useFocusOnNextChoice(chosen: string, nextId: string): void {
  const handled = useRef(chosen);
  useEffect(() => {
    if (handled.current === chosen) return;
    handled.current = chosen;
    const target = document.getElementById(nextId);
    target?.focus({ preventScroll: true });
    target?.scrollIntoView({ block: 'start' });
  }, [chosen, nextId]);
}
