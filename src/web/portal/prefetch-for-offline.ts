import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { apiAvailable } from '#web/platform/connection/connection.ts';
import { whenIdle } from '../platform/when-idle.ts';

/** Fetches one query that is not on screen; settles when it succeeded or failed. */
export type Prefetch = (client: QueryClient, options: { staleTime: number }) => Promise<void>;

const FRESH_ENOUGH = 10 * 60_000;

/**
 * Fetches, one after the other and when idle, what the customer may need at the terminal without a connection.
 * `key` identifies the list.
 */
export function usePrefetchForOffline(key: string, prefetches: readonly Prefetch[]): void {
  const client = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each render creates a new list; its key identifies it
  useEffect(() => {
    let isOver = false;
    whenIdle(async () => {
      for (const prefetch of prefetches) {
        if (isOver || !apiAvailable.get()) return;
        await prefetch(client, { staleTime: FRESH_ENOUGH });
      }
    });
    return () => {
      isOver = true;
    };
  }, [client, key]);
}
