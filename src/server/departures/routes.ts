import type { departureCalls } from '#contract/departures/schemas.ts';
import { getLocalDay } from '#domain/time/port-time.ts';
import type { Context } from '#server/context.ts';
import { notFound } from '#server/http/api-error.ts';
import { type Handlers, Reply } from '#server/http/handle-calls.ts';
import { cachedLanguage } from '#server/http/request-language.ts';
import { loadCatalogue } from '#server/sailings/queries.ts';
import { requireDay } from '#server/sailings/require-day.ts';
import { listDepartures } from './list-departures.ts';
import { loadServiceStatus } from './service-status.ts';

/** Seconds. Short, because the answers show delays and cancellations. */
const MAX_AGE = 10;

/** Handlers for the departures of a port and the state of the service; public. */
export function createDepartureHandlers(
  context: Pick<Context, 'db' | 'clock'>,
): Handlers<typeof departureCalls> {
  const { db, clock } = context;
  return {
    getDepartures: async ({ params, query }, c) => {
      const catalogue = await loadCatalogue(db);
      const portCode = params.port.toUpperCase();
      const port = catalogue.ports.find(
        ({ id, code }) => id === params.port || code.toUpperCase() === portCode,
      );
      if (!port) throw notFound();
      const today = getLocalDay(clock.now().getTime(), port.timeZone);
      const day = requireDay(query.date ?? today, 'date');
      const departures = await listDepartures(context, { port, catalogue, day, language: cachedLanguage(c) });
      return new Reply(departures, { maxAge: MAX_AGE });
    },

    getServiceStatus: async (_, c) =>
      new Reply(await loadServiceStatus(context, cachedLanguage(c)), { maxAge: MAX_AGE }),
  };
}
