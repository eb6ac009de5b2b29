import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { getDeskBoard, getDeskBoat } from '#contract/desk/endpoints.ts';
import { request } from '#web/platform/api/request.ts';

/** Sales and boarding go on while staff read. In milliseconds. */
const REFRESH_MS = 15_000;

/** The boats of a port on a day. Empty: the first port, today. */
export function boardQuery({ port, day }: { port: string; day: string }) {
  return queryOptions({
    queryKey: ['desk-board', port, day] as const,
    queryFn: ({ signal }) =>
      request(getDeskBoard, {
        query: { ...(port === '' ? {} : { port }), ...(day === '' ? {} : { day }) },
        signal,
      }),
    refetchInterval: REFRESH_MS,
  });
}

/** The board that was looked at last, such as of the port where the person works; the first port's of today if none was. */
export function latestBoardQuery(client: QueryClient) {
  const loaded = client.getQueryCache().findAll({ queryKey: ['desk-board'], predicate: hasData });
  const [latest] = loaded.toSorted((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt);
  const [, port = '', day = ''] = (latest?.queryKey ?? []) as readonly string[];
  return boardQuery({ port, day });
}

function hasData({ state }: { state: { data: unknown } }): boolean {
  return state.data !== undefined;
}

/** One boat with the orders on it. */
export function boatQuery(id: string) {
  return queryOptions({
    queryKey: ['desk-boat', id] as const,
    queryFn: ({ signal }) => request(getDeskBoat, { params: { id }, signal }),
    refetchInterval: REFRESH_MS,
  });
}

/** Loads what changed again, after a change by this person. */
export async function refreshBoats(client: QueryClient): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: ['desk-boat'] }),
    client.invalidateQueries({ queryKey: ['desk-board'] }),
  ]);
}

/** In the address of a boat: open it with a sale. */
export const SELL = 'sell';
