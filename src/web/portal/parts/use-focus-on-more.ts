import { useEffect, useRef } from 'react';

/**
 * When more was asked for, the focus goes to the first of it: the button may be gone by then.
 * @param count how many there are
 * @param targets selects what takes the focus, one for each of them
 */
export function useFocusOnMore<Box extends HTMLElement>(count: number, targets: string) {
  const box = useRef<Box>(null);
  const expectedAt = useRef<number | null>(null);
  useEffect(() => {
    const at = expectedAt.current;
    if (at === null || count <= at) return;
    expectedAt.current = null;
    box.current?.querySelectorAll<HTMLElement>(targets)[at]?.focus();
  }, [count, targets]);
  return {
    box,
    expectMore: () => {
      expectedAt.current = count;
    },
  };
}
