import { t } from '#web/language/texts.ts';
import { formatDuration } from './local-time.ts';

/** "1 hour earlier" than at the departure's clock; null where both ports' clocks agree. */
export function formatClockChange(departsLocal: string, arrivesLocal: string): string | null {
  const change = utcOffset(arrivesLocal) - utcOffset(departsLocal);
  if (change === 0) return null;
  const minutes = Math.abs(change);
  const hours = minutes / 60;
  if (Number.isInteger(hours)) {
    return change < 0
      ? t('{hours, plural, one {# hour earlier} other {# hours earlier}}', { hours })
      : t('{hours, plural, one {# hour later} other {# hours later}}', { hours });
  }
  const duration = formatDuration(minutes);
  return change < 0 ? t('{duration} earlier', { duration }) : t('{duration} later', { duration });
}

/** Minutes ahead of UTC. */
export function utcOffset(local: string): number {
  const [, sign, hours, minutes] = /([+-])(\d{2}):(\d{2})$/.exec(local) ?? [];
  const size = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return sign === '-' ? -size : size;
}
