import { isShortNotice } from '#domain/orders/assistance.ts';
import { AssistanceFields } from '#web/features/order/assistance/assistance-fields.tsx';
import { labelTravelers } from '#web/features/order/traveler-names/travelers.ts';
import { type Journey, listSailings } from '#web/platform/query/journey.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { type Draft, useDraft, usePurchase } from '../purchase.ts';
import type { StepProps } from '../steps.ts';
import { findPortName } from '../trip/trip-search.ts';

type DraftAssistanceProps = Pick<StepProps, 'catalogue'> & { noticeHours: number };

/** What each traveler needs help with, kept in the draft. */
export function DraftAssistance({ catalogue, noticeHours }: DraftAssistanceProps) {
  const draft = useDraft();
  const { change } = usePurchase();
  const travelers = labelTravelers(draft.quote?.lines ?? []);
  return (
    <AssistanceFields
      travelers={travelers.map((each) => ({ ...each, name: draft.travelerNames[each.key]?.trim() }))}
      noticeHours={noticeHours}
      latePorts={listPortsOfShortNotice(draft, { catalogue, noticeHours })}
      asked={draft.assistance}
      onChange={(assistance) => change({ assistance })}
    />
  );
}

function listPortsOfShortNotice(
  { trip, outward, back }: Draft,
  { catalogue, noticeHours }: DraftAssistanceProps,
): string[] {
  const knownAt = serverNow();
  const ofJourney = (journey: Journey | null, from: string | undefined) =>
    journey === null
      ? []
      : listSailings(journey).flatMap(({ departsAt }, index) => {
          const port = index === 0 ? findPortName(catalogue, from ?? '') : (journey.transfer?.port ?? '');
          return isShortNotice({ departsAt: Date.parse(departsAt), knownAt }, noticeHours) ? [port] : [];
        });
  return [...ofJourney(outward, trip?.from), ...ofJourney(back, trip?.to)];
}
