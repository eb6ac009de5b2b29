import type { GateSailing } from '#contract/gate/schemas.ts';
import { formatList } from '#messages/intl.ts';
import { formatClock, formatShortDay, shiftLocalTime } from '#web/features/site/local-time.ts';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import type { Boat } from './boats.ts';

/** When a boat leaves by the timetable: "8:40 AM". */
export function formatBoatTime({ departs_local }: GateSailing): string {
  return formatClock(departs_local);
}

/** When it is expected to leave; null: as the timetable says. */
export function formatExpectedTime({ departs_local, delay_minutes }: GateSailing): string | null {
  return delay_minutes === 0 ? null : formatClock(shiftLocalTime(departs_local, delay_minutes * 60_000));
}

/** "Heron Island and Ebb Point" */
export function formatDestinations({ sailings }: Boat): string {
  const destinations = [...new Set(sailings.map(({ destination }) => destination))];
  return formatList(textLanguage(), destinations);
}

/** "Fri, Jun 5, 8:40 AM to Heron Island" */
export function formatBoat(boat: Boat): string {
  const [sailing] = boat.sailings;
  return t('{day}, {time} to {destination}', {
    day: formatShortDay(sailing.service_date),
    time: formatBoatTime(sailing),
    destination: formatDestinations(boat),
  });
}

/** Why boarding is not possible now; null: it is. */
export function describeBoatState({ sailings: [sailing] }: Boat): string | null {
  if (sailing.status === 'canceled') return t('Canceled|a sailing');
  if (sailing.status === 'suspended') return t('On hold');
  if (sailing.departed_at !== null) return t('Departed');
  return sailing.check_in_closed_at === null ? null : t('Check-in closed');
}

/** How many travelers lack the details that the law asks for. */
export function describeMissingDetails(count: number): string {
  return t(
    '{count, plural, =0 {The details of all travelers are entered.} one {The details of # traveler are missing.} other {The details of # travelers are missing.}}',
    { count },
  );
}
