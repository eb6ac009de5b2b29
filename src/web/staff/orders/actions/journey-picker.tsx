import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listStaffJourneys } from '#contract/desk/changes/endpoints.ts';
import { getDirection } from '#domain/orders/legs.ts';
import { describeJourney } from '#web/features/sailing/describe-journey.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { localDay } from '#web/features/site/local-time.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { Leg, StaffJourneys, StaffOrder } from '#web/platform/api/types.ts';
import { DatePicker } from '#web/ui/calendar/date-picker.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Select } from '#web/ui/form/select.tsx';
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
        <Skeleton height="6rem" />
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
        <Skeleton height="4rem" />
      ) : (
        <Journeys data={data} name={name} chosen={chosen} onChoose={onChoose} />
      )}
    </Stack>
  );
}

type JourneysProps = Pick<JourneyPickerProps, 'name' | 'chosen' | 'onChoose'> & { data: StaffJourneys };

function Journeys({ data: { journeys, hasChoice }, name, chosen, onChoose }: JourneysProps) {
  if (journeys.length === 0) {
    return <p role="status">{t('No other boat has enough room on this day. Choose another day.')}</p>;
  }
  return (
    <Select
      label={name === undefined ? t('Boat') : t('{journey}: boat', { journey: name })}
      placeholder={t('Choose a boat')}
      value={chosen ? identify(chosen.legs) : ''}
      onChange={({ target }) => {
        const legs = journeys.find((journey) => identify(journey) === target.value);
        onChoose(legs && { legs, hasChoice });
      }}
      options={journeys.map((journey) => ({ value: identify(journey), label: describeJourney(journey) }))}
    />
  );
}

function identify(journey: readonly Leg[]): string {
  return journey.map(({ sailingId }) => sailingId).join();
}
