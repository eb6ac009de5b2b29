import { useEffect } from 'react';
import { type BusyWeight, beginBusy } from './busy.ts';

/** Prevents automatic reloads while input, or something shown only once, would be lost. */
export function useBusyWhile(isBusy: boolean, reason: string, weight: BusyWeight = 'normal'): void {
  useEffect(() => (isBusy ? beginBusy(reason, weight) : undefined), [isBusy, reason, weight]);
}
