import { fileURLToPath } from 'node:url';
import { createStackParser, createTransport, type StackParser } from '@sentry/core';
import { nodeStackLineParser, ServerRuntimeClient } from '@sentry/core/server';
import { scrub } from '#domain/error-reports/scrub.ts';
import type { LoggedError } from './log.ts';

export type ErrorReports = {
  /** Sends what a line of the log says of an error: never more, and scrubbed like the reports of browsers. */
  report(line: LoggedError): void;
  /** Waits for reports on their way, two seconds at most. */
  stop(): Promise<void>;
};

/** `getRelease`: the version of the web app, as in the reports of browsers; undefined until it is known. */
type ReportSending = { dsn: string; getRelease: () => string | undefined };

const STOP_MS = 2_000;
/** One failure may be logged by every request; each kind is reported once in this time. */
const REPEAT_AFTER_MS = 60_000;
const TIMEOUT_MS = 10_000;
/** A job may run for several requests, and collectors drop a tag of more than 200 characters. */
const MAX_IDS = 5;
const PROJECT = new URL('../../../', import.meta.url);

/** Sends errors of the server to the collector at `dsn`, which the browsers use too. */
export function openErrorReports({ dsn, getRelease }: ReportSending): ErrorReports {
  const parseStack = createStackParser(nodeStackLineParser());
  const client = new ServerRuntimeClient({
    dsn,
    environment: 'production',
    platform: 'node',
    runtime: { name: 'node', version: process.version },
    stackParser: parseStack,
    integrations: [],
    traceLifecycle: 'static',
    sendClientReports: false,
    transport: (options) =>
      createTransport(options, async ({ body }) => {
        const response = await fetch(options.url, {
          method: 'POST',
          body: typeof body === 'string' ? body : new Uint8Array(body),
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        await response.arrayBuffer();
        return {
          statusCode: response.status,
          headers: {
            'x-sentry-rate-limits': response.headers.get('x-sentry-rate-limits'),
            'retry-after': response.headers.get('retry-after'),
          },
        };
      }),
  });
  client.init();
  const reported = createRecentKeys();
  return {
    report(line) {
      const { event, fields } = line;
      if (reported.add([event, fields.job, fields.error, fields.code, fields.stack].join())) {
        const release = getRelease();
        client.captureEvent({ ...buildServerEvent(line, parseStack), ...(release ? { release } : {}) });
      }
    },
    async stop() {
      await client.close(STOP_MS);
    },
  };
}

/** The event of a logged error: what failed and where, and the ids under which the log has more. */
function buildServerEvent({ event, fields, requestId }: LoggedError, parseStack: StackParser) {
  const { error, code, job, stack } = fields;
  const texts = [event, job, code].filter((text) => typeof text === 'string');
  return {
    level: 'error' as const,
    environment: 'production',
    tags: requestId === undefined ? {} : { request_id: requestId.split(' ').slice(0, MAX_IDS).join(' ') },
    exception: {
      values: [
        {
          type: scrub(typeof error === 'string' ? error : 'Error'),
          value: scrub(texts.join(': ')),
          stacktrace: { frames: typeof stack === 'string' ? parseStack(scrub(relative(stack))) : [] },
          mechanism: { type: 'generic', handled: true },
        },
      ],
    },
  };
}

/** A line for each frame, with paths from the project's folder on: where it is installed is not told. */
function relative(stack: string): string {
  return stack
    .replaceAll(PROJECT.href, 'app:///')
    .replaceAll(fileURLToPath(PROJECT), 'app:///')
    .replaceAll(' < ', '\n');
}

/** Remembers keys for a minute. */
function createRecentKeys() {
  const recent = new Set<string>();
  return {
    /** @returns whether the key is new */
    add(key: string): boolean {
      if (recent.has(key)) return false;
      recent.add(key);
      setTimeout(() => recent.delete(key), REPEAT_AFTER_MS).unref();
      return true;
    },
  };
}
