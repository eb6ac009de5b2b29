import { keepPreviousData, type QueryKey, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Boat, describeJourney } from '#web/features/sailing/describe-journey.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { t } from '#web/language/texts.ts';
import { DatePicker } from '#web/ui/calendar/date-picker.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Select } from '#web/ui/form/select.tsx';

type Journey = readonly (Boat & { sailingId: string })[];

/** The journeys of a day, and the days on which there may be others. */
type JourneysOfDay = { day: string; firstDay: string; lastDay: string; journeys: readonly Journey[] };

type BoatPickerProps<Listed extends JourneysOfDay> = {
  /** Of the boat's field. */
  id?: string;
  error?: string | undefined;
  /** Of the journey, if there are two. */
  name: string | undefined;
  /** The day that is shown first; null: the list says. */
  startDay: string | null;
  /** The first day that may be chosen; undefined: the list says. */
  earliest?: string | undefined;
  queryKey: QueryKey;
  list: (day: string | null, signal: AbortSignal) => Promise<Listed>;
  /** The sailings of the chosen journey; empty: none. */
  chosen: readonly string[];
  onChoose: (journey: Listed['journeys'][number] | undefined, listed: Listed) => void;
  /** Says that no boat of the day has room. */
  emptyText: string;
};

/** Chooses a day, and a boat of that day. */
export function BoatPicker<Listed extends JourneysOfDay>(props: BoatPickerProps<Listed>) {
  const { id, error, name, startDay, earliest, queryKey, list, chosen, onChoose, emptyText } = props;
  const [day, setDay] = useState(startDay);
  const query = useQuery({
    queryKey: [...queryKey, day],
    queryFn: ({ signal }) => list(day, signal),
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
  const { journeys } = data;
  return (
    <>
      <DatePicker
        label={name === undefined ? t('Day') : t('{journey}: day', { journey: name })}
        value={day ?? data.day}
        min={earliest ?? data.firstDay}
        max={data.lastDay}
        onChange={(next, problem) => {
          if (problem !== null || next === '') return;
          setDay(next);
          onChoose(undefined, data);
        }}
      />
      {isPlaceholderData ? (
        <Skeleton height="4rem" />
      ) : journeys.length === 0 ? (
        <p role="status" id={id} tabIndex={-1}>
          {emptyText}
        </p>
      ) : (
        <Select
          id={id}
          error={error}
          label={name === undefined ? t('Boat') : t('{journey}: boat', { journey: name })}
          placeholder={t('Choose a boat')}
          value={chosen.join()}
          onChange={({ target }) =>
            onChoose(
              journeys.find((journey) => identify(journey) === target.value),
              data,
            )
          }
          options={journeys.map((journey) => ({ value: identify(journey), label: describeJourney(journey) }))}
        />
      )}
    </>
  );
}

function identify(journey: Journey): string {
  return journey.map(({ sailingId }) => sailingId).join();
}
