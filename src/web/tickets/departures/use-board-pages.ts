import { type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import { splitIntoPages } from './board-pages.ts';

const PAGE_MS = 10_000;

export type BoardPages = {
  /** Number of the page shown, from 1. */
  page: number;
  pages: number;
  /** Indexes of its rows: from the first to before the last. */
  from: number;
  until: number;
  /** Pixels of the rows before it. */
  offset: number;
};

const ALL: BoardPages = { page: 1, pages: 1, from: 0, until: Number.POSITIVE_INFINITY, offset: 0 };

/**
 * Turns the pages of a list that is higher than its screen, one after the other.
 * @param list its children are the rows; the parent of the list is the screen's part for them
 * @param content changes with the rows
 */
export function useBoardPages(list: RefObject<HTMLElement | null>, content: unknown): BoardPages {
  const [turn, setTurn] = useState(0);
  const [layout, setLayout] = useState<{ firsts: number[]; offsets: number[] }>({ firsts: [], offsets: [] });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows have other heights
  useLayoutEffect(() => {
    const element = list.current;
    const screen = element?.parentElement;
    if (!element || !screen) return;
    const measure = () => {
      const rows = [...element.children].filter((row) => row instanceof HTMLElement);
      const firsts = splitIntoPages(
        rows.map(({ offsetHeight }) => offsetHeight),
        screen.clientHeight,
      );
      setLayout({ firsts, offsets: firsts.map((index) => rows[index]?.offsetTop ?? 0) });
    };
    measure();
    if (typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(measure);
    observer.observe(screen);
    return () => observer.disconnect();
  }, [list, content]);
  useEffect(() => {
    const timer = setInterval(() => setTurn((last) => last + 1), PAGE_MS);
    return () => clearInterval(timer);
  }, []);
  const { firsts, offsets } = layout;
  if (firsts.length < 2) return ALL;
  const index = turn % firsts.length;
  return {
    page: index + 1,
    pages: firsts.length,
    from: firsts[index] ?? 0,
    until: firsts[index + 1] ?? Number.POSITIVE_INFINITY,
    offset: offsets[index] ?? 0,
  };
}
