import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { createContext, type ReactNode, use } from 'react';
import { LoadProblem } from '#web/features/site/load-problem.tsx';
import { useStartOfDay } from '#web/features/site/use-now.ts';
import { t } from '#web/language/texts.ts';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { useIsWide } from '#web/ui/layout/use-is-wide.ts';
import { ShowMore, useFocusOnMore } from '../parts/show-more.tsx';
import styles from './history-list.module.css';

/** `total`: of all pages, where it is known. */
type Counted = { total: number | null };

type HistoryListProps<Page extends Counted> = {
  label: string;
  headers: HistoryHeaders;
  pages: readonly Page[];
  /** The rows of one page. */
  Rows: (props: { page: Page; now: number }) => ReactNode;
  count: number;
  query: Pick<
    UseInfiniteQueryResult,
    'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'error' | 'fetchNextPage'
  >;
};

/** What the columns of the table are called. */
type HistoryHeaders = Record<Exclude<keyof HistoryRowProps, 'noteInTable'>, string>;

/** On wide screens the rows are those of a table. */
const IsTable = createContext(false);

/** A list of pages, of which the next one is loaded on demand. */
export function HistoryList<Page extends Counted>(props: HistoryListProps<Page>) {
  const { label, headers, pages, Rows, count, query } = props;
  const now = useStartOfDay();
  const total = pages[0]?.total ?? null;
  const isTable = useIsWide();
  const { box, expectMore } = useFocusOnMore<HTMLDivElement>(count, isTable ? 'tbody > tr' : 'li');
  const rows = pages.map((page, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pages only come after one another
    <Rows key={index} page={page} now={now} />
  ));
  return (
    <Stack>
      <output className="visually-hidden">
        {total !== null && total > count
          ? t('Showing {count} of {total}', { count, total })
          : t('Showing {count}', { count })}
      </output>
      <div ref={box} className={styles.box}>
        <IsTable value={isTable}>
          {isTable ? (
            <Card>
              <table className={styles.table} aria-label={label}>
                <thead>
                  <tr>
                    <th scope="col">{headers.title}</th>
                    <th scope="col">{headers.when}</th>
                    <th scope="col">{headers.details}</th>
                    <th scope="col" data-figure="">
                      {headers.amount}
                    </th>
                    <th scope="col" data-figure="">
                      {headers.note}
                    </th>
                  </tr>
                </thead>
                <tbody>{rows}</tbody>
              </table>
            </Card>
          ) : (
            <ul className={styles.rows} aria-label={label}>
              {rows}
            </ul>
          )}
        </IsTable>
      </div>
      {query.isFetchNextPageError && (
        <LoadProblem
          title={t('More could not be loaded')}
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

type HistoryRowProps = {
  title: ReactNode;
  when: ReactNode;
  details: ReactNode;
  amount: ReactNode;
  note: ReactNode;
  /** In place of the note in a table, whose header tells what it is. */
  noteInTable?: ReactNode;
};

export function HistoryRow(props: HistoryRowProps) {
  const { title, when, details, amount, note, noteInTable = note } = props;
  if (use(IsTable)) {
    return (
      <tr tabIndex={-1}>
        <th scope="row">{title}</th>
        <td>{when}</td>
        <td>{details}</td>
        <td data-figure="">{amount}</td>
        <td data-figure="">{noteInTable}</td>
      </tr>
    );
  }
  return (
    <li className={styles.row} tabIndex={-1}>
      <p className={styles.title}>{title}</p>
      <p className={styles.amount}>{amount}</p>
      <p className={styles.details}>
        {when}
        {details && <> · {details}</>}
      </p>
      <p className={styles.note}>{note}</p>
    </li>
  );
}
