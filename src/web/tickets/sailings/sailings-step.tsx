import { useEffect, useRef } from 'react';
import { Money } from '#web/ui/data/money.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { StickyBar } from '#web/ui/layout/page.tsx';
import { useDraft, usePurchase } from '../purchase.ts';
import { StepAside, StepHeading, StepLayout, StepMain } from '../step-layout.tsx';
import type { StepProps } from '../steps.ts';
import { currentTrip, findLegRoute } from '../trip/trip.ts';
import { TripSummary } from '../trip-summary.tsx';
import { FareChoice } from './fare-choice.tsx';
import { LEG_IDS, LegPicker } from './leg-picker.tsx';
import { RefusalNotice } from './refusal-notice.tsx';
import { useOffers } from './use-offers.ts';

const FARE_ID = 'fare-class';

export function SailingsStep({ catalogue, today }: StepProps) {
  const { change } = usePurchase();
  const { outward, back, notice, ...draft } = useDraft();
  const trip = currentTrip(draft.trip, catalogue, today);
  const needsBack = trip.way === 'return' && back === null;
  useFocusOnNextChoice(
    [outward?.id, back?.id].join(),
    outward === null ? LEG_IDS.out : needsBack ? LEG_IDS.back : FARE_ID,
  );
  const isComplete = outward !== null && !needsBack;
  const { fares, quote, refusal, changed, isPending, proceed } = useOffers(catalogue, trip, isComplete);
  return (
    <StepLayout>
      <StepHeading>Choose your sailing</StepHeading>
      <StepMain>
        {notice !== null && (
          <Notice type="warning" role="alert">
            {notice}
          </Notice>
        )}
        <LegPicker leg="out" trip={trip} catalogue={catalogue} today={today} />
        {trip.way === 'return' && outward !== null && (
          <LegPicker leg="back" trip={trip} catalogue={catalogue} today={today} />
        )}
        {isComplete && <FareChoice id={FARE_ID} promoCode={trip.promoCode} {...fares} />}
        {isComplete && refusal !== null && (
          <RefusalNotice
            refusal={refusal}
            changed={changed}
            onChooseAlternative={(sailing) => {
              const isBack = findLegRoute(catalogue, trip, 'back')?.id === sailing.routeId;
              change({ ...(isBack ? { back: sailing } : { outward: sailing, back: null }), refusal: null });
            }}
            onReopen={() => change({ outward: null, back: null, refusal: null })}
          />
        )}
      </StepMain>
      <StepAside>
        <TripSummary catalogue={catalogue} today={today} />
        {isComplete && (
          <StickyBar>
            <div aria-live="polite">
              {quote && <Money amount={quote.total} currency={quote.currency} size="large" />}
            </div>
            <Button
              size="large"
              isPending={isPending}
              pendingText="Holding your places…"
              onClick={() => void proceed()}
            >
              {changed === null ? 'Continue' : 'Accept and continue'}
            </Button>
          </StickyBar>
        )}
      </StepAside>
    </StepLayout>
  );
}

/** The pressed button disappears with its list, so the focus moves to the next choice. */
function useFocusOnNextChoice(chosen: string, nextId: string): void {
  const handled = useRef(chosen);
  useEffect(() => {
    if (handled.current === chosen) return;
    handled.current = chosen;
    const target = document.getElementById(nextId);
    target?.focus({ preventScroll: true });
    target?.scrollIntoView({ block: 'start' });
  }, [chosen, nextId]);
}
