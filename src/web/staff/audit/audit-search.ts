import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Filter } from '#contract/common.ts';
import { staffPages } from '#contract/paths.ts';
import { listAuditEntries } from '#contract/staff/audit/endpoints.ts';
import {
  AUDIT_ACTIONS,
  type AuditAction,
  type AuditActorKind,
  VIEW_ACTIONS,
} from '#contract/staff/audit/kinds.ts';
import type { auditCalls } from '#contract/staff/audit/schemas.ts';
import { requestPage } from '#web/platform/api/request.ts';
import { addDays } from '#web/ui/calendar/calendar.ts';
import { startOfOperatorDay } from '../operator-clock.ts';

/** Only who looked at data, or only what was done. */
const ACTION_GROUPS = ['views', 'changes'] as const;
type ActionGroup = (typeof ACTION_GROUPS)[number];

/** The parameters of the address. */
export type AuditSearch = {
  /** A staff member's id, or everything that commands or the server did; empty: everyone. */
  person: string;
  action: AuditAction | ActionGroup | '';
  /** On this device's clock; empty: every day. */
  day: string;
  page: number;
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;

export function readAuditSearch(params: URLSearchParams): AuditSearch {
  const day = params.get('day') ?? '';
  const page = Number(params.get('page') ?? 1);
  return {
    person: params.get('person') ?? '',
    action: readAction(params.get('action')),
    day: DAY.test(day) && !Number.isNaN(Date.parse(day)) ? day : '',
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

export function readAction(text: string | null): AuditSearch['action'] {
  return [...ACTION_GROUPS, ...AUDIT_ACTIONS].find((action) => action === text) ?? '';
}

export function auditPath({ person, action, day, page }: AuditSearch): string {
  const params = new URLSearchParams();
  if (person !== '') params.set('person', person);
  if (action !== '') params.set('action', action);
  if (day !== '') params.set('day', day);
  if (page > 1) params.set('page', String(page));
  const query = params.toString();
  return query === '' ? staffPages.audit : `${staffPages.audit}?${query}`;
}

export function hasFilters({ person, action, day }: AuditSearch): boolean {
  return person !== '' || action !== '' || day !== '';
}

type AuditFilter = Filter & { field: keyof (typeof auditCalls.listAuditEntries.list)['fields'] };

const ACTOR_KINDS: readonly AuditActorKind[] = ['command', 'server'];

export function auditFilters({ person, action, day }: AuditSearch): AuditFilter[] {
  const filters: AuditFilter[] = [];
  const kind = ACTOR_KINDS.find((each) => each === person);
  if (kind !== undefined) filters.push({ field: 'actor_kind', op: '==', value: kind });
  else if (person !== '') filters.push({ field: 'actor_id', op: '==', value: person });
  if (action === 'views') filters.push({ field: 'action', op: 'in', value: VIEW_ACTIONS });
  else if (action === 'changes') filters.push({ field: 'action', op: 'not_in', value: VIEW_ACTIONS });
  else if (action !== '') filters.push({ field: 'action', op: '==', value: action });
  if (day !== '') {
    filters.push({ field: 'at', op: '>=', value: startOfOperatorDay(day) });
    filters.push({ field: 'at', op: '<', value: startOfOperatorDay(addDays(day, 1)) });
  }
  return filters;
}

/** A page of the log. The one before stays while another is loaded. */
export function auditQuery(search: AuditSearch) {
  return queryOptions({
    queryKey: ['audit-log', search] as const,
    queryFn: ({ signal }) =>
      requestPage(listAuditEntries, { filters: auditFilters(search), page: search.page, signal }),
    placeholderData: keepPreviousData,
    // What the reader does elsewhere adds entries.
    refetchOnMount: 'always',
  });
}
