import { queryOptions, useQuery } from '@tanstack/react-query';
import { downloadTimetableFile, getImportedTimetable } from '#contract/desk/timetable/endpoints.ts';
import { FEED_ARCHIVE, PRICE_FILES } from '#contract/desk/timetable/limits.ts';
import { staffPages } from '#contract/paths.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { formatDay } from '#web/features/site/local-time.ts';
import { Problem } from '#web/features/site/problem.tsx';
import { formatWhen } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import { download } from '#web/platform/api/file.ts';
import { request } from '#web/platform/api/request.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { saveFile } from '#web/platform/save-file.ts';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button, ButtonLink } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { Permitted } from '../session/permitted.tsx';
import { LatestChanges } from './latest-changes.tsx';
import { PromoCodes } from './promo-codes.tsx';
import { Upload } from './upload.tsx';

export const timetableQuery = queryOptions({
  queryKey: ['staff-timetable'] as const,
  queryFn: ({ signal }) => request(getImportedTimetable, { signal }),
});

/** The timetable, fares and promo codes: download, upload with the difference, taking back, and what promo codes brought. */
export function TimetableScreen() {
  return (
    <Permitted permission="change_timetable">
      <PageHeader
        title={t('Timetable and prices')}
        intro={t(
          'Edit the prices, or download a file, change it and upload it. You see what would change before anything is applied.',
        )}
      />
      <Stack>
        <Current />
        <Upload />
        <LatestChanges />
        <PromoCodes />
      </Stack>
    </Permitted>
  );
}

function Current() {
  const query = useQuery(timetableQuery);
  const save = useAction((name: string) => download(downloadTimetableFile, { params: { name } }), {
    onDone: ({ name, contents }) => saveFile(name, contents.type, contents),
  });
  if (query.data === undefined) {
    return (
      <QueryFallback query={query} problem={t('We could not load the timetable')} loading={t('Loading…')}>
        <Skeleton height="10rem" />
      </QueryFallback>
    );
  }
  const { current } = query.data;
  if (current === null) return <p>{t('Nothing was imported yet. Upload all files of a timetable.')}</p>;
  return (
    <Card title={t('On sale now')}>
      <Stack>
        <p>
          {t('Sailings until {day}. Last changed {when}.', {
            day: formatDay(current.until),
            when: formatWhen(current.importedAt, query.dataUpdatedAt),
          })}
        </p>
        <Problem text={save.problem} />
        <Cluster>
          {[...PRICE_FILES, FEED_ARCHIVE].map((name) => (
            <Button
              key={name}
              variant="secondary"
              icon="download"
              needsConnection
              isPending={save.input === name}
              pendingText={t('Preparing…')}
              onClick={() => save.run(name)}
            >
              {name}
            </Button>
          ))}
        </Cluster>
        <p>{t('{file} has all files.', { file: FEED_ARCHIVE })}</p>
        <Cluster>
          <ButtonLink to={staffPages.prices}>{t('Edit the prices')}</ButtonLink>
        </Cluster>
      </Stack>
    </Card>
  );
}
