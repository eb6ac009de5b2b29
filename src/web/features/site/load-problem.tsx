import type { ReactNode } from 'react';
import { t } from '#web/language/texts.ts';
import { errorText } from '#web/platform/api/api-error.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';

export type FailedQuery = { error: unknown; isFetching: boolean; refetch: () => unknown };

/** `title` names what is missing: "Your orders could not be loaded". */
export function LoadProblem({ title, query }: { title: string; query: FailedQuery }) {
  return (
    <Notice
      type="alert"
      role="alert"
      title={title}
      action={
        <Button
          variant="secondary"
          needsConnection
          isPending={query.isFetching}
          pendingText={t('Trying…')}
          onClick={() => void query.refetch()}
        >
          {t('Try again')}
        </Button>
      }
    >
      {errorText(query.error)}
    </Notice>
  );
}

type QueryFallbackProps = {
  query: FailedQuery & { isError: boolean };
  problem: string;
  loading: string;
  /** The skeleton. */
  children: ReactNode;
};

/** Stands in for a query without data: why it failed, or that it is loading. */
export function QueryFallback({ query, problem, loading, children }: QueryFallbackProps) {
  if (query.isError) return <LoadProblem title={problem} query={query} />;
  return (
    <>
      <output className="visually-hidden">{loading}</output>
      {children}
    </>
  );
}
