import { useQueries, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import type { Catalogue, Quote, Sailing } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { beginBusy } from '#web/platform/updates/busy.ts';
import { Button } from '#web/ui/button.tsx';
import { clampDay, type IsoDate } from '#web/ui/calendar.ts';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { StickyBar } from '#web/ui/page.tsx';
import { Stack } from '#web/ui/stack.tsx';
import { changeDraft, useDraft } from '../draft.ts';
import { chosenIds, keepPlaces } from '../hold.ts';
import { StepHeading } from '../step-heading.tsx';
import { useGoToStep } from '../steps.ts';
import {
  currentTrip,
  findLegRoute,
  findSailingsSearch,
  type LegName,
  quoteRequestOf,
  type Trip,
} from '../trip/trip.ts';
import { FareChoice, type OfferState } from './fare-choice.tsx';
import { LegPicker } from './leg-picker.tsx';
import { offerQuery } from './queries.ts';
import { type Refusal, readRefusal } from './refusal.ts';
import { RefusalNotice } from './refusal-notice.tsx';

const LEG_IDS = { out: 'sailings-out', back: 'sailings-back' } as const;
const FARE_ID = 'fare-class';

type SailingsStepProps = { catalogue: Catalogue; today: IsoDate };

export function SailingsStep({ catalogue, today }: SailingsStepProps) {
  const draft = useDraft();
  const trip = currentTrip(draft.trip, catalogue, today);
  const { outward, lapse } = draft;
  useFocusOnNextChoice(trip.way, outward?.id ?? null, draft.back?.id ?? null);
  const isComplete = outward !== null && (trip.way === 'one-way' || draft.back !== null);
  return (
    <Stack gap="lg">
      <StepHeading>Choose your sailing</StepHeading>
      {lapse !== null && (
        <Notice type="warning" role="alert">
          {lapse}
        </Notice>
      )}
      <Leg leg="out" trip={trip} catalogue={catalogue} today={today} />
      {trip.way === 'return' && outward !== null && (
        <Leg leg="back" trip={trip} catalogue={catalogue} today={today} />
      )}
      {isComplete && <Offers key={chosenIds(draft).join()} catalogue={catalogue} trip={trip} />}
    </Stack>
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

function Offers({ catalogue, trip }: { catalogue: Catalogue; trip: Trip }) {
  const { units } = useSettings();
  const draft = useDraft();
  const goToStep = useGoToStep();
  const client = useQueryClient();
  const [changed, setChanged] = useState<{ was: number; quote: Quote } | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(draft.refusal);
  const [isPending, setIsPending] = useState(false);

  const sailingIds = chosenIds(draft);
  const { fareClasses } = catalogue;
  const request = (fareClass: string) =>
    quoteRequestOf(catalogue, trip, units, { sailingIds, fareClass, promoCode: trip.promoCode });
  const results = useQueries({ queries: fareClasses.map(({ code }) => offerQuery(request(code))) });
  const chosen = draft.fareClass ?? fareClasses[0]?.code ?? '';
  const offers = fareClasses.map((fareClass, index): OfferState => {
    const result = results[index];
    const error = result?.isError ? result.error : null;
    if (changed?.quote.fareClass.code === fareClass.code) {
      return { fareClass, offer: { quote: changed.quote, promoProblem: null }, error: null };
    }
    return { fareClass, offer: result?.data ?? null, error };
  });
  const quote = offers.find(({ fareClass }) => fareClass.code === chosen)?.offer?.quote ?? null;

  async function proceed() {
    const done = beginBusy('places being taken');
    setIsPending(true);
    setRefusal(null);
    let asked = quote;
    try {
      // Pressed before the price came: it is waited for, and shown again with the details.
      asked ??= (await client.fetchQuery(offerQuery(request(chosen)))).quote;
      await keepPlaces(asked);
      changeDraft({ fareClass: chosen });
      goToStep('details');
    } catch (error) {
      // The order of before was paid after all, or is being paid: its own step tells.
      if (hasErrorCode(error, 'already_paid') || hasErrorCode(error, 'payment_in_progress')) goToStep('pay');
      else await handleRefusal(readRefusal(error), asked);
    } finally {
      setIsPending(false);
      done();
    }
  }

  async function handleRefusal(next: Refusal, asked: Quote | null) {
    setRefusal(next);
    if (next.kind === 'price_changed' && asked !== null) {
      const fresh = next.quote ?? (await askAgain());
      if (fresh !== null) setChanged({ was: asked.total, quote: fresh });
    } else if (next.kind !== 'other') {
      await client.invalidateQueries({ queryKey: ['sailings'] });
    }
  }

  async function askAgain(): Promise<Quote | null> {
    await client.invalidateQueries({ queryKey: ['offer'] });
    return client.getQueryData(offerQuery(request(chosen)).queryKey)?.quote ?? null;
  }

  function forgetRefusal() {
    setRefusal(null);
    setChanged(null);
    changeDraft({ refusal: null });
  }

  return (
    <>
      <FareChoice
        id={FARE_ID}
        offers={offers}
        chosen={chosen}
        promoCode={trip.promoCode}
        onChoose={(fareClass) => {
          forgetRefusal();
          changeDraft({ fareClass });
        }}
        onPromoCode={(promoCode) => {
          forgetRefusal();
          changeDraft({ trip: { ...trip, promoCode } });
        }}
        onRetry={() => void client.invalidateQueries({ queryKey: ['offer'] })}
      />
      <RefusalNotice
        refusal={refusal}
        changed={changed}
        onAlternative={(sailing) => {
          const isBack = findLegRoute(catalogue, trip, 'back')?.id === sailing.routeId;
          changeDraft({ ...(isBack ? { back: sailing } : { outward: sailing, back: null }), refusal: null });
        }}
        onReopen={() => changeDraft({ outward: null, back: null, refusal: null })}
      />
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
    </>
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
