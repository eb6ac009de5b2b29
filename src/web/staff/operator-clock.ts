import { type DateStyle, readLocalDay, readLocalTime } from '#domain/format/dates.ts';
import { getZoneLabel } from '#domain/time/port-time.ts';
import { setReaderClock } from '#web/features/site/reader-time.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import type { IsoDate } from '#web/ui/calendar/calendar.ts';

const WITH_CLOCK: readonly DateStyle[] = ['clock', 'shortDayAndClock', 'dateAndClock', 'longDayAndClock'];

/** Staff read times on the operator's clock, wherever they work. */
export function readOperatorClock(): void {
  const { time_zone: zone } = pageConfig();
  setReaderClock(
    zone === undefined
      ? undefined
      : {
          zone,
          nameZone: (text, style, instant) =>
            WITH_CLOCK.includes(style) && readLocalTime(instant, zone) !== readLocalTime(instant)
              ? `${text} ${getZoneLabel(instant, zone)}`
              : text,
          toDate: (instant) => new Date(readLocalTime(instant, zone)),
        },
  );
}

export function operatorToday(): IsoDate {
  return readLocalDay(serverNow(), pageConfig().time_zone);
}

/** The first instant of a day. */
export function startOfOperatorDay(day: IsoDate): string {
  const { time_zone: zone } = pageConfig();
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const offsetAt = (instant: number) => Date.parse(`${readLocalTime(instant, zone)}Z`) - instant;
  // The clock may change between midnight in UTC and that of the operator.
  const near = midnight - offsetAt(midnight);
  return new Date(midnight - offsetAt(near)).toISOString();
}
