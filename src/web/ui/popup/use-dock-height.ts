import { useLayoutEffect } from 'react';

/** Above and below the card, in pixels. */
const SPACE_AROUND = 16;

/** Keeps `--dock-height`, by which the page can be scrolled out from under the card and bars and toasts stand above it. */
export function useDockHeight(card: { readonly current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const element = card.current;
    if (element === null) return;
    const { style } = document.documentElement;
    const measure = () => style.setProperty('--dock-height', `${element.offsetHeight + SPACE_AROUND}px`);
    // It measures after the layout of the next frame, so no layout is forced.
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty('--dock-height');
    };
  }, [card]);
}
