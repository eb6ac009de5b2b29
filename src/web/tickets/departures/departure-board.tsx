import { useEffect, useRef } from 'react';
import { readLocalTime } from '#domain/format/dates.ts';
import { formatClock, formatDay, formatShortDay } from '#web/features/site/local-time.ts';
import { listNames } from '#web/language/lists.ts';
import { t } from '#web/language/texts.ts';
import { errorText } from '#web/platform/api/api-error.ts';
import type { Departures } from '#web/platform/api/types.ts';
import { keepWorking, useConnectionPhase } from '#web/platform/connection/connection.ts';
import { useReadableOffline, useShowsAtGate } from '#web/platform/connection/readable-offline.ts';
import { keepScreenOn } from '#web/platform/install/wake-lock.ts';
import { classes } from '#web/ui/classes.ts';
import { ShownTime } from '#web/ui/data/shown-time.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import styles from './departure-board.module.css';
import {
  type Boat,
  describeCheckIn,
  describeNext,
  describeRoom,
  findBoatBadge,
  findOtherDay,
  listBoats,
  readDeparture,
} from './departure-state.ts';
import { usePortTime } from './port-clock.ts';
import { useBoardPages } from './use-board-pages.ts';
import { type ShownDepartures, useDepartures } from './use-departures.ts';
import { usePortTitle } from './use-port-title.ts';

/** A screen at a terminal shows the timetable for this long without a connection. */
const DAYS_AHEAD = 6;

/** The boats that leave a port next, for an unattended screen at the terminal. */
export function DepartureBoard({ code }: { code: string }) {
  const shown = useDepartures(code, DAYS_AHEAD);
  const board = useRef<HTMLElement>(null);
  useDarkPage();
  useUnattended();
  useEffect(() => (board.current ? keepScreenOn(board.current, { limitMs: null }) : undefined), []);
  const { list, failed } = shown;
  return (
    <main ref={board} id="main" tabIndex={-1} className={styles.board}>
      {list ? (
        <Board {...shown} list={list} />
      ) : (
        <h1 className={styles.port}>{failed === null ? t('Departures') : errorText(failed.error)}</h1>
      )}
    </main>
  );
}

/** The board is dark whatever the device prefers, so that it does not dazzle in a hall. */
function useDarkPage(): void {
  useEffect(() => {
    const { dataset } = document.documentElement;
    const before = dataset.theme;
    dataset.theme = 'dark';
    return () => {
      if (before === undefined) delete dataset.theme;
      else dataset.theme = before;
    };
  }, []);
}

/** Continues by itself after a lost connection: automatic reloads for new releases wait for that. */
function useUnattended(): void {
  const phase = useConnectionPhase();
  useEffect(() => {
    if (phase === 'restored') keepWorking();
  }, [phase]);
}

function Board({ list, checkedAt, isCurrent, now }: ShownDepartures & { list: Departures }) {
  const { timeZone, name } = list.port;
  usePortTitle(name);
  const local = usePortTime(timeZone);
  const checked = describeCheck(readLocalTime(checkedAt, timeZone), local);
  useReadableOffline();
  useShowsAtGate(t('last checked {time}', { time: checked }));
  const boats = listBoats(list, { now, isCurrent }, null).filter(({ hasLeft }) => !hasLeft);
  const rows = useRef<HTMLUListElement>(null);
  const { page, pages, from, until, offset } = useBoardPages(rows, list);
  const next = describeNext(list);
  return (
    <>
      <header className={styles.header}>
        <h1 className={styles.port}>{name}</h1>
        <p className={styles.clock}>{formatClock(local)}</p>
        <p className={styles.day}>
          {t('Departures, {day}', { day: formatDay(list.day) })}
          {pages > 1 && ` · ${t('Page {page} of {pages}', { page, pages })}`}
        </p>
        <p className={classes(styles.checked, !isCurrent && styles.old)}>
          {t(
            isCurrent
              ? 'Last checked {time}'
              : 'No connection. Boats may be late or canceled. Last checked {time}',
            { time: checked },
          )}
        </p>
        {list.notices.map((notice) => (
          <p key={notice} className={styles.notice}>
            {notice}
          </p>
        ))}
      </header>
      {boats.length === 0 ? (
        <p className={styles.none}>
          {next === null
            ? t('No more sailings today.')
            : t('No more sailings today. The first one leaves {time}.', { time: next })}
        </p>
      ) : (
        <div className={styles.screen}>
          <ul ref={rows} className={styles.rows} style={{ top: -offset }} aria-label={t('Next departures')}>
            {boats.map((boat, index) => (
              <BoardRow
                key={boat.to.sailingId}
                boat={boat}
                day={findOtherDay(boat, list)}
                isShown={index >= from && index < until}
              />
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

/** "2:02 PM", with the day if it was not today; on the port's clock. */
function describeCheck(checked: string, now: string): string {
  const day = checked.slice(0, 10);
  const time = formatClock(checked);
  return day === now.slice(0, 10) ? time : t('{day}, {time}', { day: formatShortDay(day), time });
}

function BoardRow({ boat, day, isShown }: { boat: Boat; day: string | null; isShown: boolean }) {
  const { to, statusText, vesselName } = boat;
  const badge = findBoatBadge(boat);
  const room = describeRoom(boat);
  const details = [describeCheckIn(boat), room, statusText !== room && statusText].filter(Boolean);
  return (
    <li className={classes(styles.row, !isShown && styles.otherPage)}>
      <p className={styles.time}>
        <ShownTime {...readDeparture(boat)} />
        {day !== null && <span className={styles.small}>{day}</span>}
      </p>
      <p className={styles.to}>
        {to.port.name}
        {to.via.length > 0 && (
          <span className={styles.small}>{t('via {ports}', { ports: listNames(to.via) })}</span>
        )}
      </p>
      <p className={styles.vessel}>{vesselName}</p>
      <div className={styles.state}>
        <Badge tone={badge.tone}>{badge.label}</Badge>
        {details.length > 0 && <p className={styles.small}>{details.join(' · ')}</p>}
      </div>
    </li>
  );
}
