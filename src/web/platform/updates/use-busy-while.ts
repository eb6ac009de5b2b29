import { useEffect } from 'react';
import { beginBusy } from './busy.ts';

/** While it is so, an update must not reload the page: something typed or shown once would be lost. */
export function useBusyWhile(isBusy: boolean, reason: string): void {
  useEffect(() => (isBusy ? beginBusy(reason) : undefined), [isBusy, reason]);
}
