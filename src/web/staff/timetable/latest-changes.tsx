import { queryOptions, useQuery } from '@tanstack/react-query';
import { listTimetableChanges } from '#contract/desk/timetable/endpoints.ts';
import { formatList } from '#messages/intl.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { Problem } from '#web/features/site/problem.tsx';
import { formatWhen, formatWhenCapitalized } from '#web/features/site/timestamp.tsx';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { TimetableChanges } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { type Column, Table } from '#web/ui/data/table.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { nameFileState } from './difference.tsx';
import { checkProposal, Review, useReview } from './review.tsx';

type TimetableChange = TimetableChanges[number];

const changesQuery = queryOptions({
  queryKey: ['staff-timetable', 'changes'] as const,
  queryFn: ({ signal }) => request(listTimetableChanges, { signal }),
});

/** The last changes, each of which can be taken back. */
export function LatestChanges() {
  const query = useQuery(changesQuery);
  const review = useReview();
  const check = useAction((id: string) => checkProposal({ takesBack: id }), { onDone: review.show });
  if (query.data === undefined) {
    return (
      <QueryFallback query={query} problem={t('We could not load the last changes')} loading={t('Loading…')}>
        <Skeleton height="10rem" />
      </QueryFallback>
    );
  }
  const now = query.dataUpdatedAt;
  const columns: Column<TimetableChange>[] = [
    { id: 'at', header: t('When'), cell: ({ at }) => formatWhenCapitalized(at, now) },
    { id: 'by', header: t('Who'), cell: ({ by }) => by ?? t('Removed|a person') },
    { id: 'files', header: t('Change|what was done'), cell: (change) => describeChange(change, now) },
    {
      id: 'take-back',
      header: t('Files from before it'),
      cell: ({ id, at }) => (
        <Button
          variant="secondary"
          size="small"
          needsConnection
          isPending={check.input === id}
          pendingText={t('Checking…')}
          aria-label={t('Take back the change of {when}', { when: formatWhen(at, now) })}
          onClick={() => {
            review.show(null);
            check.run(id);
          }}
        >
          {t('Take back|a change')}
        </Button>
      ),
    },
  ];
  return (
    <>
      <Table caption={t('Last changes')} columns={columns} rows={query.data} getKey={({ id }) => id} />
      <Problem text={check.problem ?? review.outdated} />
      {review.checked !== null && (
        <p>
          {t('The files from before this change come back. What was changed after it is taken back, too.')}
        </p>
      )}
      <Review review={review} onDiscard={() => review.show(null)} />
    </>
  );
}

function describeChange({ files, takesBack }: TimetableChange, now: number): string {
  if (takesBack !== null) return t('The change of {when} taken back', { when: formatWhen(takesBack, now) });
  if (files === null) return t('All files, on the server');
  return formatList(
    textLanguage(),
    files.map(({ name, state }) => t('{name} ({state})', { name, state: nameFileState(state) })),
  );
}
