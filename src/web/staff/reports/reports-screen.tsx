import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { exportDatev, exportReport } from '#contract/reports/endpoints.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { Problem } from '#web/features/site/problem.tsx';
import { formatWhen } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import { type DownloadedFile, download } from '#web/platform/api/file.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { saveFile } from '#web/platform/save-file.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { CsvButton } from '../csv-button.tsx';
import { Permitted } from '../session/permitted.tsx';
import { Months } from './months.tsx';
import { ReportChoice } from './report-choice.tsx';
import { isMonth, type ReportSearch, readReportSearch, reportQuery } from './report-search.ts';
import { ReportTable } from './report-table.tsx';
import { explainReport, nameReport } from './report-texts.ts';
import { describeRow } from './rows-table.tsx';

/** The accountant's reports, and the months that are closed. */
export function ReportsScreen() {
  return (
    <Permitted permission="read_reports">
      <Reports />
    </Permitted>
  );
}

function Reports() {
  const [params] = useSearchParams();
  const search = readReportSearch(params);
  const { report, ...query } = search;
  const save = useAction(() => download(exportReport, { params: { report }, query }), {
    onDone: saveDownload,
  });
  const saveDatev = useAction(
    (currency: string | undefined) =>
      download(exportDatev, {
        params: { month: search.from.slice(0, 7) },
        ...(currency === undefined ? {} : { query: { currency } }),
      }),
    { onDone: saveDownload },
  );
  const batches = useDatevBatches(search);
  return (
    <>
      <PageHeader
        title={nameReport(report)}
        intro={explainReport(report)}
        action={
          <Cluster>
            <CsvButton save={save} />
            {report === 'ledger' &&
              isMonth(search) &&
              batches.map((currency) => (
                <CsvButton
                  key={currency ?? ''}
                  save={{ isPending: saveDatev.isPending, run: () => saveDatev.run(currency) }}
                >
                  {currency === undefined
                    ? t('Download for DATEV')
                    : t('Download for DATEV ({currency})', { currency })}
                </CsvButton>
              ))}
          </Cluster>
        }
      />
      <Stack>
        <Problem text={save.problem} />
        <Problem text={saveDatev.problem} />
        <ReportChoice search={search} />
        <ChosenReport search={search} />
        <Months search={search} />
      </Stack>
    </>
  );
}

/** The currency of each batch that DATEV takes of a month; undefined: it has only one. */
function useDatevBatches(search: ReportSearch): (string | undefined)[] {
  const { data } = useQuery(reportQuery(search));
  const { columns, rows } = data?.report === 'ledger' ? data : { columns: [], rows: [] };
  const currencies = new Set(rows.map((values) => describeRow(values, columns).currency));
  return currencies.size > 1 ? [...currencies].sort() : [undefined];
}

function saveDownload({ name, contents }: DownloadedFile) {
  saveFile(name, contents.type, contents);
}

function ChosenReport({ search }: { search: ReportSearch }) {
  const query = useQuery(reportQuery(search));
  if (query.data === undefined) {
    return (
      <QueryFallback query={query} problem={t('We could not load the report')} loading={t('Loading…')}>
        <Skeleton height="20rem" />
      </QueryFallback>
    );
  }
  const { closedAt } = query.data;
  return (
    <>
      {closedAt !== null && (
        <Notice>
          {t('This month was closed {when}. Its reports stay as they were then.', {
            when: formatWhen(closedAt, query.dataUpdatedAt),
          })}
        </Notice>
      )}
      <ReportTable report={query.data} />
    </>
  );
}
