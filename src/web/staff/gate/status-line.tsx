import { useNow } from '#web/features/site/use-now.ts';
import { t } from '#web/language/texts.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Cluster } from '#web/ui/layout/stack.tsx';
import { listUnsent } from './device/event-log.ts';
import type { GateState } from './device/gate-device.ts';

const MINUTE_MS = 60_000;
/** From this age on, tickets that were canceled or sold since are a risk. */
const OLD_MINUTES = 5;
/** A larger error of the device's clock is told: texts of the phone itself show another time than the gate. */
const CLOCK_MINUTES = 2;

/** Whether there is a connection, how old the list is, and what the server does not know yet. */
export function StatusLine({ state }: { state: GateState }) {
  const now = useNow();
  const { pack, log, isOffline } = state;
  const minutes = pack === null ? 0 : Math.max(0, Math.floor((now - Date.parse(pack.as_of)) / MINUTE_MS));
  const isOld = minutes >= OLD_MINUTES;
  const unsent = listUnsent(log).length;
  const refused = log.filter((each) => each.isRefused).length;
  return (
    <Cluster role="group" aria-label={t('State of this device')}>
      <Badge tone={isOffline ? 'warning' : 'success'} icon={isOffline ? 'offline' : 'check'}>
        {isOffline ? t('Offline') : t('Online')}
      </Badge>
      <Badge tone={isOld ? 'warning' : 'neutral'} icon={isOld ? 'warning' : 'clock'}>
        {formatAge(minutes)}
      </Badge>
      <ClockBadge />
      {unsent > 0 && (
        <Badge tone={isOffline ? 'warning' : 'neutral'}>
          {t('{count, plural, one {# not sent yet} other {# not sent yet}}', { count: unsent })}
        </Badge>
      )}
      {refused > 0 && (
        <Badge tone="danger" icon="warning">
          {t('{count, plural, one {# not accepted: tell a manager} other {# not accepted: tell a manager}}', {
            count: refused,
          })}
        </Badge>
      )}
    </Cluster>
  );
}

/** What happens at the gate is stored by the server's clock; people who look at the phone's have to know. */
function ClockBadge() {
  const minutes = Math.round((Date.now() - serverNow()) / MINUTE_MS);
  if (Math.abs(minutes) <= CLOCK_MINUTES) return null;
  return (
    <Badge tone="warning" icon="warning">
      {minutes > 0
        ? t('The clock of this device is {minutes} min fast', { minutes })
        : t('The clock of this device is {minutes} min slow', { minutes: -minutes })}
    </Badge>
  );
}

export function formatAge(minutes: number): string {
  if (minutes < 1) return t('List is up to date');
  if (minutes < 60) return t('List is {minutes} min old', { minutes });
  return t('List is {hours} h {minutes} min old', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}
