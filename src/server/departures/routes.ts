import type { departureCalls } from '#contract/departures/schemas.ts';
import { getLocalDay } from '#domain/time/port-time.ts';
import type { Context } from '#server/context.ts';
import { notFound } from '#server/http/api-error.ts';
import { type Handlers, Reply } from '#server/http/handle-calls.ts';
import { loadCatalogue } from '#server/sailings/queries.ts';
import { requireDay } from '#server/sailings/require-day.ts';
import { listDepartures } from './list-departures.ts';

/** Seconds. Short, because the list shows delays and cancellations. */
const MAX_AGE = 10;

/** Handlers for the departures of a port; public. */
export function createDepartureHandlers(
  context: Pick<Context, 'db' | 'clock'>,
): Handlers<typeof departureCalls> {
  const { db, clock } = context;
  return {
    getDepartures: async ({ params, query }) => {
      const catalogue = await loadCatalogue(db);
      const portCode = params.port.toUpperCase();
      const port = catalogue.ports.find(
        ({ id, code }) => id === params.port || code.toUpperCase() === portCode,
      );
      if (!port) throw notFound();
      const today = getLocalDay(clock.now().getTime(), port.timeZone);
      const day = requireDay(query.date ?? today, 'date');
      return new Reply(await listDepartures(context, { port, catalogue, day }), { maxAge: MAX_AGE });
    },
  };
}
