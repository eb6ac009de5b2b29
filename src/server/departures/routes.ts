import type { departureCalls } from '#contract/departures/schemas.ts';
import type { Context } from '#server/context.ts';
import { notFound } from '#server/http/api-error.ts';
import { type Handlers, Reply } from '#server/http/handle-calls.ts';
import { findDepartures } from './list-departures.ts';

/** Seconds. Short, because the list shows delays and cancellations. */
const MAX_AGE = 10;

/** Handlers for the departures of a port; public. */
export function createDepartureHandlers(
  context: Pick<Context, 'db' | 'clock'>,
): Handlers<typeof departureCalls> {
  return {
    getDepartures: async ({ params, query }) => {
      const list = await findDepartures(context, { port: params.port, date: query.date });
      if (list === null) throw notFound();
      return new Reply(list, { maxAge: MAX_AGE });
    },
  };
}
