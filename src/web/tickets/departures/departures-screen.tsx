import { useEffect } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { ticketPages } from '#contract/paths.ts';
import { BoatsAccessibility } from '#web/features/sailing/accessibility.tsx';
import { LoadProblem } from '#web/features/site/load-problem.tsx';
import { formatDay, formatShortDay } from '#web/features/site/local-time.ts';
import { NothingHere } from '#web/features/site/nothing-here.tsx';
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
import { Stack } from '#web/ui/layout/stack.tsx';
import { rememberPorts } from '../trip/recent-ports.ts';
import { BoatRow } from './boat-row.tsx';
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
  if (failed === null) return <Loading text="Loading the departures…" height="6.5rem" lines={5} />;
  if (hasErrorCode(failed.error, 'not_found')) {
    return <NothingHere action={<ButtonLink to={ticketPages.departures}>Choose a port</ButtonLink>} />;
  }
  return <LoadProblem title="The departures could not be loaded" query={failed} />;
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
        title={`Departures from ${list.port.name}`}
        back={{ to: ticketPages.departures, label: 'Other ports' }}
        intro={`${formatDay(list.day)} · ${describeCheck(checkedAt, now)}`}
      />
      {list.notices.map((notice) => (
        <Notice key={notice} type="warning">
          {notice}
        </Notice>
      ))}
      {!isCurrent && <Notice>Boats may be late or canceled without being shown here.</Notice>}
      {destinations.length > 1 && (
        <Select
          label="Going to"
          value={to ?? ''}
          placeholder="All ports"
          options={destinations.map(({ code, name }) => ({ value: code, label: name }))}
          onChange={({ target: { value } }) =>
            void navigate(
              { search: value === '' ? '' : `?${new URLSearchParams({ [TO]: value })}` },
              { replace: true, preventScrollReset: true },
            )
          }
        />
      )}
      {left.length > 0 && (
        <Disclosure summary={left.length === 1 ? '1 boat has left' : `${left.length} boats have left`}>
          <BoatRows label="Boats that have left" boats={left} {...rows} />
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
    const day = isCurrent ? 'today' : `on ${formatShortDay(list.day)}`;
    return (
      <EmptyState icon="ferry" title={`No more sailings ${isFiltered ? 'to this port ' : ''}${day}`}>
        {!isFiltered && (next === null ? 'None leaves within a week.' : `The first one leaves ${next}.`)}
      </EmptyState>
    );
  }
  return (
    <Stack gap="sm">
      <BoatRows label="Next departures" {...rows} />
      {!isFiltered && next !== null && <p className="note">The first departure after these: {next}.</p>}
      <BoatsAccessibility
        titleAs="h2"
        boats={boats.map(({ vesselName, to: { accessibility } }) => ({ vesselName, accessibility }))}
      />
    </Stack>
  );
}

function BoatRows({ label, boats, list, isFiltered }: BoatsProps & { label: string }) {
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
