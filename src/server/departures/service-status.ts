import type { ServiceStatus } from '#contract/departures/schemas.ts';
import { getLocalDay } from '#domain/time/port-time.ts';
import type { Context } from '#server/context.ts';
import { loadServiceNotices, presentServiceNotices } from '#server/sailings/exceptions/service-notices.ts';
import { loadCatalogue } from '#server/sailings/queries.ts';
import { translateCatalogue } from '#server/sailings/translate-catalogue.ts';
import { listBoats } from './boats.ts';

/** The boats under way and the notices of the operator's day, with the coastline for a map of them. */
export async function loadServiceStatus(
  context: Pick<Context, 'db' | 'clock'>,
  language: string,
): Promise<ServiceStatus> {
  const { db, clock } = context;
  const now = clock.now();
  const catalogue = translateCatalogue(await loadCatalogue(db), language);
  const day = getLocalDay(now.getTime(), catalogue.feed.timeZone);
  return {
    notices: presentServiceNotices(await loadServiceNotices(db, day), catalogue, language),
    coastline: catalogue.coastline,
    boats: await listBoats(context, language),
    as_of: now.toISOString(),
  };
}
