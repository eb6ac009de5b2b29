import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { t } from '#web/language/texts.ts';
import type { StaffCustomer } from '#web/platform/api/types.ts';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { AuditTable } from '../audit/audit-table.tsx';
import { privacyPath, viewsQuery } from '../privacy/privacy-queries.ts';
import { usePermission } from '../session/staff-session.ts';

/** For managers: who looked at the customer's data, and the way to answer what the customer asks. */
export function CustomerPrivacy({ customer }: { customer: StaffCustomer }) {
  const mayAnswer = usePermission('answer_privacy_requests');
  if (!mayAnswer) return null;
  return (
    <Card
      title={t('Who looked at this customer’s data')}
      action={
        <ButtonLink variant="secondary" size="small" to={privacyPath(customer.email)}>
          {t('Answer a privacy request')}
        </ButtonLink>
      }
    >
      <Views id={customer.id} />
    </Card>
  );
}

/** The name of the page in the address. */
const PAGE = 'views';

function Views({ id }: { id: string }) {
  const [params] = useSearchParams();
  const page = Math.max(1, Math.trunc(Number(params.get(PAGE))) || 1);
  const query = useQuery({ ...viewsQuery(id, page), placeholderData: keepPreviousData });
  if (query.data === undefined) {
    return (
      <QueryFallback query={query} problem={t('We could not load the log')} loading={t('Loading…')}>
        <Skeleton height="12rem" />
      </QueryFallback>
    );
  }
  const { data, meta } = query.data;
  const total = meta?.totalPages ?? 1;
  return (
    <Stack>
      <p className="muted">
        {t('The account, its trip cards and orders, and the lists of boats that these orders are on.')}
      </p>
      <AuditTable entries={data} now={query.dataUpdatedAt} />
      {total > 1 && (
        <Cluster as="nav" aria-label={t('Pages of the log')} justify="between">
          {page > 1 && (
            <ButtonLink variant="secondary" icon="chevron-left" to={`?${PAGE}=${page - 1}`}>
              {t('Newer|entries')}
            </ButtonLink>
          )}
          <span>{t('Page {page} of {total}', { page, total })}</span>
          {page < total && (
            <ButtonLink variant="secondary" icon="chevron-right" to={`?${PAGE}=${page + 1}`}>
              {t('Older|entries')}
            </ButtonLink>
          )}
        </Cluster>
      )}
    </Stack>
  );
}
