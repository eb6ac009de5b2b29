import { zoneLabel } from '#domain/time/port-time.ts';

/**
 * A zone as a VTIMEZONE (RFC 5545): every clock change from the last one before `from` to the first after `until`,
 * listed one by one, so that calendars need not know the zone's rules.
 */
export function describeTimeZone(zone: string, from: Date, until: Date): string {
  const start = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO(zone);
  // A zone with summer time changes its clock at least once within a year.
  let at: Temporal.ZonedDateTime | null = start.subtract({ years: 1 });
  const changes = describeChange(at, at.offset);
  while (at && at.epochMilliseconds <= until.getTime()) {
    at = at.getTimeZoneTransition('next');
    if (at) changes.push(...describeChange(at, at.subtract({ nanoseconds: 1 }).offset));
  }
  return ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...changes, 'END:VTIMEZONE'].join('\r\n');
}

function describeChange(at: Temporal.ZonedDateTime, offsetBefore: string): string[] {
  const kind = isSummerTime(at) ? 'DAYLIGHT' : 'STANDARD';
  return [
    `BEGIN:${kind}`,
    // In local time before the change.
    `DTSTART:${compact(at.toInstant().toZonedDateTimeISO(offsetBefore).toPlainDateTime())}`,
    `TZOFFSETFROM:${offsetBefore.replaceAll(':', '')}`,
    `TZOFFSETTO:${at.offset.replaceAll(':', '')}`,
    `TZNAME:${zoneLabel(at.epochMilliseconds, at.timeZoneId)}`,
    `END:${kind}`,
  ];
}

/** Whether the offset is the larger one of the year's two seasons. */
function isSummerTime(at: Temporal.ZonedDateTime): boolean {
  const seasons = [1, 7].map((month) => at.with({ month, day: 1 }).offsetNanoseconds);
  return at.offsetNanoseconds > Math.min(...seasons);
}

function compact(time: Temporal.PlainDateTime): string {
  return time.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');
}
