import { useEffect, useRef } from 'react';
import type { Catalogue, Sailing } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { clampDay, type IsoDate } from '#web/ui/calendar/calendar.ts';
import { Money } from '#web/ui/data/money.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { StickyBar } from '#web/ui/layout/page.tsx';
import { changeDraft, useDraft } from '../draft.ts';
import { StepHeading } from '../step-heading.tsx';
import { StepAside, StepLayout, StepMain } from '../step-layout.tsx';
import { currentTrip, findLegRoute, findSailingsSearch, type LegName, type Trip } from '../trip/trip.ts';
import { TripSummary } from '../trip-summary.tsx';
import { FareChoice } from './fare-choice.tsx';
import { LegPicker } from './leg-picker.tsx';
import { RefusalNotice } from './refusal-notice.tsx';
import { useOffers } from './use-offers.ts';

const LEG_IDS = { out: 'sailings-out', back: 'sailings-back' } as const;
const FARE_ID = 'fare-class';

type SailingsStepProps = { catalogue: Catalogue; today: IsoDate };

export function SailingsStep({ catalogue, today }: SailingsStepProps) {
  const draft = useDraft();
  const trip = currentTrip(draft.trip, catalogue, today);
  const { outward, lapse } = draft;
  useFocusOnNextChoice(trip.way, outward?.id ?? null, draft.back?.id ?? null);
  const isComplete = outward !== null && (trip.way === 'one-way' || draft.back !== null);
  const { offers, quote, refusal, changed, isPending, ...act } = useOffers(catalogue, trip, isComplete);
  return (
    <StepLayout>
      <StepHeading>Choose your sailing</StepHeading>
      <StepMain>
        {lapse !== null && (
          <Notice type="warning" role="alert">
            {lapse}
          </Notice>
        )}
        <Leg leg="out" trip={trip} catalogue={catalogue} today={today} />
        {trip.way === 'return' && outward !== null && (
          <Leg leg="back" trip={trip} catalogue={catalogue} today={today} />
        )}
        {isComplete && (
          <>
            <FareChoice
              id={FARE_ID}
              offers={offers}
              chosen={act.chosen}
              promoCode={trip.promoCode}
              onChoose={act.chooseFare}
              onPromoCode={act.applyPromoCode}
              onRetry={act.retry}
            />
            <RefusalNotice
              refusal={refusal}
              changed={changed}
              onAlternative={(sailing) => {
                const isBack = findLegRoute(catalogue, trip, 'back')?.id === sailing.routeId;
                changeDraft({
                  ...(isBack ? { back: sailing } : { outward: sailing, back: null }),
                  refusal: null,
                });
              }}
              onReopen={() => changeDraft({ outward: null, back: null, refusal: null })}
            />
          </>
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
              onClick={() => void act.proceed()}
            >
              {changed === null ? 'Continue' : 'Accept and continue'}
            </Button>
          </StickyBar>
        )}
      </StepAside>
    </StepLayout>
  );
}

type LegProps = SailingsStepProps & { leg: LegName; trip: Trip };

function Leg({ leg, trip, catalogue, today }: LegProps) {
  const { units } = useSettings();
  const { outward, back } = useDraft();
  const route = findLegRoute(catalogue, trip, leg);
  const search = findSailingsSearch(catalogue, trip, leg, units);
  if (route === null || search === null) return null;
  const port = (id: string) => catalogue.ports.find((each) => each.id === id)?.name ?? '';
  const earliest = clampDay(today, catalogue.onSaleFrom, catalogue.onSaleUntil);

  function choose(sailing: Sailing | null) {
    // Another outward boat may arrive after the chosen return has left.
    const chosen = leg === 'out' ? { outward: sailing, back: null } : { back: sailing };
    changeDraft({ ...chosen, lapse: null, refusal: null });
  }

  function showDay(day: IsoDate) {
    if (leg === 'back') changeDraft({ trip: { ...trip, backDate: day } });
    else changeDraft({ trip: { ...trip, outDate: day, backDate: clampDay(trip.backDate, day) } });
  }

  return (
    <LegPicker
      id={LEG_IDS[leg]}
      title={trip.way === 'one-way' ? null : leg === 'out' ? 'Outbound' : 'Return'}
      from={port(route.originPortId)}
      to={port(route.destinationPortId)}
      route={route}
      search={search}
      firstDay={leg === 'out' ? earliest : (outward?.serviceDate ?? trip.outDate)}
      lastDay={catalogue.onSaleUntil}
      notBefore={leg === 'back' ? (outward?.arrivesAt ?? null) : null}
      chosen={leg === 'out' ? outward : back}
      onChoose={choose}
      onDay={showDay}
    />
  );
}

/** The button that was pressed is gone with its list: the focus goes where the next choice is. */
function useFocusOnNextChoice(way: Trip['way'], outId: string | null, backId: string | null): void {
  const shown = useRef({ outId, backId });
  useEffect(() => {
    const before = shown.current;
    if (before.outId === outId && before.backId === backId) return;
    shown.current = { outId, backId };
    const next = outId === null ? LEG_IDS.out : way === 'return' && backId === null ? LEG_IDS.back : FARE_ID;
    const target = document.getElementById(next);
    target?.focus({ preventScroll: true });
    target?.scrollIntoView({ block: 'start' });
  }, [way, outId, backId]);
}
