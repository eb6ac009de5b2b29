import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { exportPassengerList } from '#contract/passenger-lists/endpoints.ts';
import { GENDER_TEXTS } from '#web/features/passenger-list/details-fields.tsx';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { Problem } from '#web/features/site/problem.tsx';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import { download } from '#web/platform/api/file.ts';
import type { ListedTraveler, PassengerList } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { saveFile } from '#web/platform/save-file.ts';
import { type Column, Table } from '#web/ui/data/table.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { CsvButton } from '../csv-button.tsx';
import { describeMissingDetails } from '../gate/boat-texts.ts';
import { Permitted } from '../session/permitted.tsx';
import { DetailsDialog } from './details-dialog.tsx';
import { describeBoat, listQuery } from './queries.ts';

/** Who is aboard a boat or expected, as the law asks. */
export function ListScreen() {
  const { id = '' } = useParams();
  return (
    <Permitted permission="passenger_lists">
      <List id={id} />
    </Permitted>
  );
}

function List({ id }: { id: string }) {
  const query = useQuery(listQuery(id));
  if (query.data === undefined) {
    return (
      <>
        <PageHeader title={t('Passenger list')} />
        <QueryFallback query={query} problem={t('We could not load the list')} loading={t('Loading…')}>
          <Skeleton height="16rem" />
        </QueryFallback>
      </>
    );
  }
  return <LoadedList id={id} list={query.data} />;
}

function LoadedList({ id, list }: { id: string; list: PassengerList }) {
  const [entering, setEntering] = useState<ListedTraveler | null>(null);
  const { boat, travelers, unticketed } = list;
  const save = useAction(() => download(exportPassengerList, { params: { id } }), {
    onDone: ({ name, contents }) => saveFile(name, contents.type, contents),
  });
  return (
    <>
      <PageHeader title={t('Passenger list')} intro={describeBoat(boat)} />
      <Stack>
        <Cluster data-no-print="">
          <CsvButton save={save}>{t('Download who is aboard as CSV')}</CsvButton>
          <Button variant="secondary" icon="print" onClick={() => window.print()}>
            {t('Print')}
          </Button>
        </Cluster>
        <Problem text={save.problem} />
        <Notice type={boat.missing > 0 ? 'warning' : undefined}>
          {describeMissingDetails(boat.missing)}
        </Notice>
        {unticketed > 0 && (
          <Notice type="warning">
            {t(
              '{count, plural, one {# person without a ticket is aboard.} other {# people without a ticket are aboard.}} Add them to the list by hand.',
              { count: unticketed },
            )}
          </Notice>
        )}
        <Table
          caption={t('Passenger list')}
          isCaptionHidden
          columns={listColumns(setEntering)}
          rows={travelers}
          getKey={({ ticketId }) => ticketId}
        />
      </Stack>
      {entering && <DetailsDialog id={id} traveler={entering} onClose={() => setEntering(null)} />}
    </>
  );
}

function listColumns(onEnter: (traveler: ListedTraveler) => void): Column<ListedTraveler>[] {
  const countries = new Intl.DisplayNames(textLanguage(), { type: 'region' });
  return [
    {
      id: 'name',
      header: t('Name'),
      cell: ({ details, title, code }) =>
        details === null ? `${title}, ${code}` : `${details.familyName}, ${details.forenames}`,
    },
    {
      id: 'birth',
      header: t('Date of birth'),
      cell: ({ details }) => details?.birthDate,
    },
    {
      id: 'gender',
      header: t('Gender'),
      cell: ({ details }) => details && t(GENDER_TEXTS[details.gender]),
    },
    {
      id: 'nationality',
      header: t('Nationality'),
      cell: ({ details }) => details && countries.of(details.nationality),
    },
    {
      id: 'care',
      header: t('In an emergency'),
      cell: ({ details }) => details && [details.care, details.emergencyPhone].filter(Boolean).join(', '),
    },
    { id: 'aboard', header: t('Aboard'), cell: ({ isAboard }) => (isAboard ? t('yes') : t('no')) },
    { id: 'order', header: t('Reference'), cell: ({ reference }) => reference },
    {
      id: 'actions',
      header: t('Actions'),
      cell: (traveler) => (
        <Button size="small" variant="secondary" data-no-print="" onClick={() => onEnter(traveler)}>
          {traveler.details === null ? t('Enter details') : t('Correct')}
        </Button>
      ),
    },
  ];
}
