import { useId } from 'react';
import type { Sailing } from '#web/platform/api/types.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { classes } from '#web/ui/classes.ts';
import { FullnessBar } from '#web/ui/fullness-bar.tsx';
import { formatMoney } from '#web/ui/money.tsx';
import { formatClock, formatDuration, formatShortDay, formatTime, localDay } from './local-time.ts';
import { findLegLook, type StatusLook } from './order-status.ts';
import { PhoneLink } from './phone-link.tsx';
import styles from './sailing-row.module.css';
import { StatusBadge } from './status-badge.tsx';
import type { Meaning } from './status-explanation.tsx';

export type SailingRowProps = {
  sailing: Sailing;
  isChosen?: boolean | undefined;
  onChoose: (sailing: Sailing) => void;
  /** Of the ticket booth, for sailings that are no longer sold here. */
  phone: string | null;
  /** In a list that spans days; a boat after midnight always shows its own day. */
  showsDay?: boolean | undefined;
};

export function SailingRow({
  sailing,
  isChosen = false,
  onChoose,
  phone,
  showsDay = false,
}: SailingRowProps) {
  const id = useId();
  const canBuy = canBuyOnline(sailing);
  const status = findStatus(sailing);
  const day = localDay(sailing.departsLocal);
  return (
    <li className={classes(styles.row, isChosen && styles.chosen, !canBuy && styles.shut)}>
      <div className={styles.times} id={id}>
        {(showsDay || day !== sailing.serviceDate) && (
          <span className={styles.day}>{formatShortDay(day)}</span>
        )}
        <time className={styles.clock} dateTime={sailing.departsAt}>
          {formatClock(sailing.departsLocal)}
          <span className={styles.zone}> {sailing.departsZoneLabel}</span>
        </time>
        <span className={styles.facts}>
          arrives{' '}
          <time dateTime={sailing.arrivesAt}>
            {formatTime(sailing.arrivesLocal, sailing.arrivesZoneLabel)}
          </time>
        </span>
        <span className={styles.facts}>
          {formatDuration(sailing.durationMinutes)} · {sailing.vessel.name}
        </span>
      </div>
      <div className={styles.offer}>
        {canBuy && sailing.fromAmount !== null && (
          <span className={styles.price}>
            <span className={styles.from}>from </span>
            {formatMoney(sailing.fromAmount, sailing.currency)}
          </span>
        )}
        {canBuy && (
          <Button
            size="small"
            variant={isChosen ? 'primary' : 'secondary'}
            icon={isChosen ? 'check' : undefined}
            aria-pressed={isChosen}
            aria-label={`${isChosen ? 'Chosen:' : 'Choose'} the ${formatClock(sailing.departsLocal)} sailing`}
            aria-describedby={id}
            className={styles.choose}
            onClick={() => onChoose(sailing)}
          >
            {isChosen ? 'Chosen' : 'Choose'}
          </Button>
        )}
        {status && <SailingBadge {...status} />}
      </div>
      <div className={styles.state}>
        <Space sailing={sailing} />
        {sailing.statusText && <p>{sailing.statusText}</p>}
        {needsBooth(sailing) && phone !== null && (
          <p>
            Ticket booth: <PhoneLink phone={phone} />
          </p>
        )}
      </div>
    </li>
  );
}

function SailingBadge({ look, meaning }: SailingStatus) {
  if (meaning === undefined) return <Badge tone={look.tone}>{look.label}</Badge>;
  return <StatusBadge look={look} meaning={meaning} />;
}

export function canBuyOnline({ availability }: Pick<Sailing, 'availability'>): boolean {
  return availability.fits && (availability.state === 'on_sale' || availability.state === 'low');
}

export function hasLeft({ status }: Pick<Sailing, 'status'>): boolean {
  return status === 'departed' || status === 'arrived';
}

function Space({ sailing: { availability } }: { sailing: Sailing }) {
  const { state, text, fullnessPercent } = availability;
  const isKnown = state === 'on_sale' || state === 'low' || state === 'full';
  if (!isKnown || fullnessPercent === null) return <p>{text}</p>;
  return <FullnessBar level={fullnessPercent / 100} text={text} />;
}

function needsBooth(sailing: Sailing): boolean {
  const { state } = sailing.availability;
  return !hasLeft(sailing) && (state === 'closed_online' || state === 'unknown');
}

type SailingStatus = { look: StatusLook; meaning?: Meaning };

function findStatus(sailing: Sailing): SailingStatus | null {
  const leg = findLegLook(sailing);
  const { state, fits } = sailing.availability;
  if (state === 'cancelled' || sailing.status === 'cancelled')
    return { look: { label: 'Canceled', tone: 'danger' }, meaning: 'sailing_cancelled' };
  if (hasLeft(sailing)) return leg && { look: leg };
  if (state === 'closed_online')
    return { look: { label: 'Online sales closed', tone: 'neutral' }, meaning: 'closed_online' };
  if (state === 'full') return { look: { label: 'Full', tone: 'danger' }, meaning: 'full' };
  if (state === 'unknown')
    return { look: { label: 'Space not known', tone: 'warning' }, meaning: 'space_unknown' };
  if (!fits) return { look: { label: 'No room for your party', tone: 'danger' }, meaning: 'no_room' };
  return leg && sailing.delayMinutes > 0 ? { look: leg } : null;
}
