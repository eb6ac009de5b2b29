import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<string>();

/** Runs work whose log lines, and the jobs it sends, carry the id of the request that caused it. */
export function withRequestId<Result>(id: string, work: () => Result): Result {
  return current.run(id, work);
}

/** The id of the request that caused the running work, of several triggers joined by spaces; undefined outside of one. */
export function getRequestId(): string | undefined {
  return current.getStore();
}
