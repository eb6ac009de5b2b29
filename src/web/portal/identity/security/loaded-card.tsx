import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { LoadProblem } from '#web/features/site/load-problem.tsx';
import { Card } from '#web/ui/layout/card.tsx';

type LoadedCardProps<Data> = {
  title: string;
  /** "We could not load your passkeys" */
  problem: string;
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isFetching' | 'refetch'>;
  children: (data: Data) => ReactNode;
};

/** A card that shows one query's data, or that it failed. */
export function LoadedCard<Data>({ title, problem, query, children }: LoadedCardProps<Data>) {
  const { data } = query;
  const error = useLastError(query.error);
  return (
    <Card title={title}>
      {data !== undefined ? (
        children(data)
      ) : (
        <LoadProblem
          title={problem}
          query={{ error, isFetching: query.isFetching, refetch: query.refetch }}
        />
      )}
    </Card>
  );
}

/** During a refetch the query has no error; without its text the alert would be announced again. */
function useLastError(error: Error | null): Error | null {
  const [last, setLast] = useState(error);
  if (error !== null && error !== last) setLast(error);
  return error ?? last;
}
