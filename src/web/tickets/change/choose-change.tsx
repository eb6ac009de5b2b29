import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatClock, formatShortDay, localDay } from '#web/features/site/local-time.ts';
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
import { LegPicker } from '../sailings/leg-picker.tsx';
import { PartyFields, VehicleFields } from '../trip/party-fields.tsx';
import type { Trip } from '../trip/trip.ts';
import { findTripProblems } from '../trip/trip-problems.ts';
import { type ChangeableWay, fillTrip } from './changeable-ways.ts';
import { ConfirmChange } from './confirm-change.tsx';
import { buildChangeRequest, changeQuoteQuery } from './queries.ts';

type ChooseChangeProps = {
  order: Order;
  catalogue: Catalogue;
  today: string;
  ways: readonly ChangeableWay[];
};

/** Which way, who travels, which sailing, and then the price before anything is changed. */
export function ChooseChange({ order, catalogue, today, ways }: ChooseChangeProps) {
  const { units } = useSettings();
  const purchase = usePurchase();
  const { changedWay, trip, outward } = useDraft();
  useBusyWhile(trip !== null, 'a change of an order', 'light');
  const problems = trip === null ? {} : findTripProblems(catalogue, trip, units);
  const field = (id: string) => ({ id, error: problems[id] });
  const hasProblems = Object.keys(problems).length > 0;

  function chooseWay(value: string) {
    const way = ways.find((each) => each.way === value);
    if (!way) return;
    const filled = fillTrip(way, { order, catalogue, today, units });
    purchase.change({ changedWay: way.way, trip: filled, plate: order.plate ?? '', outward: null });
  }

  function changeTrip(fields: Partial<Trip>) {
    if (trip === null) return;
    purchase.change({ trip: { ...trip, ...fields }, outward: null });
  }

  return (
    <>
      <RadioCards
        legend="What do you want to change?"
        value={changedWay}
        onChange={chooseWay}
        options={ways.map((way) => ({ value: way.way, ...describe(way, ways) }))}
      />
      {trip !== null && changedWay !== null && (
        <>
          <Card title="Who is traveling?">
            <PartyFields catalogue={catalogue} trip={trip} field={field} onChange={changeTrip} />
          </Card>
          <Card title="Vehicle and bicycles">
            <VehicleFields
              catalogue={catalogue}
              trip={trip}
              field={field}
              onChange={changeTrip}
              units={units}
            />
          </Card>
          {!hasProblems && <LegPicker leg="out" trip={trip} catalogue={catalogue} today={today} />}
          {!hasProblems && outward !== null && (
            <Price order={order} catalogue={catalogue} key={JSON.stringify([trip, outward.id])} />
          )}
        </>
      )}
    </>
  );
}

/** "Outbound" with its boat, or "Add a return". */
function describe({ way, isAdded, first, last }: ChangeableWay, ways: readonly ChangeableWay[]) {
  if (isAdded) {
    return { label: 'Add a return', description: `${last.destination.name} to ${first.origin.name}` };
  }
  const isOnly = ways.filter((each) => !each.isAdded).length === 1;
  const name = way === 'back' ? 'Return' : isOnly ? 'Your trip' : 'Outbound';
  const time = `${formatShortDay(localDay(first.departsLocal))}, ${formatClock(first.departsLocal)}`;
  return { label: name, description: `${first.origin.name} to ${last.destination.name}, ${time}` };
}

function Price({ order, catalogue }: Pick<ChooseChangeProps, 'order' | 'catalogue'>) {
  const { units } = useSettings();
  const draft = useDraft();
  const [plate, setPlate] = useState(draft.plate);
  const body = buildChangeRequest(catalogue, { draft: { ...draft, plate }, units, order });
  const quote = useQuery({ ...changeQuoteQuery(order, body), enabled: body !== null });
  if (body === null) return null;
  return (
    <Card title="Price of the change">
      {draft.trip?.vehicle && (
        <ReferenceField
          label="License plate"
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
