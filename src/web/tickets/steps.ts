import { useCallback } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { type Draft, useDraftPart } from './draft.ts';
import type { Trip } from './trip/trip.ts';

export const STEPS = [
  { id: 'trip', label: 'Trip' },
  { id: 'sailings', label: 'Sailing' },
  { id: 'details', label: 'Details' },
  { id: 'pay', label: 'Pay' },
] as const;
export type Step = (typeof STEPS)[number]['id'];

/** The step in the address, or the furthest before it that the draft allows. */
export function useStep(): Step {
  const [search] = useSearchParams();
  const furthest = useDraftPart(furthestStep);
  const asked = STEPS.findIndex(({ id }) => id === (search.get('step') ?? 'trip'));
  return STEPS[Math.min(asked, furthest)]?.id ?? 'trip';
}

/** Each step is an entry of the browser's history, so that its back button goes one step back. */
export function useGoToStep(): (step: Step, options?: { replace?: boolean }) => void {
  const navigate = useNavigate();
  return useCallback(
    (step, { replace = false } = {}) => {
      void navigate({ search: step === 'trip' ? '' : `?step=${step}` }, { replace });
    },
    [navigate],
  );
}

/** Not while a payment is on its way, and not for an order opened from its link: its steps were never done here. */
export function canGoBack({ orderId, quote, isPaymentOpen }: Draft): boolean {
  return orderId === null || (quote !== null && !isPaymentOpen);
}

function furthestStep({ trip, hasSearched, hold, quote, orderId }: Draft): number {
  if (orderId !== null) return 3;
  if (hold !== null && quote !== null) return 2;
  return hasSearched && (trip === null || hasDates(trip)) ? 1 : 0;
}

function hasDates({ way, outDate, backDate }: Trip): boolean {
  return outDate !== '' && (way === 'one-way' || backDate !== '');
}
