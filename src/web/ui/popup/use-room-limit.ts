import { type RefObject, useEffect } from 'react';

/** Of the window's height, as much as bars along its lower edge may take together. */
const MOST = 0.25;

/**
 * Marks a bar with `data-too-high` while it takes too much of the window, as with very large text. Styles then let it
 * scroll along with the page.
 */
export function useRoomLimit(bar: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = bar.current;
    if (element === null) return;
    const measure = () => {
      const others = [...document.querySelectorAll<HTMLElement>('[data-tab-bar]')].filter(
        (other) => other !== element && getComputedStyle(other).position === 'fixed',
      );
      const height = [element, ...others].reduce((sum, { offsetHeight }) => sum + offsetHeight, 0);
      element.toggleAttribute('data-too-high', height > window.innerHeight * MOST);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', measure);
    };
  }, [bar]);
}
