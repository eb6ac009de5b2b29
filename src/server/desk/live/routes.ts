import type { liveCalls } from '#contract/desk/live/schemas.ts';
import type { Context } from '#server/context.ts';
import { ApiError } from '#server/http/api-error.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { answer } from '#server/http/respond.ts';
import { requireDay } from '#server/sailings/require-day.ts';
import { createLiveStreams } from './live-streams.ts';

/**
 * Handlers for what the desk follows.
 * @param stopping aborted when the server stops
 */
export function createLiveHandlers(context: Context, stopping?: AbortSignal): Handlers<typeof liveCalls> {
  const streams = createLiveStreams(context, stopping);
  return {
    followDesk: ({ query, session }, c) => {
      const boats = query.boats === undefined ? null : requireDay(query.boats, 'boats');
      const topics = { boats, work: query.work !== undefined };
      if (boats === null && !topics.work) throw new ApiError('invalid_input', { field: 'boats' });
      const events = streams.open(session, topics, c.req.header('last-event-id') ?? null);
      return answer(c, events, 200, {
        'Content-Type': 'text/event-stream',
        // Compressed or collected events would arrive late.
        'Cache-Control': 'no-store, no-transform',
        'X-Accel-Buffering': 'no',
      });
    },
  };
}
