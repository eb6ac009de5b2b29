import { startTransition, useEffect, useState } from 'react';
import { whenIdle } from './when-idle.ts';

/** True once the page is idle. What renders then is a transition, so that input is handled in between. */
export function useIdle(): boolean {
  const [isIdle, setIsIdle] = useState(false);
  useEffect(() => whenIdle(() => startTransition(() => setIsIdle(true))), []);
  return isIdle;
}
