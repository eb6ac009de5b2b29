import { startTransition, useEffect, useState } from 'react';
import { whenIdle } from './next-task.ts';

/**
 * True once the page has nothing better to do. What is shown then is rendered in slices, between which taps are
 * answered.
 */
export function useIdle(): boolean {
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => whenIdle(() => startTransition(() => setIsIdle(true))), []);
  return isIdle;
}
