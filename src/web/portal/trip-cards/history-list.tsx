import { memo, type ReactNode, useEffect, useRef } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Stack } from '#web/ui/stack.tsx';
import styles from './history-list.module.css';

type HistoryListProps<Page> = {
  label: string;
  pages: readonly Page[];
  /** The rows of one page; asked for once per page however long the list gets. */
  Rows: (props: { page: Page }) => ReactNode;
  count: number;
  /** Of all pages, where it is known. */
  total: number | null;
  hasMore: boolean;
  isLoadingMore: boolean;
  /** The last try to load more failed. */
  problem: ReactNode;
  onMore: () => void;
};

/**
 * A list that may become very long: a page at a time, what is out of sight is not laid out, and pages that are there
 * are not rendered again when one comes after them.
 */
export function HistoryList<Page>(props: HistoryListProps<Page>) {
  const { label, pages, Rows, count, total, hasMore, isLoadingMore, problem, onMore } = props;
  const { list, expectMore } = useFocusOnMore(count);
  return (
    <Stack>
      <output className="visually-hidden">
        Showing {count}
        {total !== null && total > count && ` of ${total}`}
      </output>
      <ul ref={list} className={styles.list} aria-label={label}>
        {pages.map((page, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pages only come after one another
          <PageRows key={index} page={page} Rows={Rows as (props: { page: unknown }) => ReactNode} />
        ))}
      </ul>
      {problem}
      {hasMore && (
        <div>
          <Button
            needsConnection
            variant="secondary"
            isPending={isLoadingMore}
            pendingText="Loading…"
            onClick={() => {
              expectMore();
              onMore();
            }}
          >
            Show more
          </Button>
        </div>
      )}
    </Stack>
  );
}

type HistoryRowProps = { title: ReactNode; facts: ReactNode; amount: ReactNode; note: ReactNode };

export function HistoryRow({ title, facts, amount, note }: HistoryRowProps) {
  return (
    <li className={styles.row} tabIndex={-1}>
      <p className={styles.title}>{title}</p>
      <p className={styles.amount}>{amount}</p>
      <p className={styles.facts}>{facts}</p>
      <p className={styles.note}>{note}</p>
    </li>
  );
}

const PageRows = memo(function PageRows(props: {
  page: unknown;
  Rows: (props: { page: unknown }) => ReactNode;
}) {
  const { page, Rows } = props;
  return <Rows page={page} />;
});

/** When more was asked for, the focus goes to the first of it: the button may be gone by then. */
function useFocusOnMore(count: number) {
  const list = useRef<HTMLUListElement>(null);
  const expectedAt = useRef<number | null>(null);
  useEffect(() => {
    const at = expectedAt.current;
    if (at === null || count <= at) return;
    expectedAt.current = null;
    const first = list.current?.children[at];
    if (first instanceof HTMLElement) first.focus();
  }, [count]);
  return {
    list,
    expectMore: () => {
      expectedAt.current = count;
    },
  };
}
