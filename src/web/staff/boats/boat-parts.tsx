import { formatClock, shiftLocalTime } from '#web/features/site/local-time.ts';
import { t } from '#web/language/texts.ts';
import type { DeskBoat } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { classes } from '#web/ui/classes.ts';
import { ShownTime } from '#web/ui/data/shown-time.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Cluster } from '#web/ui/layout/stack.tsx';
import styles from './boats.module.css';
import { LoadMeter } from './load-meter.tsx';
import { formatPlaces, RESOURCES, type Resource } from './places.ts';

/** When a boat leaves; a time that no longer holds is struck. */
export function BoatTime({ boat: { departsLocal, departsAt, delayMinutes } }: { boat: DeskBoat }) {
  const delay = delayMinutes * 60_000;
  const planned = formatClock(departsLocal);
  return (
    <ShownTime
      text={delay === 0 ? planned : formatClock(shiftLocalTime(departsLocal, delay))}
      replaced={delay === 0 ? null : planned}
      instant={Date.parse(departsAt) + delay}
    />
  );
}

/** What is unusual about a boat, and how far it is; nothing for one that waits for its time. */
export function BoatState({ boat }: { boat: DeskBoat }) {
  const { status, delayMinutes, departedAt, checkInClosedAt, isOversold, waiting, aboard } = boat;
  return (
    <Cluster gap="sm">
      {status === 'canceled' && <Badge tone="danger">{t('Canceled|a sailing')}</Badge>}
      {status === 'suspended' && <Badge tone="warning">{t('On hold')}</Badge>}
      {status !== 'canceled' && delayMinutes > 0 && (
        <Badge tone="warning">{t('{minutes} min late', { minutes: delayMinutes })}</Badge>
      )}
      {status !== 'canceled' && aboard > 0 && departedAt === null && checkInClosedAt === null && (
        <Badge tone="info">{t('Boarding')}</Badge>
      )}
      {departedAt !== null && <Badge>{t('Departed')}</Badge>}
      {departedAt === null && checkInClosedAt !== null && <Badge>{t('Check-in closed')}</Badge>}
      {isOversold && <Badge tone="danger">{t('Overbooked')}</Badge>}
      {waiting > 0 && (
        <Badge tone="warning">
          {t('{count, plural, one {# order waits} other {# orders wait}}', { count: waiting })}
        </Badge>
      )}
    </Cluster>
  );
}

/** How full a boat is, a bar for each resource. */
export function Loads({ loads }: { loads: DeskBoat['loads'] }) {
  const { units } = useSettings();
  const format = (resource: Resource, amount: number) => formatPlaces(resource, amount, units);
  return (
    <div className={classes(styles.meters, styles.loads)}>
      {loads.map(({ resource, taken, total, heldBack }) => (
        <LoadMeter
          key={resource}
          label={t(RESOURCES[resource])}
          figures={t('{taken} of {total}', {
            taken: format(resource, taken),
            total: format(resource, total),
          })}
          taken={taken / total}
          heldBack={heldBack / total}
          note={heldBack === 0 ? null : t('{amount} held back', { amount: format(resource, heldBack) })}
        />
      ))}
    </div>
  );
}

/** Who is aboard of those with tickets. */
export function Boarding({ boat: { people, aboard, vehicles, vehiclesAboard } }: { boat: DeskBoat }) {
  if (people === 0) return <p>–</p>;
  const countOf = (taken: number, total: number) => t('{taken} of {total}', { taken, total });
  return (
    <div className={styles.meters}>
      <LoadMeter
        label={t(RESOURCES.passenger)}
        figures={countOf(aboard, people)}
        taken={aboard / people}
        isGoal
      />
      {vehicles > 0 && (
        <LoadMeter
          label={t('vehicles|aboard')}
          figures={countOf(vehiclesAboard, vehicles)}
          taken={vehiclesAboard / vehicles}
          isGoal
        />
      )}
    </div>
  );
}

/** What is unusual about a boat, as a color beside its words. */
export function chooseTone({ status, delayMinutes, isOversold, departedAt, waiting }: DeskBoat) {
  if (status === 'canceled' || isOversold) return 'danger';
  if (departedAt !== null && waiting === 0) return undefined;
  return status === 'suspended' || delayMinutes > 0 || waiting > 0 ? 'warning' : undefined;
}

/** Until when a boat is sold online, on the clock of its port. */
export function describeSales({ salesCloseAt, departsAt, departsLocal }: DeskBoat, now: number): string {
  const closes = Date.parse(salesCloseAt);
  if (closes <= now) return t('Online sales closed');
  const time = formatClock(shiftLocalTime(departsLocal, closes - Date.parse(departsAt)));
  return t('Online until {time}', { time });
}
