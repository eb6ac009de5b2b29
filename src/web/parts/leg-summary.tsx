import type { Leg } from '#web/platform/api/types.ts';
import { Badge } from '#web/ui/badge.tsx';
import { RouteLine } from '#web/ui/route-line.tsx';
import { Cluster } from '#web/ui/stack.tsx';
import styles from './leg-summary.module.css';
import { formatDay, formatDuration, formatTime, localDay, minutesBetween } from './local-time.ts';
import { findLegLook } from './order-status.ts';

/** The crossing as far as a row shows it; sailings and legs both have these. */
export type Crossing = Pick<
  Leg,
  | 'departsAt'
  | 'arrivesAt'
  | 'departsLocal'
  | 'arrivesLocal'
  | 'departsZoneLabel'
  | 'arrivesZoneLabel'
  | 'status'
  | 'statusText'
  | 'delayMinutes'
>;

export type LegSummaryProps = { crossing: Crossing; from: string; to: string; name?: string | undefined };

export function LegSummary({ crossing, from, to, name }: LegSummaryProps) {
  const look = findLegLook(crossing);
  const arrivalDay = localDay(crossing.arrivesLocal);
  return (
    <div className={styles.leg}>
      <Cluster justify="between">
        <p className={styles.day}>
          {name && <span className={styles.name}>{name} · </span>}
          {formatDay(localDay(crossing.departsLocal))}
        </p>
        {look && <Badge tone={look.tone}>{look.label}</Badge>}
      </Cluster>
      <RouteLine
        from={{
          place: from,
          time: formatTime(crossing.departsLocal, crossing.departsZoneLabel),
          dateTime: crossing.departsAt,
        }}
        to={{
          place: to,
          time: formatTime(crossing.arrivesLocal, crossing.arrivesZoneLabel),
          dateTime: crossing.arrivesAt,
          note: arrivalDay === localDay(crossing.departsLocal) ? undefined : formatDay(arrivalDay),
        }}
        duration={formatDuration(minutesBetween(crossing.departsAt, crossing.arrivesAt))}
      />
      {crossing.statusText && <p className={styles.status}>{crossing.statusText}</p>}
    </div>
  );
}
