import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { followDesk } from '#contract/desk/live/endpoints.ts';
import { followEvents } from './follow-events.ts';

/** The boats of a calendar day; '': none yet. */
export function useLiveBoats(day: string): void {
  useLive(day === '' ? null : `boats=${day}`, BOATS);
}

/** What needs a person. */
export function useLiveWork(): void {
  useLive('work=true', WORK);
}

const BOATS: readonly QueryKey[] = [['desk-board'], ['desk-boat']];
const WORK: readonly QueryKey[] = [['desk-work']];

/** Loads queries again as soon as the server says that they changed. */
function useLive(search: string | null, queryKeys: readonly QueryKey[]): void {
  const client = useQueryClient();
  useEffect(() => {
    if (search === null) return;
    const refresh = () => {
      for (const queryKey of queryKeys) void client.invalidateQueries({ queryKey });
    };
    return followEvents(`${followDesk.path}?${search}`, { onEvent: refresh, onReturn: refresh });
  }, [client, search, queryKeys]);
}
