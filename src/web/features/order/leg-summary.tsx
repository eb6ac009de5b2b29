import { listNames } from '#web/language/lists.ts';
import { t } from '#web/language/texts.ts';
import type { Leg } from '#web/platform/api/types.ts';
import { RouteLine, type RouteLineProps } from '#web/ui/data/route-line.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Cluster } from '#web/ui/layout/stack.tsx';
import { readCrossingTimes } from '../sailing/crossing-times.ts';
import { formatClockChange } from '../site/clock-change.ts';
import {
  formatDay,
  formatDuration,
  formatShortDay,
  localDay,
  minutesBetween,
  shiftLocalTime,
} from '../site/local-time.ts';
import { describeTransfer, findFirstBoat } from './journeys.ts';
import styles from './leg-summary.module.css';
import { findLegBadge } from './order-status.ts';

/** The fields that sailings and legs share. */
export type Crossing = Pick<
  Leg,
  | 'departsAt'
  | 'arrivesAt'
  | 'departsLocal'
  | 'arrivesLocal'
  | 'departsZone'
  | 'arrivesZone'
  | 'departsZoneLabel'
  | 'arrivesZoneLabel'
  | 'status'
  | 'statusText'
  | 'delayMinutes'
  | 'stopsBetween'
> &
  Partial<Pick<Leg, 'openTicketUntilLocal'>>;

type LegSummaryProps = {
  crossing: Crossing;
  from: string;
  to: string;
  name?: string | undefined;
  /** The boat before, shown above: a second boat of the same day repeats neither day nor name. */
  after?: Pick<Crossing, 'departsLocal'> | null | undefined;
};

export function LegSummary({ crossing, from, to, name, after }: LegSummaryProps) {
  const badge = findLegBadge(crossing);
  const day = localDay(crossing.departsLocal);
  const showsDay = !after || localDay(after.departsLocal) !== day;
  return (
    <div className={styles.leg}>
      {(showsDay || badge) && (
        <Cluster justify="between">
          {showsDay && (
            <p className={styles.day}>
              {name && <span className="muted">{name}: </span>}
              <span className={styles.date}>{formatDay(day)}</span>
            </p>
          )}
          {badge && <Badge tone={badge.tone}>{badge.label}</Badge>}
        </Cluster>
      )}
      <CrossingLine crossing={crossing} from={from} to={to} />
      {crossing.statusText && <p className={styles.status}>{crossing.statusText}</p>}
    </div>
  );
}

/** Stands above a second boat: "Change at Heron Island · 35 min". Nothing for other legs. */
export function BoatTransfer({ leg, legs }: { leg: Leg; legs: readonly Leg[] }) {
  const first = findFirstBoat(leg, legs);
  const text = first && describeTransfer(first, leg);
  return text ? <TransferNote>{text}</TransferNote> : null;
}

export function TransferNote({ children }: { children: string }) {
  return (
    <p className={styles.change}>
      <Icon name="swap" size="small" />
      {children}
    </p>
  );
}

type CrossingLineProps = Omit<LegSummaryProps, 'name' | 'after'> & Pick<RouteLineProps, 'size'>;

/** Both ports with their local times and zones. */
export function CrossingLine({ crossing, from, to, size }: CrossingLineProps) {
  const { departsAt, arrivesAt, departsLocal, arrivesLocal, departsZoneLabel, arrivesZoneLabel } = crossing;
  const { departs, arrives } = readCrossingTimes(crossing);
  const day = localDay(departsLocal);
  const note = (onDay: string, zone: string) => (onDay === day ? zone : `${formatShortDay(onDay)}, ${zone}`);
  // Within one zone, a change of the clocks during the crossing is ignored.
  const change =
    crossing.departsZone === crossing.arrivesZone ? null : formatClockChange(departsLocal, arrivesLocal);
  return (
    <>
      <RouteLine
        size={size}
        from={{
          place: from,
          time: departs,
          note: note(
            localDay(shiftLocalTime(departsLocal, departs.instant - Date.parse(departsAt))),
            departsZoneLabel,
          ),
        }}
        to={{
          place: to,
          time: arrives,
          note: note(
            localDay(shiftLocalTime(arrivesLocal, arrives.instant - Date.parse(arrivesAt))),
            arrivesZoneLabel,
          ),
        }}
        duration={formatDuration(minutesBetween(departsAt, arrivesAt))}
      />
      {describeStops(crossing) && <p className={styles.note}>{describeStops(crossing)}</p>}
      {change && <p className={styles.note}>{t('{change} in {port}', { change, port: to })}</p>}
    </>
  );
}

/** "via Orcas, Shaw"; null for a direct boat. */
export function describeStops({ stopsBetween = [] }: Pick<Crossing, 'stopsBetween'>): string | null {
  return stopsBetween.length === 0
    ? null
    : t('via {ports}', { ports: listNames(stopsBetween.map(({ name }) => name)) });
}
