import { formatList } from '#messages/intl.ts';
import { formatClock, shiftLocalTime } from '#web/features/site/local-time.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import type { DeskBoat } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { FullnessBar } from '#web/ui/data/fullness-bar.tsx';
import { ShownTime } from '#web/ui/data/shown-time.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Cluster } from '#web/ui/layout/stack.tsx';
import styles from './boats.module.css';
import { formatPlaces, RESOURCES } from './places.ts';

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

/** "Heron Island and Ebb Point" */
export function nameDestinations({ sailings }: Pick<DeskBoat, 'sailings'>): string {
  return formatList(textLanguage(), [...new Set(sailings.map(({ destination }) => destination))]);
}

/** What is unusual about a boat, and how far it is; nothing for one that waits for its time. */
export function BoatState({ boat }: { boat: DeskBoat }) {
  const { status, delayMinutes, departedAt, checkInClosedAt, isOversold, waiting } = boat;
  return (
    <Cluster gap="sm">
      {status === 'canceled' && <Badge tone="danger">{t('Canceled|a sailing')}</Badge>}
      {status === 'suspended' && <Badge tone="warning">{t('On hold')}</Badge>}
      {status !== 'canceled' && delayMinutes > 0 && (
        <Badge tone="warning">{t('{minutes} min late', { minutes: delayMinutes })}</Badge>
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
  return (
    <ul className={styles.loads}>
      {loads.map(({ resource, taken, total, heldBack }) => {
        const amounts = {
          taken: formatPlaces(resource, taken, units),
          total: formatPlaces(resource, total, units),
          resource: t(RESOURCES[resource]),
        };
        const text = t('{taken} of {total} {resource}', amounts);
        return (
          <li key={resource}>
            <FullnessBar
              level={taken / total}
              text={
                heldBack === 0
                  ? text
                  : t('{load}, {amount} held back', {
                      load: text,
                      amount: formatPlaces(resource, heldBack, units),
                    })
              }
            />
          </li>
        );
      })}
    </ul>
  );
}
