import { useEffect } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { ticketPages } from '#contract/paths.ts';
import { BoatsAccessibility } from '#web/features/sailing/accessibility.tsx';
import { LoadProblem } from '#web/features/site/load-problem.tsx';
import { formatDay, formatShortDay } from '#web/features/site/local-time.ts';
import { NothingHere } from '#web/features/site/nothing-here.tsx';
import { t } from '#web/language/texts.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import type { Departures } from '#web/platform/api/types.ts';
import { useReadableOffline } from '#web/platform/connection/readable-offline.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Loading } from '#web/ui/feedback/skeleton.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { Disclosure } from '#web/ui/layout/disclosure.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Grid, Stack } from '#web/ui/layout/stack.tsx';
import { useIsWide } from '#web/ui/layout/use-is-wide.ts';
import { rememberPorts } from '../trip/recent-ports.ts';
import { BoatRow } from './boat-row.tsx';
import { BoatTable } from './boat-table.tsx';
import { DepartureBoard } from './departure-board.tsx';
import {
  type Boat,
  describeCheck,
  describeNext,
  findOtherDay,
  listBoats,
  listDestinations,
} from './departure-state.ts';
import { type ShownDepartures, useDepartures } from './use-departures.ts';
import { useIsDisplay } from './use-is-display.ts';
import { usePortTitle } from './use-port-title.ts';

const DAYS_AHEAD = 1;
/** Of the address: the code of the only destination to show. */
const TO = 'to';

/** The boats that leave a port today; with `?display` for a screen at the terminal. */
export function DeparturesScreen() {
  const { code = '' } = useParams();
  return useIsDisplay() ? <DepartureBoard code={code} /> : <DeparturesPage code={code} />;
}

function DeparturesPage({ code }: { code: string }) {
  const shown = useDepartures(code, DAYS_AHEAD);
  const { list, failed } = shown;
  useRecentPort(list?.port.id);
  if (list) return <PortDepartures {...shown} list={list} />;
  if (failed === null) return <Loading text={t('Loading the departures…')} height="6.5rem" lines={5} />;
  if (hasErrorCode(failed.error, 'not_found')) {
    return <NothingHere action={<ButtonLink to={ticketPages.departures}>{t('Choose a port')}</ButtonLink>} />;
  }
  return <LoadProblem title={t('The departures could not be loaded')} query={failed} />;
}

function useRecentPort(id: string | undefined): void {
  useEffect(() => {
    if (id !== undefined) rememberPorts(id);
  }, [id]);
}

type PortDeparturesProps = ShownDepartures & { list: Departures };

function PortDepartures({ list, checkedAt, isCurrent, now }: PortDeparturesProps) {
  useReadableOffline();
  usePortTitle(list.port.name);
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const destinations = listDestinations(list);
  const to = destinations.find(({ code }) => code === search.get(TO))?.code ?? null;
  const boats = listBoats(list, { now, isCurrent }, to);
  const rows = { list, isFiltered: to !== null };
  const left = boats.filter(({ hasLeft }) => hasLeft);
  return (
    <Stack gap="lg">
      <PageHeader
        title={t('Departures from {port}', { port: list.port.name })}
        back={{ to: ticketPages.departures, label: t('Other ports') }}
        intro={`${formatDay(list.day)} · ${describeCheck(checkedAt, now)}`}
      />
      {list.notices.map((notice) => (
        <Notice key={notice} type="warning">
          {notice}
        </Notice>
      ))}
      {!isCurrent && <Notice>{t('Boats may be late or canceled without being shown here.')}</Notice>}
      {destinations.length > 1 && (
        <Grid>
          <Select
            label={t('Going to')}
            value={to ?? ''}
            placeholder={t('All ports')}
            options={destinations.map(({ code, name }) => ({ value: code, label: name }))}
            onChange={({ target: { value } }) =>
              void navigate(
                { search: value === '' ? '' : `?${new URLSearchParams({ [TO]: value })}` },
                { replace: true, preventScrollReset: true },
              )
            }
          />
        </Grid>
      )}
      {left.length > 0 && (
        <Disclosure
          summary={t('{count, plural, one {# boat has left} other {# boats have left}}', {
            count: left.length,
          })}
        >
          <BoatRows label={t('Boats that have left')} boats={left} {...rows} />
        </Disclosure>
      )}
      <NextBoats boats={boats.filter(({ hasLeft }) => !hasLeft)} isCurrent={isCurrent} {...rows} />
    </Stack>
  );
}

type BoatsProps = { boats: readonly Boat[]; list: Departures; isFiltered: boolean };

function NextBoats({ isCurrent, ...rows }: BoatsProps & { isCurrent: boolean }) {
  const { boats, list, isFiltered } = rows;
  const next = describeNext(list);
  if (boats.length === 0) {
    return (
      <EmptyState
        icon="ferry"
        title={titleWithoutBoats({ isCurrent, isFiltered, day: formatShortDay(list.day) })}
      >
        {!isFiltered &&
          (next === null
            ? t('None leaves within a week.')
            : t('The first one leaves {time}.', { time: next }))}
      </EmptyState>
    );
  }
  return (
    <Stack gap="sm">
      <BoatRows label={t('Next departures')} {...rows} />
      {!isFiltered && next !== null && (
        <p className="note">{t('The first departure after these: {time}.', { time: next })}</p>
      )}
      <BoatsAccessibility
        titleAs="h2"
        boats={boats.map(({ vesselName, to: { accessibility } }) => ({ vesselName, accessibility }))}
      />
    </Stack>
  );
}

type WithoutBoats = { isCurrent: boolean; isFiltered: boolean; day: string };

function titleWithoutBoats({ isCurrent, isFiltered, day }: WithoutBoats): string {
  if (isCurrent) return t(isFiltered ? 'No more sailings to this port today' : 'No more sailings today');
  return t(isFiltered ? 'No more sailings to this port on {day}' : 'No more sailings on {day}', { day });
}

function BoatRows({ label, boats, list, isFiltered }: BoatsProps & { label: string }) {
  if (useIsWide()) {
    return (
      <BoatTable
        label={label}
        boats={boats}
        from={list.port.code}
        findDay={(boat) => findOtherDay(boat, list)}
        isFiltered={isFiltered}
      />
    );
  }
  return (
    <Stack as="ul" gap="sm" aria-label={label}>
      {boats.map((boat) => (
        <BoatRow
          key={boat.to.sailingId}
          boat={boat}
          from={list.port.code}
          day={findOtherDay(boat, list)}
          isFiltered={isFiltered}
        />
      ))}
    </Stack>
  );
}
