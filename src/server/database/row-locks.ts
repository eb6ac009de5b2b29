/** The rows that statements in progress lock, and who waits for them. */
export type RowLocks = {
  /** The place of a new item in the order in which items may use a row. */
  arrive(): number;
  /** Whether an item may use all rows. If not, later ones wait for these rows as well. */
  mayUse(rows: readonly string[], arrival: number): boolean;
  /** @returns ends the use */
  use(rows: readonly string[]): () => void;
  /** Calls `work` whenever rows have become free. */
  onFree(work: () => void): void;
};

/**
 * Lets statements of several kinds wait in this process for rows that another of them locks. Waiting in the database costs
 * it as much as a statement, and items that wait here share one.
 */
export function createRowLocks(): RowLocks {
  let arrivals = 0;
  const used = new Set<string>();
  const firstWaiting = new Map<string, number>();
  const listeners: (() => void)[] = [];
  return {
    arrive() {
      arrivals += 1;
      return arrivals;
    },
    mayUse(rows, arrival) {
      const isFree = rows.every((row) => !used.has(row) && arrival <= (firstWaiting.get(row) ?? arrival));
      for (const row of rows) {
        const first = Math.min(arrival, firstWaiting.get(row) ?? arrival);
        if (!isFree) firstWaiting.set(row, first);
        else if (first === arrival) firstWaiting.delete(row);
      }
      return isFree;
    },
    use(rows) {
      for (const row of rows) used.add(row);
      return () => {
        for (const row of rows) used.delete(row);
        if (rows.length > 0) for (const work of listeners) work();
      };
    },
    onFree: (work) => listeners.push(work),
  };
}
