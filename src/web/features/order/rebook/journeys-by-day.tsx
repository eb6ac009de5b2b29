import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listOrderJourneys } from '#contract/orders/rebook/endpoints.ts';
import { LoadProblem } from '#web/features/site/load-problem.tsx';
import { formatShortDay } from '#web/features/site/local-time.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { JourneyOptions, Leg } from '#web/platform/api/types.ts';
import { ORDER_OPTIONS_KEY } from '#web/platform/query/query-keys.ts';
import { addDays } from '#web/ui/calendar/calendar.ts';
import { Loading } from '#web/ui/feedback/skeleton.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { JourneyList } from './journey-list.tsx';

type JourneysByDayProps = {
  orderId: string;
  journey: JourneyOptions;
  isRunning: (journey: Leg[]) => boolean;
  onTake: (journey: Leg[]) => void;
};

/** The next journeys that a party may take, or those of a day that the buyer chooses. */
export function JourneysByDay({ orderId, journey, ...list }: JourneysByDayProps) {
  const [day, setDay] = useState('');
  const days = listDays(journey);
  return (
    <Stack>
      {days.length > 1 && (
        <Select
          label={t('Day')}
          placeholder={t('The next sailings')}
          options={days.map((value) => ({ value, label: formatShortDay(value) }))}
          value={day}
          onChange={(event) => setDay(event.target.value)}
        />
      )}
      {day === '' ? (
        <Journeys journeys={journey.others} {...list} />
      ) : (
        <JourneysOfDay key={day} orderId={orderId} journey={journey} day={day} {...list} />
      )}
    </Stack>
  );
}

function listDays({ days }: JourneyOptions): string[] {
  if (!days) return [];
  const list = [days.first];
  for (let day = addDays(days.first, 1); day <= days.last; day = addDays(day, 1)) list.push(day);
  return list;
}

function JourneysOfDay({ orderId, journey, day, ...list }: JourneysByDayProps & { day: string }) {
  const query = useQuery({
    queryKey: [...ORDER_OPTIONS_KEY, orderId, journey.direction, day],
    queryFn: ({ signal }) =>
      request(listOrderJourneys, {
        params: { id: orderId },
        query: { direction: journey.direction, day },
        signal,
      }),
  });
  if (query.isPending) return <Loading text={t('Loading sailings…')} height="6rem" />;
  if (!query.data)
    return <LoadProblem title={t('The sailings of this day could not be loaded')} query={query} />;
  const booked = journey.booked.map(({ sailingId }) => sailingId).join();
  const others = query.data.journeys.filter(
    (journey) => journey.map(({ sailingId }) => sailingId).join() !== booked,
  );
  return <Journeys journeys={others} {...list} />;
}

function Journeys(props: Parameters<typeof JourneyList>[0]) {
  return props.journeys.length > 0 ? (
    <JourneyList {...props} />
  ) : (
    <p role="status">{t('No sailing has enough room for you then. Choose another day.')}</p>
  );
}
