import { type QueryKey, useQuery } from '@tanstack/react-query';
import { SavedAgeLine, useIsFresh } from '#web/features/saved-offline/saved-age.tsx';
import { LoadProblem } from '#web/features/site/load-problem.tsx';
import { t } from '#web/language/texts.ts';
import type { Order } from '#web/platform/api/types.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { Loading } from '#web/ui/feedback/skeleton.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { JourneyCard } from './journey-card.tsx';
import { orderOptionsQuery } from './options-query.ts';

export type TravelChoiceProps = {
  order: Order;
  /** The query with which the screen loads the order. */
  queryKey: QueryKey;
};

/** Other passengers take places too, so the options are soon out of date. */
const REFETCH_EVERY_MS = 60_000;

type ChoiceCardsProps = TravelChoiceProps & { onRefund: (ticketIds: string[]) => void };

export function ChoiceCards({ order, queryKey, onRefund }: ChoiceCardsProps) {
  const query = useQuery({
    ...orderOptionsQuery(order.id),
    refetchInterval: REFETCH_EVERY_MS,
  });
  const isFresh = useIsFresh(query);
  const { data: options } = query;
  if (query.isPending) return <Loading text={t('Loading your choice…')} height="12rem" />;
  if (!options) return <LoadProblem title={t('Other sailings could not be loaded')} query={query} />;
  const open = options.journeys.filter(({ deadline }) => Date.parse(deadline) > serverNow());
  return (
    <Stack data-no-print="">
      {open.map((journey) => (
        <JourneyCard
          key={journey.direction}
          order={order}
          queryKey={queryKey}
          options={options}
          journey={journey}
          onRefund={onRefund}
        />
      ))}
      {open.length > 0 && !isFresh && (
        <SavedAgeLine asOf={[options.asOf]} isFresh={isFresh} now={serverNow()} />
      )}
    </Stack>
  );
}
