import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LoadProblem } from '#web/parts/load-problem.tsx';
import { Card } from '#web/ui/card.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Stack } from '#web/ui/stack.tsx';

type LoadedCardProps<Data> = {
  title: string;
  /** What could not be loaded, or is on its way: "your passkeys". */
  what: string;
  query: Pick<UseQueryResult<Data>, 'data' | 'isError' | 'error' | 'isFetching' | 'refetch'>;
  children: (data: Data) => ReactNode;
};

/** A card made of one answer; each stands and fails for itself. */
export function LoadedCard<Data>({ title, what, query, children }: LoadedCardProps<Data>) {
  const { data } = query;
  return (
    <Card title={title}>
      {data !== undefined ? (
        children(data)
      ) : query.isError ? (
        <LoadProblem
          title={`We could not load ${what}`}
          error={query.error}
          isFetching={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <Stack gap="sm">
          <output className="visually-hidden">Loading {what}…</output>
          <Skeleton width="60%" />
          <Skeleton height="3rem" />
        </Stack>
      )}
    </Card>
  );
}
