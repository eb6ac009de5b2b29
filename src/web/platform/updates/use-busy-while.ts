import { useEffect } from 'react';
import { type BusyWeight, beginBusy } from './busy.ts';

/** While it is so, an update must not reload the page: something typed or shown once would be lost. */
export function useBusyWhile(isBusy: boolean, reason: string, weight: BusyWeight = 'normal'): void {
  useEffect(() => (isBusy ? beginBusy(reason, weight) : undefined), [isBusy, reason, weight]);
}
