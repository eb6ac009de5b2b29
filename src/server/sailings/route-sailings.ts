import type { Route } from '#contract/catalogue/schemas.ts';
import type { Sailing } from '#contract/sailings/schemas.ts';
import { addDays } from '#domain/time/days.ts';
import { getDayPeriod } from '#domain/time/port-time.ts';
import type { Context } from '../context.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { findZone, listSailings, loadCatalogue } from './queries.ts';
import { offerSailing, readSearchContext } from './search.ts';

type Ports = Pick<Route, 'origin_port_id' | 'destination_port_id'>;

/**
 * The sailings of all lines between two ports that depart on a day or the next, as offered to one passenger.
 * @param day at the port of departure
 */
export async function listRouteSailings(
  context: Pick<Context, 'db' | 'clock'>,
  { origin_port_id, destination_port_id }: Ports,
  { day, language }: { day: string; language: string },
): Promise<Sailing[]> {
  const { db } = context;
  const catalogue = await loadCatalogue(db);
  const { contact } = await loadWebSettings({ db });
  const phone = contact.phone ?? '';
  const search = await readSearchContext(context, { query: { passengers: {} }, catalogue, phone, language });
  const routes = catalogue.routes.filter(
    (route) => route.originPortId === origin_port_id && route.destinationPortId === destination_port_id,
  );
  const zone = findZone(catalogue, origin_port_id);
  const { from } = getDayPeriod(day, zone);
  const { until } = getDayPeriod(addDays(day, 1), zone);
  const ids = routes.map(({ id }) => id);
  return (await listSailings(db, ids, { from, until })).map((sailing) => offerSailing(sailing, search));
}
