import { useId } from 'react';
import type { Sailing } from '#web/platform/api/types.ts';
import type { Journey } from '#web/platform/query/journey.ts';
import { classes } from '#web/ui/classes.ts';
import { FullnessBar } from '#web/ui/data/fullness-bar.tsx';
import linkRow from '#web/ui/data/link-row.module.css';
import { formatMoney } from '#web/ui/data/money.tsx';
import { ShownTime } from '#web/ui/data/shown-time.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { describeStops } from '../order/leg-summary.tsx';
import { type BadgeContent, findLegBadge } from '../order/order-status.ts';
import type { Meaning } from '../order/status-badge.tsx';
import { StatusBadge } from '../order/status-badge.tsx';
import { PhoneLink } from '../site/contact-ways.tsx';
import { formatDuration, formatShortDay, localDay } from '../site/local-time.ts';
import { readCrossingTimes } from './crossing-times.ts';
import { describeTransfer } from './journey-summary.tsx';
import styles from './sailing-row.module.css';

type SailingRowProps = {
  sailing: Journey;
  onChoose: (sailing: Journey) => void;
  /** Phone number of the ticket booth, for sailings no longer sold online. */
  phone: string | null;
  /** For lists that span days. A departure after midnight always shows its day. */
  showsDay?: boolean | undefined;
  /** For lists of several lines. */
  showsLine?: boolean | undefined;
};

export function SailingRow({
  sailing,
  onChoose,
  phone,
  showsDay = false,
  showsLine = false,
}: SailingRowProps) {
  const id = useId();
  const { availability, statusText } = sailing;
  const canBuy = canBuyOnline(sailing);
  const status = findStatus(sailing);
  return (
    <li className={classes(linkRow.row, !canBuy && linkRow.shut)}>
      <div className={styles.crossing} id={id}>
        {showsDay && <span className={styles.day}>{formatShortDay(localDay(sailing.departsLocal))}</span>}
        <Times sailing={sailing} line={showsLine ? sailing.lineName : undefined} />
      </div>
      {canBuy && (
        <div className={styles.offer}>
          {sailing.fromAmount !== null && (
            <span className={styles.price}>
              <span className={styles.from}>from </span>
              {formatMoney(sailing.fromAmount, sailing.currency)}
            </span>
          )}
          <button
            type="button"
            aria-label={`Choose the ${readCrossingTimes(sailing).departs.text} sailing`}
            aria-describedby={id}
            className={linkRow.target}
            onClick={() => onChoose(sailing)}
          >
            <Icon name="chevron-right" />
          </button>
        </div>
      )}
      <div className={styles.state}>
        {status && <SailingBadge {...status} />}
        <Space sailing={sailing} />
        {statusText !== '' && statusText !== availability.text && <p>{statusText}</p>}
        {needsBooth(sailing) && phone !== null && (
          <p>
            Ticket booth: <PhoneLink phone={phone} />
          </p>
        )}
      </div>
    </li>
  );
}

/** Shows the time zone once if both ports share it. */
function Times({ sailing, line }: { sailing: Journey; line: string | undefined }) {
  const { departsZoneLabel, arrivesZoneLabel, durationMinutes, transfer, vessel } = sailing;
  const { departs } = readCrossingTimes(sailing);
  const { arrives } = readCrossingTimes(transfer?.onward ?? sailing);
  const stops = transfer ? describeTransfer(transfer) : describeStops(sailing);
  const details = [formatDuration(durationMinutes), stops, vessel.name, line].filter(Boolean);
  return (
    <>
      <span className={styles.clock}>
        <ShownTime {...departs} />
        {departsZoneLabel !== arrivesZoneLabel && <span className={styles.zone}> {departsZoneLabel}</span>}
      </span>{' '}
      <span className={styles.details}>
        <span className="visually-hidden">arrives </span>
        <span aria-hidden="true">→ </span>
        <span className={styles.arrival}>
          <ShownTime {...arrives} /> {arrivesZoneLabel}
        </span>{' '}
        · {details.join(' · ')}
      </span>
    </>
  );
}

function SailingBadge({ label, tone, meaning }: SailingStatus) {
  if (meaning === undefined) return <Badge tone={tone}>{label}</Badge>;
  return <StatusBadge label={label} tone={tone} meaning={meaning} />;
}

export function canBuyOnline({ availability }: Pick<Sailing, 'availability'>): boolean {
  return availability.fits && (availability.state === 'on_sale' || availability.state === 'low');
}

export function hasLeft({ status }: Pick<Sailing, 'status'>): boolean {
  return status === 'departed' || status === 'arrived';
}

/** Shows nothing for a sailing with plenty of room. */
function Space({ sailing: { availability } }: { sailing: Sailing }) {
  const { state, fits, text, fullnessPercent } = availability;
  if (state === 'on_sale' && fits) return null;
  const isNearlyFull = state === 'low' && fits && fullnessPercent !== null && fullnessPercent >= NEARLY_FULL;
  return isNearlyFull ? (
    <FullnessBar level={fullnessPercent / 100} text={text} />
  ) : (
    <p className={classes(state === 'low' && styles.low)}>{text}</p>
  );
}

const NEARLY_FULL = 80;

function needsBooth(sailing: Sailing): boolean {
  const { state } = sailing.availability;
  return !hasLeft(sailing) && (state === 'closed_online' || state === 'unknown');
}

type SailingStatus = BadgeContent & { meaning?: Meaning };

function findStatus(sailing: Sailing): SailingStatus | null {
  const leg = findLegBadge(sailing);
  const { state, fits } = sailing.availability;
  if (state === 'canceled' || sailing.status === 'canceled')
    return { label: 'Canceled', tone: 'danger', meaning: 'sailing_canceled' };
  if (hasLeft(sailing)) return leg;
  if (state === 'closed_online')
    return { label: 'Online sales closed', tone: 'neutral', meaning: 'closed_online' };
  if (state === 'full') return { label: 'Full', tone: 'danger', meaning: 'full' };
  if (state === 'unknown') return { label: 'Space not known', tone: 'warning', meaning: 'space_unknown' };
  if (!fits) return { label: 'No room for your party', tone: 'danger', meaning: 'no_room' };
  return sailing.delayMinutes > 0 ? leg : null;
}
