import { useCallback } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { fillPath, ticketPages } from '#contract/paths.ts';
import { message } from '#messages/translate.ts';
import type { Catalogue } from '#web/platform/api/types.ts';
import type { IsoDate } from '#web/ui/calendar/calendar.ts';
import { type Draft, useDraftPart } from './purchase.ts';
import type { TripSearch } from './trip/trip-search.ts';

export const STEPS = [
  { id: 'trip', label: message('Trip') },
  { id: 'sailings', label: message('Sailing') },
  { id: 'details', label: message('Details') },
  { id: 'pay', label: message('Pay') },
] as const;
export type Step = (typeof STEPS)[number]['id'];
export type StepProps = { catalogue: Catalogue; today: IsoDate };

/** The step in the address, or the furthest before it that the draft allows. */
export function useStep(): Step {
  const [search] = useSearchParams();
  const furthest = useDraftPart(furthestStep);
  const requested = STEPS.findIndex(({ id }) => id === (search.get('step') ?? 'trip'));
  return STEPS[Math.min(requested, furthest)]?.id ?? 'trip';
}

/** Each step is a history entry, so that the browser's back button goes one step back. */
export function useGoToStep(): (step: Step, options?: { replace?: boolean }) => void {
  const navigate = useNavigate();
  return useCallback(
    (step, { replace = false } = {}) => {
      void navigate({ search: step === 'trip' ? '' : `?step=${step}` }, { replace });
    },
    [navigate],
  );
}

export function confirmationPath(orderId: string): string {
  return fillPath(ticketPages.confirmation, { id: orderId });
}

/** Not while a payment is pending, and not for an order opened from its link: this tab knows none of its steps. */
export function canGoBack({ orderId, quote, isPaymentOpen }: Draft): boolean {
  return orderId === null || (quote !== null && !isPaymentOpen);
}

function furthestStep({ trip, hasSearched, hold, quote, orderId }: Draft): number {
  if (orderId !== null) return 3;
  if (hold !== null && quote !== null) return 2;
  return hasSearched && (trip === null || hasDates(trip)) ? 1 : 0;
}

function hasDates({ tripType, outDate, backDate }: TripSearch): boolean {
  return outDate !== '' && (tripType === 'one-way' || backDate !== '');
}
