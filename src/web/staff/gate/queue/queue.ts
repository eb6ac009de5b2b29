import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { changeQueueEntry, getQueue } from '#contract/gate/queue/endpoints.ts';
import type { QueueEntryChange } from '#contract/gate/queue/schemas.ts';
import type { GateSailing } from '#contract/gate/schemas.ts';
import { request } from '#web/platform/api/request.ts';
import type { Queue } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';

/** Others at the ramp and at the desk change it too. In milliseconds. */
const INTERVAL_MS = 5000;

type QueueSailing = Pick<GateSailing, 'id' | 'route_id' | 'destination' | 'status' | 'departed_at'>;

/** A boat with a queue: the sailings that leave a port together on one vessel. */
export type QueueBoat = { sailings: readonly [QueueSailing, ...QueueSailing[]] };

/** The queue of a boat, by one of its sailings. */
export function queueQuery(sailingId: string) {
  return queryOptions({
    queryKey: ['turn-up-queue', sailingId] as const,
    queryFn: ({ signal }) => request(getQueue, { params: { id: sailingId }, signal }),
    refetchInterval: INTERVAL_MS,
  });
}

/** Replaces the shown queue by the one that a change answers with. */
export function useStoreQueue(sailingId: string): (queue: Queue) => void {
  const client = useQueryClient();
  return (queue) => client.setQueryData(queueQuery(sailingId).queryKey, queue);
}

export type EntryChange = { id: string; status: QueueEntryChange };

/** Calls, serves or removes a party, or takes that back. */
export function useChangeEntry(sailingId: string, onDone: (change: EntryChange) => void) {
  const store = useStoreQueue(sailingId);
  return useAction(
    ({ id, status }: EntryChange) => request(changeQueueEntry, { params: { id }, body: { status } }),
    {
      onDone: (queue, change) => {
        store(queue);
        onDone(change);
      },
    },
  );
}
