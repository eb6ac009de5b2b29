import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { getDrawer } from '#contract/desk/drawer/endpoints.ts';
import { parseTypedAmount } from '#domain/format/typed-amount.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { request } from '#web/platform/api/request.ts';
import type { Drawers } from '#web/platform/api/types.ts';
import { notify } from '#web/platform/notifications/notifications.ts';

export const drawerQuery = queryOptions({
  queryKey: ['staff-drawer'] as const,
  queryFn: ({ signal }) => request(getDrawer, { signal }),
});

export function useShowDrawers(): (drawers: Drawers, text: string) => void {
  const client = useQueryClient();
  return (drawers, text) => {
    client.setQueryData(drawerQuery.queryKey, drawers);
    notify(text, { type: 'success' });
  };
}

/** In minor units; null if it is no amount. */
export function readAmount(typed: string, currency: string): number | null {
  return typed.trim() === '' ? null : parseTypedAmount(typed, currency, textLanguage());
}
