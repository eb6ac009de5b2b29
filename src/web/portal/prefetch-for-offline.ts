import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { apiAvailable } from '#web/platform/connection/connection.ts';
import { whenIdle } from '#web/platform/next-task.ts';

/** Asks for one thing that is not on screen yet; settles when it is there or cannot be had. */
export type Wanted = (client: QueryClient, options: { staleTime: number }) => Promise<void>;

const FRESH_ENOUGH = 10 * 60_000;

/**
 * What somebody will want at the terminal is read while there is a connection, though nobody has opened it yet: one
 * after the other, when the page has nothing better to do. `key` says which things these are.
 */
export function usePrefetchForOffline(key: string, wanted: readonly Wanted[]): void {
  const client = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is made anew with each render, its key is not
  useEffect(() => {
    let isOver = false;
    whenIdle(async () => {
      for (const ask of wanted) {
        if (isOver || !apiAvailable.get()) return;
        await ask(client, { staleTime: FRESH_ENOUGH });
      }
    });
    return () => {
      isOver = true;
    };
  }, [client, key]);
}
