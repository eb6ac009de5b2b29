import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { writeShownTime } from '#sentences/crossing-times.ts';
import { readCrossingTimes } from '#web/features/sailing/crossing-times.ts';
import { formatShortDay, localDay } from '#web/features/site/local-time.ts';
import { t } from '#web/language/texts.ts';
import { errorText } from '#web/platform/api/api-error.ts';
import type { Catalogue, Order } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { Problem } from '#web/ui/feedback/notice.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { ReferenceField } from '#web/ui/form/field.tsx';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { useDraft, usePurchase } from '../purchase.ts';
import { LEG_IDS, LegPicker } from '../sailings/leg-picker.tsx';
import { useFocusOnNextChoice } from '../sailings/use-focus-on-next-choice.ts';
import { PartyFields, VehicleFields } from '../trip/party-fields.tsx';
import { findTripProblems } from '../trip/trip-problems.ts';
import type { TripSearch } from '../trip/trip-search.ts';
import { type Choice, fillTrip } from './changeable-journeys.ts';
import { ConfirmChange } from './confirm-change.tsx';
import { buildChangeRequest, changeQuoteQuery } from './queries.ts';

type ChooseChangeProps = {
  order: Order;
  catalogue: Catalogue;
  today: string;
  choices: readonly Choice[];
};

const PRICE_ID = 'price-of-change';

/** Which journey, who travels, which sailing, and then the price before anything is changed. */
export function ChooseChange({ order, catalogue, today, choices }: ChooseChangeProps) {
  const { units } = useSettings();
  const purchase = usePurchase();
  const { changedJourney, trip, outward, back } = useDraft();
  useBusyWhile(trip !== null, 'a change of an order', 'light');
  const problems = trip === null ? {} : findTripProblems(catalogue, trip, units);
  const field = (id: string) => ({ id, error: problems[id] });
  const hasProblems = Object.keys(problems).length > 0;
  const needsBack = changedJourney === 'both' && back === null;
  useFocusOnNextChoice(
    [outward?.id, back?.id].join(),
    outward === null ? LEG_IDS.out : needsBack ? LEG_IDS.back : PRICE_ID,
  );

  function chooseJourney(value: string) {
    const choice = choices.find((each) => each.value === value);
    if (!choice) return;
    const filled = fillTrip(choice, { order, catalogue, today, units });
    const sailings = { outward: null, back: null };
    purchase.change({ changedJourney: choice.value, trip: filled, plate: order.plate ?? '', ...sailings });
  }

  function changeTrip(fields: Partial<TripSearch>) {
    if (trip === null) return;
    purchase.change({ trip: { ...trip, ...fields }, outward: null, back: null });
  }

  return (
    <>
      <RadioCards
        legend={t('What do you want to change?')}
        value={changedJourney}
        onChange={chooseJourney}
        options={choices.map((choice) => ({ value: choice.value, ...describe(choice, choices) }))}
      />
      {trip !== null && changedJourney !== null && (
        <>
          <Card title={t('Who is traveling?')}>
            <PartyFields catalogue={catalogue} trip={trip} field={field} onChange={changeTrip} />
          </Card>
          <Card title={t('Vehicle and bicycles')}>
            <VehicleFields
              catalogue={catalogue}
              trip={trip}
              field={field}
              onChange={changeTrip}
              units={units}
            />
          </Card>
          {!hasProblems && <LegPicker leg="out" trip={trip} catalogue={catalogue} today={today} />}
          {!hasProblems && outward !== null && trip.tripType === 'return' && (
            <LegPicker leg="back" trip={trip} catalogue={catalogue} today={today} />
          )}
          {!hasProblems && outward !== null && !needsBack && (
            <Price order={order} catalogue={catalogue} key={JSON.stringify([trip, outward.id, back?.id])} />
          )}
        </>
      )}
    </>
  );
}

/** "Outbound" with its boat, "Both journeys", or "Add a return". */
function describe({ value, journeys: [{ isAdded, first, last }] }: Choice, choices: readonly Choice[]) {
  if (value === 'both') {
    return {
      label: t('Both ways'),
      description: t('{from} to {to} and back', { from: first.origin.name, to: last.destination.name }),
    };
  }
  if (isAdded) {
    return {
      label: t('Add a return'),
      description: t('{from} to {to}', { from: last.destination.name, to: first.origin.name }),
    };
  }
  const isOnly = choices.filter(({ journeys: [journey] }) => !journey.isAdded).length === 1;
  return {
    label: value === 'back' ? t('Return') : isOnly ? t('Your trip') : t('Outbound'),
    description: t('{from} to {to}, {day}, {time}', {
      from: first.origin.name,
      to: last.destination.name,
      day: formatShortDay(localDay(first.departsLocal)),
      time: writeShownTime(t, readCrossingTimes(first).departs),
    }),
  };
}

function Price({ order, catalogue }: Pick<ChooseChangeProps, 'order' | 'catalogue'>) {
  const { units } = useSettings();
  const draft = useDraft();
  const [plate, setPlate] = useState(draft.plate);
  const body = buildChangeRequest(catalogue, { draft: { ...draft, plate }, units, order });
  const quote = useQuery({ ...changeQuoteQuery(order, body), enabled: body !== null });
  if (body === null) return null;
  return (
    <Card id={PRICE_ID} tabIndex={-1} title={t('Price of the change')}>
      {draft.trip?.vehicle && (
        <ReferenceField
          label={t('License plate')}
          maxLength={12}
          defaultValue={plate}
          onBlur={(event) => setPlate(event.target.value)}
        />
      )}
      {quote.data ? (
        <ConfirmChange order={order} quote={quote.data} body={body} />
      ) : quote.error ? (
        <Problem text={errorText(quote.error)} />
      ) : (
        <Skeleton height="2rem" lines={4} />
      )}
    </Card>
  );
}
