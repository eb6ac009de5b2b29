import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listStaffJourneys } from '#contract/desk/changes/endpoints.ts';
import { getDirection } from '#domain/orders/legs.ts';
import { readCrossingTimes } from '#web/features/sailing/crossing-times.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { formatDay, localDay } from '#web/features/site/local-time.ts';
import { listNames } from '#web/language/lists.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { Leg, StaffJourneys, StaffOrder } from '#web/platform/api/types.ts';
import { DatePicker } from '#web/ui/calendar/date-picker.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';

type JourneyPickerProps = {
  staffOrder: StaffOrder;
  /** The first boat that is booked. */
  start: Leg;
  /** Of the journey, in an order of two. */
  name: string | undefined;
  /** The day before which the journey cannot be, `YYYY-MM-DD`. */
  earliest: string | undefined;
  chosen: ChosenJourney | undefined;
  onChoose: (chosen: ChosenJourney | undefined) => void;
};

/** `hasChoice`: instead of one that does not run as bought, so at no charge. */
export type ChosenJourney = { legs: readonly Leg[]; hasChoice: boolean };

/** The boats of a day that have room for the party of a journey. */
export function JourneyPicker(props: JourneyPickerProps) {
  const { staffOrder, start, name, earliest, chosen, onChoose } = props;
  const { reference, version } = staffOrder.order;
  const direction = getDirection(start.leg);
  const booked = localDay(start.departsLocal);
  const [day, setDay] = useState(() => {
    const [first] = chosen?.legs ?? [];
    if (first) return localDay(first.departsLocal);
    return earliest !== undefined && earliest > booked ? earliest : undefined;
  });
  const query = useQuery({
    queryKey: ['staff-journeys', reference, version, direction, day] as const,
    queryFn: ({ signal }) =>
      request(listStaffJourneys, {
        params: { reference },
        query: { direction, ...(day === undefined ? {} : { day }) },
        signal,
      }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const { data, isPlaceholderData } = query;
  if (data === undefined) {
    return (
      <QueryFallback query={query} problem={t('We could not load the boats')} loading={t('Loading…')}>
        <Skeleton height="12rem" />
      </QueryFallback>
    );
  }
  return (
    <Stack>
      <DatePicker
        label={name === undefined ? t('Day') : t('{journey}: day', { journey: name })}
        value={day ?? data.day}
        min={earliest ?? data.firstDay}
        max={data.lastDay}
        onChange={(next, problem) => {
          if (problem !== null || next === '') return;
          setDay(next);
          onChoose(undefined);
        }}
      />
      {isPlaceholderData ? (
        <Skeleton height="12rem" />
      ) : (
        <Journeys data={data} name={name} chosen={chosen} onChoose={onChoose} />
      )}
    </Stack>
  );
}

type JourneysProps = Pick<JourneyPickerProps, 'name' | 'chosen' | 'onChoose'> & { data: StaffJourneys };

function Journeys({ data: { day, journeys, hasChoice }, name, chosen, onChoose }: JourneysProps) {
  if (journeys.length === 0) {
    return <p role="status">{t('No other boat has enough room on this day. Choose another day.')}</p>;
  }
  const boats = t('Boats on {day}', { day: formatDay(day) });
  return (
    <RadioCards
      legend={name === undefined ? boats : `${name}: ${boats}`}
      value={chosen ? identify(chosen.legs) : null}
      onChange={(value) => {
        const legs = journeys.find((journey) => identify(journey) === value);
        onChoose(legs && { legs, hasChoice });
      }}
      options={journeys.map((journey) => ({ value: identify(journey), ...describe(journey) }))}
    />
  );
}

function identify(journey: readonly Leg[]): string {
  return journey.map(({ sailingId }) => sailingId).join();
}

function describe(journey: readonly Leg[]): { label: string; description: string } {
  const [first] = journey;
  const last = journey.at(-1);
  if (!first || !last) return { label: '', description: '' };
  const { departs, lateness } = readCrossingTimes(first);
  return {
    label: departs.text,
    description: [
      lateness,
      journey.length > 1 && t('change at {port}', { port: last.origin.name }),
      t('arrives {time}', { time: readCrossingTimes(last).arrives.text }),
      listNames(journey.map(({ vesselName }) => vesselName)),
    ]
      .filter(Boolean)
      .join(' · '),
  };
}
