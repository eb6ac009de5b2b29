import { useId } from 'react';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
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
import { findShownZones } from './shown-zones.ts';

type SailingRowProps = {
  sailing: Journey;
  onChoose: (sailing: Journey) => void;
  /** Null for none; the sailing's own by default. */
  price?: number | null | undefined;
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
  price = sailing.fromAmount,
  phone,
  showsDay = false,
  showsLine = false,
}: SailingRowProps) {
  const id = useId();
  const { availability, statusText } = sailing;
  const canBuy = canBuyOnline(sailing);
  const hasStatusText = statusText !== '' && statusText !== availability.text;
  const isQuiet = canBuy && isHalfEmpty(sailing) && !hasStatusText && findStatus(sailing) === null;
  return (
    <li className={classes(linkRow.row, !canBuy && linkRow.shut)}>
      <div className={styles.crossing} id={id}>
        {showsDay && <span className={styles.day}>{formatShortDay(localDay(sailing.departsLocal))}</span>}
        <SailingTimes sailing={sailing} line={showsLine ? sailing.lineName : undefined} />
      </div>
      {canBuy && (
        <div className={styles.offer}>
          {price !== null && (
            <span className={styles.price}>
              {rich('<small>from </small>{price}', {
                small: (word) => <span className={styles.from}>{word}</span>,
                price: formatMoney(price, sailing.currency),
              })}
            </span>
          )}
          <button
            type="button"
            aria-label={t('Choose the {departure} sailing', {
              departure: readCrossingTimes(sailing).departs.text,
            })}
            aria-describedby={id}
            className={linkRow.target}
            onClick={() => onChoose(sailing)}
          >
            <Icon name="chevron-right" />
          </button>
        </div>
      )}
      <div className={styles.state} data-quiet={isQuiet || undefined}>
        <SailingBadge sailing={sailing} />
        <Space sailing={sailing} />
        {hasStatusText && <p>{statusText}</p>}
        {needsBooth(sailing) && phone !== null && (
          <p>{rich('Ticket booth: <tel>{phone}</tel>', { phone, tel: () => <PhoneLink phone={phone} /> })}</p>
        )}
      </div>
    </li>
  );
}

export function SailingTimes({ sailing, line }: { sailing: Journey; line?: string | undefined }) {
  const { durationMinutes, transfer, vessel } = sailing;
  const zones = findShownZones(sailing);
  const { departs } = readCrossingTimes(sailing);
  const { arrives } = readCrossingTimes(transfer?.onward ?? sailing);
  const stops = transfer ? describeTransfer(transfer) : describeStops(sailing);
  const details = [formatDuration(durationMinutes), stops, vessel.name, line].filter(Boolean);
  return (
    <>
      <span className={styles.clock}>
        <ShownTime {...departs} />
        {zones.departs && <span className={styles.zone}> {zones.departs}</span>}
      </span>{' '}
      <span className={styles.details}>
        {/* Translators: before a time. */}
        <span className="visually-hidden">{t('arrives')} </span>
        <span aria-hidden="true">→ </span>
        <span className={styles.arrival}>
          <ShownTime {...arrives} />
          {zones.arrives && ` ${zones.arrives}`}
        </span>{' '}
        · {details.join(' · ')}
      </span>
    </>
  );
}

export function SailingBadge({ sailing }: { sailing: Sailing }) {
  const status = findStatus(sailing);
  if (status === null) return null;
  const { label, tone, meaning } = status;
  if (meaning === undefined) return <Badge tone={tone}>{label}</Badge>;
  return <StatusBadge label={label} tone={tone} meaning={meaning} />;
}

export function canBuyOnline({ availability }: Pick<Sailing, 'availability'>): boolean {
  return availability.fits && (availability.state === 'on_sale' || availability.state === 'low');
}

export function hasLeft({ status }: Pick<Sailing, 'status'>): boolean {
  return status === 'departed' || status === 'arrived';
}

/** Such a boat needs no line on a phone, where more sailings are in view without it. */
function isHalfEmpty({ availability: { state, fullnessPercent } }: Sailing): boolean {
  return state === 'on_sale' && fullnessPercent !== null && fullnessPercent < 50;
}

/** How full a sailing is that the party can buy, or why it cannot. */
function Space({ sailing }: { sailing: Sailing }) {
  const { state, text, fullnessPercent } = sailing.availability;
  return canBuyOnline(sailing) && fullnessPercent !== null ? (
    <FullnessBar level={fullnessPercent / 100} text={text} />
  ) : (
    <p className={classes(state === 'low' && styles.low)}>{text}</p>
  );
}

function needsBooth(sailing: Sailing): boolean {
  const { state } = sailing.availability;
  return !hasLeft(sailing) && (state === 'closed_online' || state === 'unknown');
}

type SailingStatus = BadgeContent & { meaning?: Meaning };

function findStatus(sailing: Sailing): SailingStatus | null {
  const leg = findLegBadge(sailing);
  const { state, fits } = sailing.availability;
  if (state === 'canceled' || sailing.status === 'canceled')
    return { label: t('Canceled|a sailing'), tone: 'danger', meaning: 'sailing_canceled' };
  if (hasLeft(sailing)) return leg;
  if (state === 'closed_online')
    return { label: t('Online sales closed'), tone: 'neutral', meaning: 'closed_online' };
  // Translators: no places are left.
  if (state === 'full') return { label: t('Full'), tone: 'danger', meaning: 'full' };
  if (state === 'unknown') return { label: t('Space not known'), tone: 'warning', meaning: 'space_unknown' };
  if (!fits) return { label: t('No room for your party'), tone: 'danger', meaning: 'no_room' };
  return sailing.delayMinutes > 0 ? leg : null;
}
