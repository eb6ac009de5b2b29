import { createTransport } from '@sentry/core';
import { close } from '@sentry/react';
import { startSendingReports } from '#web/platform/reporting/send-reports.ts';

export type SentEvent = {
  environment: string;
  release: string;
  exception: {
    values: { type: string; value: string; stacktrace: { frames: { function?: string }[] } }[];
  };
};

/** Starts sending reports, and returns the list of events as a collector receives them. */
export async function collectEvents(accountTexts: readonly string[] = []): Promise<SentEvent[]> {
  // The library warns of a second start.
  await close();
  const events: SentEvent[] = [];
  startSendingReports({
    dsn: 'https://key@collector.example/7',
    release: '1',
    accountTexts: () => accountTexts,
    transport: (options) =>
      createTransport(options, async ({ body }) => {
        const [, , event = ''] = String(body).split('\n');
        events.push(JSON.parse(event));
        return { statusCode: 200 };
      }),
  });
  return events;
}
