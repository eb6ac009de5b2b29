import { useQueries } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { SailingRow } from '#web/features/sailing/sailing-row.tsx';
import { t } from '#web/language/texts.ts';
import type { Sailing } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { Money } from '#web/ui/data/money.tsx';
import { Notice, Problem } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { StickyBar } from '#web/ui/layout/sticky-bar.tsx';
import { PriceChange, type PriceChangeProps } from '../price-change.tsx';
import { useDraft, usePurchase } from '../purchase.ts';
import { StepAside, StepHeading, StepLayout, StepMain } from '../step-layout.tsx';
import type { StepProps } from '../steps.ts';
import { currentTripSearch, findRoute } from '../trip/trip-search.ts';
import { TripSummary } from '../trip-summary.tsx';
import { EditParty } from './edit-party.tsx';
import { FareChoice } from './fare-choice.tsx';
import { LEG_IDS, LegPicker } from './leg-picker.tsx';
import { sailingQuery } from './queries.ts';
import type { Refusal } from './refusal.ts';
import { useFocusOnNextChoice } from './use-focus-on-next-choice.ts';
import { useOffers } from './use-offers.ts';

const FARE_ID = 'fare-class';

export function SailingsStep({ catalogue, today }: StepProps) {
  const { change } = usePurchase();
  const { outward, back, notice, ...draft } = useDraft();
  const trip = currentTripSearch(draft.trip, catalogue, today);
  const needsBack = trip.tripType === 'return' && back === null;
  useFocusOnNextChoice(
    [outward?.id, back?.id].join(),
    outward === null ? LEG_IDS.out : needsBack ? LEG_IDS.back : FARE_ID,
  );
  const isComplete = outward !== null && !needsBack;
  const { fares, quote, refusal, changed, isPending, proceed } = useOffers(catalogue, trip, isComplete);
  return (
    <StepLayout>
      <StepHeading>{t('Choose your sailing')}</StepHeading>
      <StepMain>
        {notice !== null && (
          <Notice type="warning" role="alert">
            {notice}
          </Notice>
        )}
        <Stack gap="xs">
          <EditParty catalogue={catalogue} trip={trip} />
          <LegPicker leg="out" trip={trip} catalogue={catalogue} today={today} isPartyShown />
        </Stack>
        {trip.tripType === 'return' && outward !== null && (
          <LegPicker leg="back" trip={trip} catalogue={catalogue} today={today} isPartyShown />
        )}
        {isComplete && <FareChoice id={FARE_ID} promoCode={trip.promoCode} {...fares} />}
        {isComplete && refusal !== null && (
          <RefusalNotice
            refusal={refusal}
            hasAlternatives={!outward.transfer && !back?.transfer}
            changed={changed}
            onChooseAlternative={(sailing) => {
              const isBack = findRoute(catalogue, trip.to, trip.from)?.id === sailing.routeId;
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
              pendingText={t('Holding your places…')}
              onClick={() => void proceed()}
            >
              {changed === null ? t('Continue') : t('Accept and continue')}
            </Button>
          </StickyBar>
        )}
      </StepAside>
    </StepLayout>
  );
}

type RefusalNoticeProps = {
  refusal: Refusal;
  /** Other sailings can take the place of one that is full; not where a change depends on it. */
  hasAlternatives: boolean;
  /** Null until the new price is known. */
  changed: PriceChangeProps | null;
  onChooseAlternative: (sailing: Sailing) => void;
  onReopen: () => void;
};

function RefusalNotice({
  refusal,
  hasAlternatives,
  changed,
  onChooseAlternative,
  onReopen,
}: RefusalNoticeProps) {
  const box = useRef<HTMLDivElement>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new refusal takes the focus again
  useEffect(() => box.current?.focus(), [refusal]);

  const alternatives = refusal.kind === 'sold_out' && hasAlternatives ? refusal.alternatives : [];
  const reopen = (
    <Button size="small" variant="secondary" onClick={onReopen}>
      {t('Choose another sailing')}
    </Button>
  );
  return (
    <div ref={box} tabIndex={-1}>
      {refusal.kind === 'price_changed' &&
        (changed === null ? (
          <Notice type="warning" role="alert">
            {t('The price has changed. We are getting the new one…')}
          </Notice>
        ) : (
          <PriceChange {...changed} />
        ))}
      {refusal.kind === 'sold_out' && (
        <Stack gap="sm">
          <Notice type="warning" role="alert" title={t('Those places were just taken')} action={reopen}>
            {refusal.text}
            {alternatives.length > 0 && ` ${t('These still have room for your party:')}`}
          </Notice>
          <Alternatives ids={alternatives} onChoose={onChooseAlternative} />
        </Stack>
      )}
      {refusal.kind === 'sailing_gone' && (
        <Notice type="warning" role="alert" action={reopen}>
          {refusal.text}
        </Notice>
      )}
      {refusal.kind === 'other' && <Problem text={refusal.text} />}
    </div>
  );
}

function Alternatives({ ids, onChoose }: { ids: readonly string[]; onChoose: (sailing: Sailing) => void }) {
  const { contact } = useSettings();
  const sailings = useQueries({ queries: ids.map(sailingQuery) });
  return (
    <Stack as="ul" gap="sm" aria-label={t('Sailings with room for your party')}>
      {sailings
        .flatMap(({ data }) => data ?? [])
        .toSorted((a, b) => Date.parse(a.departsAt) - Date.parse(b.departsAt))
        .map((sailing) => (
          <SailingRow key={sailing.id} sailing={sailing} onChoose={onChoose} phone={contact.phone} showsDay />
        ))}
    </Stack>
  );
}
