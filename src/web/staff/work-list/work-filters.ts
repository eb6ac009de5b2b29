import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { listWork } from '#contract/desk/endpoints.ts';
import type { WorkListKind } from '#contract/desk/work-kinds.ts';
import { staffPages } from '#contract/paths.ts';
import { request } from '#web/platform/api/request.ts';
import { FARE_KINDS } from './fare-lists.tsx';
import { PAYOUT_KINDS } from './payout-list.tsx';
import { WORK_KINDS } from './work-kinds.ts';

/** Others work on it, too. In milliseconds. */
const REFRESH_MS = 60_000;

/** The parameters of the address; empty: all. `boat`: a sailing of it. */
export type WorkFilters = { kind: WorkListKind | ''; boat: string };

/** Every list with its title, in the order of the page. */
export const ALL_KINDS = [...WORK_KINDS, ...FARE_KINDS, ...PAYOUT_KINDS];

export function readWorkFilters(params: URLSearchParams): WorkFilters {
  return { kind: readKind(params.get('kind')), boat: params.get('boat') ?? '' };
}

export function readKind(text: string | null): WorkFilters['kind'] {
  return ALL_KINDS.find(({ kind }) => kind === text)?.kind ?? '';
}

export function workPath(filters: WorkFilters): string {
  const params = new URLSearchParams(withoutEmpty(filters));
  return params.size === 0 ? staffPages.work : `${staffPages.work}?${params}`;
}

/** What is to be done. The lists before stay while others are loaded. */
export function workQuery(filters: WorkFilters) {
  return queryOptions({
    queryKey: ['desk-work', filters] as const,
    queryFn: ({ signal }) => request(listWork, { query: withoutEmpty(filters), signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
}

function withoutEmpty({ kind, boat }: WorkFilters) {
  return { ...(kind === '' ? {} : { kind }), ...(boat === '' ? {} : { boat }) };
}
