import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LoadProblem } from '#web/features/site/load-problem.tsx';
import { useStartOfDay } from '#web/features/site/use-now.ts';
import { Stack } from '#web/ui/layout/stack.tsx';
import { ShowMore, useFocusOnMore } from '../parts/show-more.tsx';
import styles from './history-list.module.css';

/** `total`: of all pages, where it is known. */
type Counted = { total: number | null };

type HistoryListProps<Page extends Counted> = {
  label: string;
  pages: readonly Page[];
  /** The rows of one page. */
  Rows: (props: { page: Page; now: number }) => ReactNode;
  count: number;
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
  >;
};

/** A list of pages, of which the next one is loaded on demand. */
export function HistoryList<Page extends Counted>(props: HistoryListProps<Page>) {
  const { label, pages, Rows, count, query } = props;
  const now = useStartOfDay();
  const total = pages[0]?.total ?? null;
  const { box, expectMore } = useFocusOnMore<HTMLUListElement>(count, 'li');
  return (
    <Stack>
      <output className="visually-hidden">
        Showing {count}
        {total !== null && total > count && ` of ${total}`}
      </output>
      <ul ref={box} className={styles.rows} aria-label={label}>
        {pages.map((page, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pages only come after one another
          <Rows key={index} page={page} now={now} />
        ))}
      </ul>
      {query.isFetchNextPageError && (
        <LoadProblem
          title="More could not be loaded"
          query={{
            error: query.error,
            isFetching: query.isFetchingNextPage,
            refetch: query.fetchNextPage,
          }}
        />
      )}
      {query.hasNextPage && <ShowMore query={query} onShow={expectMore} />}
    </Stack>
  );
}

type HistoryRowProps = { title: ReactNode; details: ReactNode; amount: ReactNode; note: ReactNode };

export function HistoryRow({ title, details, amount, note }: HistoryRowProps) {
  return (
    <li className={styles.row} tabIndex={-1}>
      <p className={styles.title}>{title}</p>
      <p className={styles.amount}>{amount}</p>
      <p className={styles.details}>{details}</p>
      <p className={styles.note}>{note}</p>
    </li>
  );
}
