import type { SqlStore } from './sql-store.ts';
import { isEngineLost, isOutOfResources } from './unavailable.ts';

/** Tells a load balancer whether the database accepts writes. */
export type Readiness = {
  /** Checks by writing. Rejects or resolves to false while the database is unreachable or read-only. */
  isReady(): Promise<boolean>;
  /** Records the error of a failed statement; errors that say nothing about the database's health are ignored. */
  noteFailure(error: unknown): void;
  /** Wraps a store so that its failures are recorded. */
  watch(store: SqlStore): SqlStore;
};

/** How long a failed write counts, because the small checks here may succeed while larger statements fail. */
const FAILURE_COUNTS_MS = 5_000;
/** The larger check runs at most this often, however many callers ask. */
const SPACE_CHECK_EVERY_MS = 5_000;

/** Updates one row in place, without a disk flush. */
const WRITE_CHECK = `
  with quick as materialized (select set_config('synchronous_commit', 'off', true))
  insert into readiness_checks (id, checked_at) select 1, now() from quick
  on conflict (id) do update set checked_at = excluded.checked_at
`;
/** Sorts some hundred kB, more than its memory, so that it writes a temporary file, which is removed afterwards. */
const SPACE_CHECK = `
  set local work_mem = '64kB';
  select count(*) from (select g from generate_series(1, 20000) g order by -g offset 1) sorted
`;

/** @param onLost called when a statement shows that the embedded engine has aborted */
export function createReadiness(store: SqlStore, onLost: () => void = () => {}): Readiness {
  let failedAt = Number.NEGATIVE_INFINITY;
  let spaceCheckedAt = Number.NEGATIVE_INFINITY;

  function noteFailure(error: unknown): void {
    if (isOutOfResources(error)) failedAt = performance.now();
    if (isEngineLost(error)) onLost();
  }

  async function check(): Promise<void> {
    await store.query(WRITE_CHECK);
    if (performance.now() - spaceCheckedAt < SPACE_CHECK_EVERY_MS) return;
    await store.query(SPACE_CHECK);
    spaceCheckedAt = performance.now();
  }

  return {
    async isReady() {
      try {
        await check();
      } catch (error) {
        noteFailure(error);
        throw error;
      }
      return performance.now() - failedAt >= FAILURE_COUNTS_MS;
    },
    noteFailure,
    watch: ({ query }) => ({
      async query<Row>(text: string, params?: unknown[]): Promise<Row[]> {
        try {
          return await query<Row>(text, params);
        } catch (error) {
          noteFailure(error);
          throw error;
        }
      },
    }),
  };
}
