import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { fillPath, staffPages } from '#contract/paths.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { formatDay } from '#web/features/site/local-time.ts';
import { t } from '#web/language/texts.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import type { DeskBoard, DeskBoat } from '#web/platform/api/types.ts';
import { readStored, removeStored, writeStored } from '#web/platform/browser-storage.ts';
import { addDays } from '#web/ui/calendar/calendar.ts';
import { type Column, Table } from '#web/ui/data/table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Segmented } from '#web/ui/form/segmented.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { FilterFields } from '../filter-fields.tsx';
import { useLiveBoats } from '../live/use-live.ts';
import { Permitted } from '../session/permitted.tsx';
import { usePermission } from '../session/staff-session.ts';
import { Boarding, BoatState, BoatTime, chooseTone, describeSales, Loads } from './boat-parts.tsx';
import { boardQuery } from './boat-queries.ts';
import styles from './boats.module.css';
import { linkToSale, listNextBoats, nameDestinations } from './next-boats.ts';
import { PortClosures } from './port-closures.tsx';

/** The boats of a port, today and tomorrow. */
export function BoardScreen() {
  return (
    <Permitted permission="see_orders">
      <Board />
    </Permitted>
  );
}

function Board() {
  const [params] = useSearchParams();
  const [ownPort, forgetPort] = useOwnPort();
  const port = params.get('port') ?? ownPort;
  const search = { port, day: params.get('day') ?? '' };
  const query = useQuery(boardQuery(search));
  useLiveBoats(query.data?.day ?? '');
  useEffect(() => {
    if (hasErrorCode(query.error, 'not_found')) forgetPort();
  }, [query.error, forgetPort]);
  return (
    <>
      <PageHeader
        title={t('Boats')}
        intro={t('How full they are, what is late, and who waits for an answer.')}
      />
      {query.data === undefined ? (
        <QueryFallback query={query} problem={t('We could not load the boats')} loading={t('Loading…')}>
          <Skeleton height="20rem" />
        </QueryFallback>
      ) : (
        <Boats board={query.data} now={query.dataUpdatedAt} />
      )}
    </>
  );
}

const PORT_KEY = 'staff-port';

/** The port that was chosen last on this device, until the timetable has it no more. */
function useOwnPort(): [port: string, forget: () => void] {
  const [port, setPort] = useState(() => readStored(PORT_KEY) ?? '');
  const forget = useCallback(() => {
    removeStored(PORT_KEY);
    setPort('');
  }, []);
  return [port, forget];
}

function Boats({ board, now }: { board: DeskBoard; now: number }) {
  const { boats, day } = board;
  return (
    <Stack>
      <SellNext board={board} />
      <BoardChoice board={board} />
      {boats.length === 0 ? (
        <EmptyState icon="ferry" title={t('No boats on this day')} />
      ) : (
        <Table
          caption={t('Boats from {port}, {day}', { port: board.port.name, day: formatDay(day) })}
          columns={listColumns(now)}
          getTone={chooseTone}
          rows={boats}
          getKey={({ id }) => id}
        />
      )}
      <PortClosures board={board} now={now} />
    </Stack>
  );
}

/** The first control of the page, so that a sale for the next boat takes a few keys. */
function SellNext({ board }: { board: DeskBoard }) {
  const maySell = usePermission('sell_tickets');
  const [next] = listNextBoats(board);
  if (!maySell || !next) return null;
  const { to, label } = linkToSale(next);
  return (
    <div>
      <ButtonLink to={to}>{label}</ButtonLink>
    </div>
  );
}

/** Each choice is an address. */
function BoardChoice({ board: { ports, port, day, today } }: { board: DeskBoard }) {
  const navigate = useNavigate();
  const show = (change: { port?: string; day?: string }) => {
    if (change.port !== undefined) writeStored(PORT_KEY, change.port);
    const params = new URLSearchParams({ port: port.code, day, ...change });
    if (params.get('day') === today) params.delete('day');
    void navigate(`${staffPages.boats}?${params}`, { preventScrollReset: true });
  };
  const tomorrow = addDays(today, 1);
  const isOther = day !== today && day !== tomorrow;
  return (
    <FilterFields>
      <Select
        label={t('Port')}
        value={port.code}
        onChange={(event) => show({ port: event.target.value })}
        options={ports.map(({ code, name }) => ({ value: code, label: name }))}
      />
      <Segmented
        legend={t('Day')}
        value={day}
        onChange={(chosen) => show({ day: chosen })}
        options={[
          { value: today, label: t('Today') },
          { value: tomorrow, label: t('Tomorrow') },
          ...(isOther ? [{ value: day, label: formatDay(day) }] : []),
        ]}
      />
      <TextField
        type="date"
        label={t('Another day')}
        value={isOther ? day : ''}
        onChange={({ target }) => target.value !== '' && show({ day: target.value })}
      />
    </FilterFields>
  );
}

/** @param now in milliseconds */
function listColumns(now: number): Column<DeskBoat>[] {
  return [
    {
      id: 'boat',
      header: t('Boat|that leaves'),
      cell: (boat) => (
        <span className={styles.boat}>
          <Link to={fillPath(staffPages.boat, { id: boat.id })} className={styles.link}>
            <span className={styles.time}>
              <BoatTime boat={boat} />
            </span>{' '}
            {t('to {destination}', { destination: nameDestinations(boat) })}
          </Link>
          <BoatState boat={boat} />
        </span>
      ),
    },
    {
      id: 'vessel',
      header: t('Vessel'),
      cell: (boat) => (
        <span className={styles.vessel}>
          {boat.vessel.name}
          {boat.status === 'scheduled' && boat.departedAt === null && (
            <span className={styles.sales}>{describeSales(boat, now)}</span>
          )}
        </span>
      ),
    },
    { id: 'loads', header: t('Taken|places'), cell: ({ loads }) => <Loads loads={loads} /> },
    {
      id: 'aboard',
      header: t('Aboard|people'),
      cell: (boat) => <Boarding boat={boat} />,
    },
  ];
}
