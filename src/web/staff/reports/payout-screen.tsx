import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { exportPayout } from '#contract/reports/endpoints.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { formatDay } from '#web/features/site/local-time.ts';
import { Problem } from '#web/features/site/problem.tsx';
import { formatWhen } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import { download } from '#web/platform/api/file.ts';
import type { Payout } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { saveFile } from '#web/platform/save-file.ts';
import { DefinitionList } from '#web/ui/data/definition-list.tsx';
import { formatMoney } from '#web/ui/data/money.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { CsvButton } from '../csv-button.tsx';
import { Permitted } from '../session/permitted.tsx';
import { getMonthOf, payoutQuery, reportPath } from './report-search.ts';
import { nameCode } from './report-texts.ts';
import { RowsTable } from './rows-table.tsx';

/** A payout of the card provider with each of its items. */
export function PayoutScreen() {
  return (
    <Permitted permission="read_reports">
      <LoadedPayout />
    </Permitted>
  );
}

function LoadedPayout() {
  const { id = '' } = useParams();
  const query = useQuery(payoutQuery(id));
  if (query.data !== undefined) return <ShownPayout payout={query.data} now={query.dataUpdatedAt} />;
  if (hasErrorCode(query.error, 'not_found')) {
    return <EmptyState icon="card" titleAs="h1" title={t('There is no such payout')} />;
  }
  return (
    <QueryFallback query={query} problem={t('We could not load the payout')} loading={t('Loading…')}>
      <Skeleton height="24rem" />
    </QueryFallback>
  );
}

function ShownPayout({ payout, now }: { payout: Payout; now: number }) {
  const { id, arrivesOn, amount, currency, status, failureCode, isAutomatic, settledAt, rows } = payout;
  const save = useAction(() => download(exportPayout, { params: { payout: id } }), {
    onDone: ({ name, contents }) => saveFile(name, contents.type, contents),
  });
  return (
    <>
      <PageHeader
        back={{ to: reportPath({ report: 'payouts', ...getMonthOf(arrivesOn) }), label: t('Payouts') }}
        title={t('Payout of {money}', { money: formatMoney(amount, currency) })}
        action={<CsvButton save={save} />}
      />
      <Stack>
        <Problem text={save.problem} />
        {status === 'failed' && (
          <Notice type="warning">
            {t('The bank returned this payout. Check the bank account at the card provider.')}
          </Notice>
        )}
        <Card>
          <DefinitionList
            items={[
              { term: t('Status'), details: nameCode(status) },
              { term: t('Day of arrival'), details: formatDay(arrivesOn) },
              { term: t('At the card provider'), details: id },
              ...(settledAt === null
                ? []
                : [
                    {
                      term: t('Items not in the books'),
                      details: t('Settled {when}', { when: formatWhen(settledAt, now) }),
                    },
                  ]),
              ...(failureCode === null ? [] : [{ term: t('Reason'), details: failureCode }]),
            ]}
          />
        </Card>
        {rows.length === 0 ? (
          <p>{explainMissing(isAutomatic)}</p>
        ) : (
          <RowsTable caption={t('Items|of a payout')} report={payout} />
        )}
      </Stack>
    </>
  );
}

function explainMissing(isAutomatic: boolean): string {
  return isAutomatic
    ? t('The card provider has not listed yet what this payout consists of.')
    : t('This payout was started by hand. The card provider does not tell what it consists of.');
}
