import type { Leg } from '#contract/orders/schemas.ts';
import type { Sailing, StopBetween, TimetableEntry } from '#contract/sailings/schemas.ts';
import { getSailingStatus, type SailingStatus } from '#domain/sailings/sailing-status.ts';
import { countMinutes, formatLocalTime, getZoneLabel } from '#domain/time/port-time.ts';
import { translateTexts } from '#messages/translations.ts';
import { describeAccessibility } from '#sentences/accessibility.ts';
import { describeStatus } from '#sentences/exceptions.ts';
import { textsIn } from '#server/core/texts.ts';
import { translateSailing } from '../database/translate-sailing.ts';
import type { TimetableRecord } from './queries.ts';

/** Check-in closes earlier for vehicles. */
type WithVehicle = { hasVehicle: boolean };

/** A sailing's times as instants and as local times of its two ports. */
export function presentSailingTimes(sailing: TimetableRecord, { hasVehicle }: WithVehicle) {
  const departs = sailing.departsAt.getTime();
  const arrives = sailing.arrivesAt.getTime();
  const { timeZone: departsZone } = sailing.origin;
  const { timeZone: arrivesZone } = sailing.destination;
  const checkInCloses = checkInClosesAt(sailing, { hasVehicle });
  return {
    departs_at: toIso(departs),
    arrives_at: toIso(arrives),
    departs_local: formatLocalTime(departs, departsZone),
    arrives_local: formatLocalTime(arrives, arrivesZone),
    departs_zone: departsZone,
    arrives_zone: arrivesZone,
    departs_zone_label: getZoneLabel(departs, departsZone),
    arrives_zone_label: getZoneLabel(arrives, arrivesZone),
    check_in_closes_at: toIso(checkInCloses),
    check_in_closes_local: formatLocalTime(checkInCloses, departsZone),
  } satisfies Partial<Leg>;
}

/** The stops between a sailing's two ports, with the local times of each. */
export function presentStopsBetween({ stopsBetween }: Pick<TimetableRecord, 'stopsBetween'>): StopBetween[] {
  return stopsBetween.map(({ port_id, name, time_zone, arrives_at, departs_at }) => {
    const toLocal = (instant: string | null) => formatLocalTime(Date.parse(instant ?? ''), time_zone);
    return {
      port_id,
      name,
      arrives_local: toLocal(arrives_at ?? departs_at),
      departs_local: toLocal(departs_at ?? arrives_at),
    };
  });
}

/** The current status of a sailing: set by staff, or derived from the time. */
export function presentStatus(
  sailing: TimetableRecord,
  now: Date,
  { hasVehicle }: WithVehicle,
): SailingStatus {
  const departs = sailing.departsAt.getTime();
  return getSailingStatus(
    {
      decided: sailing.status,
      departsAt: departs,
      arrivesAt: sailing.arrivesAt.getTime(),
      delayMinutes: sailing.delayMinutes,
      checkInOpensAt: departs - sailing.route.checkInOpenMinutes * 60_000,
      checkInClosesAt: checkInClosesAt(sailing, { hasVehicle }),
      reported: getReported(sailing),
    },
    now.getTime(),
  );
}

function getReported({
  checkInClosedAt,
  departedAt,
}: TimetableRecord): 'check_in_closed' | 'departed' | null {
  if (departedAt !== null) return 'departed';
  return checkInClosedAt === null ? null : 'check_in_closed';
}

/** A sailing in search results. */
export function presentSailing(
  sailing: TimetableRecord,
  offer: Pick<Sailing, 'availability' | 'from_amount' | 'currency'>,
  now: Date,
  { language, ...withVehicle }: WithVehicle & { language: string },
): Sailing {
  const { vessel, route, ...translated } = translateSailing(sailing, language);
  return {
    id: sailing.id,
    route_id: sailing.routeId,
    service_date: sailing.serviceDate,
    status: presentStatus(sailing, now, withVehicle),
    delay_minutes: sailing.delayMinutes,
    status_text: describeStatus(textsIn(language), translated),
    ...presentSailingTimes(sailing, withVehicle),
    duration_minutes: countMinutes(sailing.departsAt.getTime(), sailing.arrivesAt.getTime()),
    stops_between: presentStopsBetween(translated),
    line_name: route.lineName,
    vessel: { id: vessel.id, name: vessel.name, accessibility_notes: vessel.accessibilityNotes },
    accessibility: describeAccessibility(textsIn(language), language, { ...translated, vessel }),
    sales_close_at: toIso(sailing.salesCloseAt.getTime()),
    ...offer,
    version: sailing.version,
    as_of: now.toISOString(),
  };
}

/** An entry of the timetable. */
export function presentTimetableEntry(sailing: TimetableRecord, now: Date, language: string): TimetableEntry {
  const times = presentSailingTimes(sailing, { hasVehicle: false });
  return {
    sailing_id: sailing.id,
    service_date: sailing.serviceDate,
    departs_at: times.departs_at,
    departs_local: times.departs_local,
    arrives_local: times.arrives_local,
    vessel_name: translateTexts(sailing.vessel, language).name,
    status: presentStatus(sailing, now, { hasVehicle: false }),
  };
}

/** When check-in closes by the clock, in milliseconds. */
export function checkInClosesAt({ departsAt, route }: TimetableRecord, { hasVehicle }: WithVehicle): number {
  const minutes = hasVehicle ? route.checkInCloseMinutesVehicle : route.checkInCloseMinutesFoot;
  return departsAt.getTime() - minutes * 60_000;
}

/** Until when tickets for a sailing can be paid online, in milliseconds; always past once its gate has closed check-in. */
export function getOnlinePaymentEnd(sailing: TimetableRecord, vehicle: WithVehicle): number {
  if (sailing.checkInClosedAt !== null) return Number.NEGATIVE_INFINITY;
  return Math.min(sailing.salesCloseAt.getTime(), checkInClosesAt(sailing, vehicle));
}

function toIso(instant: number): string {
  return new Date(instant).toISOString();
}
