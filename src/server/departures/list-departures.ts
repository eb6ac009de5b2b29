import type { Departure, Departures } from '#contract/departures/schemas.ts';
import type { Sailing } from '#contract/sailings/schemas.ts';
import { getExpectedTimes } from '#domain/sailings/expected-times.ts';
import { formatLocalTime, getDayPeriod, getZoneLabel } from '#domain/time/port-time.ts';
import { translateTexts } from '#messages/translations.ts';
import { listStatusSentences } from '#sentences/exceptions.ts';
import type { Context } from '#server/context.ts';
import { textsIn } from '#server/core/texts.ts';
import { translateSailing } from '#server/database/translate-sailing.ts';
import { type CatalogueRecord, listDayOfSailings, type SailingRecord } from '#server/sailings/queries.ts';
import { offerSailing, readSearchContext } from '#server/sailings/search.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { findNextDeparture } from './next-departure.ts';
import { listPortNotices } from './port-notices.ts';

type Port = CatalogueRecord['ports'][number];
type Query = { port: Port; catalogue: CatalogueRecord; day: string; language: string };

/** A sailing as it is offered to one passenger, with the record it was made from. */
type Offer = { sailing: SailingRecord; offer: Sailing };

/**
 * The boats that leave a port on a day: those of the service day with the night after it, and those of earlier service
 * days that leave or are expected to leave on the day and have not left yet.
 */
export async function listDepartures(
  context: Pick<Context, 'db' | 'clock'>,
  { port, catalogue, day, language }: Query,
): Promise<Departures> {
  const { db, clock } = context;
  const now = clock.now();
  const routes = catalogue.routes.filter(({ originPortId }) => originPortId === port.id);
  const routeIds = routes.map(({ id }) => id);
  const period = getDayPeriod(day, port.timeZone);
  const after = Math.max(period.from - 1, now.getTime());
  const shown = (await listDayOfSailings(db, routeIds, { day, period, after })).map((sailing) =>
    translateSailing(sailing, language),
  );
  const { contact } = await loadWebSettings({ db });
  const search = await readSearchContext(context, {
    query: { passengers: {} },
    catalogue,
    phone: contact.phone ?? '',
    language,
  });
  const lines = new Set(routes.map(({ gtfsRouteId }) => gtfsRouteId));
  const notices = await listPortNotices(db, { portId: port.id, lines, day, language });
  const offers = shown.map((sailing) => ({ sailing, offer: offerSailing(sailing, search) }));
  const boats = Map.groupBy(offers, ({ sailing: { voyageId, firstStop } }) => `${voyageId} ${firstStop}`);
  return {
    port: {
      ...{ id: port.id, code: port.code, name: translateTexts(port, language).name },
      time_zone: port.timeZone,
    },
    day,
    notices,
    departures: [...boats.values()].map((boat) => presentDeparture(boat, { notices, language })),
    next: await findNextDeparture(db, routeIds, { day, timeZone: port.timeZone }),
    as_of: now.toISOString(),
  };
}

/**
 * @param boat the sailings of a boat from the port, at least one
 * @param list notices: those that stand above the list, which the boats do not repeat
 */
function presentDeparture(
  boat: readonly Offer[],
  { notices, language }: { notices: readonly string[]; language: string },
): Departure {
  const calls = boat.toSorted((a, b) => a.sailing.lastStop - b.sailing.lastStop);
  const running = calls.filter(({ offer }) => offer.status !== 'canceled');
  const main = running.at(-1) ?? calls.at(-1);
  if (main === undefined) throw new Error('A boat without sailings has no departure.');
  const { sailing, offer } = main;
  const zone = sailing.origin.timeZone;
  const departs = sailing.departsAt.getTime();
  const checkInOpens = departs - sailing.route.checkInOpenMinutes * 60_000;
  return {
    service_date: sailing.serviceDate,
    departs_at: offer.departs_at,
    departs_local: offer.departs_local,
    expected_local: formatLocalTime(getExpectedTimes(sailing).departsAt, zone),
    zone_label: offer.departs_zone_label,
    status: offer.status,
    delay_minutes: sailing.delayMinutes,
    status_text: listStatusSentences(textsIn(language), sailing)
      .filter((sentence) => !notices.includes(sentence))
      .join(' '),
    check_in_opens_at: new Date(checkInOpens).toISOString(),
    check_in_opens_local: formatLocalTime(checkInOpens, zone),
    check_in_closes_at: offer.check_in_closes_at,
    check_in_closes_local: offer.check_in_closes_local,
    vessel_name: offer.vessel.name,
    line_name: sailing.route.lineName,
    destinations: calls.map(presentDestination),
  };
}

function presentDestination({ sailing, offer }: Offer): Departure['destinations'][number] {
  const { destination, stopsBetween } = sailing;
  const { availability } = offer;
  const arrives = getExpectedTimes(sailing).arrivesAt;
  return {
    sailing_id: sailing.id,
    port: { code: destination.code, name: destination.name },
    via: stopsBetween.map(({ name }) => name),
    accessibility: offer.accessibility,
    arrives_local: formatLocalTime(arrives, destination.timeZone),
    arrives_zone_label: getZoneLabel(arrives, destination.timeZone),
    is_canceled: offer.status === 'canceled',
    can_buy: availability.fits && (availability.state === 'on_sale' || availability.state === 'low'),
    availability: availability.state,
    availability_text: availability.text,
  };
}
