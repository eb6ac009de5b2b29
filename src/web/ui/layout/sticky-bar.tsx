import { type ReactNode, type RefObject, useEffect, useRef, useSyncExternalStore } from 'react';
import styles from './sticky-bar.module.css';

/** The screen's main action, always in reach of the thumb. Base styles keep room for it when the focus scrolls into view. */
export function StickyBar({ children }: { children: ReactNode }) {
  const bar = useRef<HTMLDivElement>(null);
  useHeightLimit(bar);
  return (
    <div ref={bar} className={styles.bar} data-sticky-bar="">
      <div ref={setSlot} className={styles.slot} />
      {children}
    </div>
  );
}

let slot: HTMLElement | null = null;
const listeners = new Set<() => void>();

function setSlot(element: HTMLElement | null): void {
  slot = element;
  for (const listener of listeners) listener();
}

/** The place for a notice in the sticky bar, above the main action; null without a bar. */
export function useBarSlot(): HTMLElement | null {
  return useSyncExternalStore(
    subscribe,
    () => slot,
    () => null,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** How much of the window's height the bars along its lower edge may take together. */
const MAX_SHARE = 0.25;

/**
 * Marks a bar with `data-too-high` while it takes too much of the window, as with very large text. Styles then let it
 * scroll along with the page.
 */
export function useHeightLimit(bar: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = bar.current;
    if (element === null) return;
    const measure = () => {
      const others = [...document.querySelectorAll<HTMLElement>('[data-tab-bar]')].filter(
        (other) => other !== element && getComputedStyle(other).position === 'fixed',
      );
      const height = [element, ...others].reduce((sum, { offsetHeight }) => sum + offsetHeight, 0);
      element.toggleAttribute('data-too-high', height > window.innerHeight * MAX_SHARE);
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
