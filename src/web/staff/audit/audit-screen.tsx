import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { staffPages } from '#contract/paths.ts';
import { exportAuditLog } from '#contract/staff/audit/endpoints.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { Problem } from '#web/features/site/problem.tsx';
import { t } from '#web/language/texts.ts';
import { download } from '#web/platform/api/file.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { saveFile } from '#web/platform/save-file.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { CsvButton } from '../csv-button.tsx';
import { Permitted } from '../session/permitted.tsx';
import { AuditFilters } from './audit-filters.tsx';
import {
  type AuditSearch,
  auditFilters,
  auditPath,
  auditQuery,
  hasFilters,
  readAuditSearch,
} from './audit-search.ts';
import { AuditTable } from './audit-table.tsx';

/** Who did what, for managers. */
export function AuditScreen() {
  return (
    <Permitted permission="read_audit_log">
      <AuditLog />
    </Permitted>
  );
}

function AuditLog() {
  const [params] = useSearchParams();
  const search = readAuditSearch(params);
  const client = useQueryClient();
  const save = useAction(() => download(exportAuditLog, { filters: auditFilters(search) }), {
    onDone: ({ name, contents }) => {
      saveFile(name, contents.type, contents);
      void client.invalidateQueries({ queryKey: ['audit-log'] });
    },
  });
  return (
    <>
      <PageHeader
        title={t('Audit log')}
        intro={t('Who did what, when and why. Entries cannot be changed or deleted.')}
        action={<CsvButton save={save} />}
      />
      <Stack>
        <Problem text={save.problem} />
        <AuditFilters search={search} />
        <Entries search={search} />
      </Stack>
    </>
  );
}

function Entries({ search }: { search: AuditSearch }) {
  const query = useQuery(auditQuery(search));
  if (query.data === undefined) {
    return (
      <QueryFallback query={query} problem={t('We could not load the log')} loading={t('Loading…')}>
        <Skeleton height="16rem" />
      </QueryFallback>
    );
  }
  const { data: entries, meta } = query.data;
  if (entries.length === 0) return <NoEntries search={search} />;
  return (
    <>
      <output className="muted">
        {t('{count, plural, one {# entry} other {# entries}}', { count: meta?.totalCount ?? entries.length })}
      </output>
      <AuditTable entries={entries} now={query.dataUpdatedAt} />
      <Pages search={search} total={meta?.totalPages ?? 1} />
    </>
  );
}

function NoEntries({ search }: { search: AuditSearch }) {
  const isFiltered = hasFilters(search) || search.page > 1;
  return (
    <EmptyState
      icon="eye"
      title={isFiltered ? t('No entry matches') : t('No entries yet')}
      action={
        isFiltered && (
          <ButtonLink variant="secondary" to={staffPages.audit}>
            {t('Show all entries')}
          </ButtonLink>
        )
      }
    />
  );
}

function Pages({ search, total }: { search: AuditSearch; total: number }) {
  if (total < 2) return null;
  const { page } = search;
  return (
    <Cluster as="nav" aria-label={t('Pages of the log')} justify="between">
      {page > 1 && (
        <ButtonLink variant="secondary" icon="chevron-left" to={auditPath({ ...search, page: page - 1 })}>
          {t('Newer|entries')}
        </ButtonLink>
      )}
      <span>{t('Page {page} of {total}', { page, total })}</span>
      {page < total && (
        <ButtonLink variant="secondary" icon="chevron-right" to={auditPath({ ...search, page: page + 1 })}>
          {t('Older|entries')}
        </ButtonLink>
      )}
    </Cluster>
  );
}
