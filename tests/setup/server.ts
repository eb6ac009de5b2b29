import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Hono } from 'hono';
import Stripe from 'stripe';
import { createCardProvider } from '#sandbox/card-provider/card-provider.ts';
import { createPushService } from '#sandbox/push-service/push-service.ts';
import { createApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { createLog } from '#server/core/log.ts';
import { noMetrics } from '#server/core/metrics.ts';
import { createVault } from '#server/core/vault.ts';
import type { ApiEnv } from '#server/http/api.ts';
import type { Jobs } from '#server/jobs/jobs.ts';
import { createTicketSigner } from '#server/orders/tickets/keys.ts';
import { createStripeProvider } from '#server/payments/provider/stripe-provider.ts';
import type { PushStandIn } from '#server/push/push-port.ts';
import { openPushSender } from '#server/push/push-sender.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';

export const TEST_SECRET = 'a secret of the tests, thirty-two or more';

/** A clock that changes only when a test advances it. */
export type TestClock = { now(): Date; set(instant: string): void; advance(milliseconds: number): void };

export type TestServer = {
  app: Hono<ApiEnv>;
  database: TestDatabase;
  context: Context;
  clock: TestClock;
  /** The stand-in of the card provider; `deliverNow()` sends its webhooks. */
  provider: ReturnType<typeof createCardProvider>;
  /** The real SDK that `context.provider` uses, for actions of buyers, banks and the provider's dashboard. */
  stripe: Stripe;
  /** The stand-in of browsers' push services. */
  pushService: PushStandIn;
  /** Requested jobs that have not run yet, oldest first; `runJobs()` runs them with the registered workers. */
  jobs: TestJobs;
  /** Lines the server logged, parsed. */
  logged: Record<string, unknown>[];
  /** Sends a request to the API as a browser on the ticket host does. */
  request(method: string, path: string, options?: RequestOptions): Promise<TestReply>;
  close(): Promise<void>;
};

/** A response whose body a test reads field by field. */
export type TestReply = {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape, also broken ones
  body: any;
  headers: Headers;
};

export type RequestOptions = {
  body?: unknown;
  token?: string;
  headers?: Record<string, string>;
  idempotencyKey?: string;
  from?: string;
};

export type TestJobs = Jobs & {
  asked: { name: string; data: Record<string, string> }[];
  /**
   * Runs the requested jobs. Throws when a job fails, or logs that a part of its work failed, unless the test allows
   * it: `mayFail` holds names of jobs and of logged events.
   */
  runJobs(options?: { mayFail?: readonly string[] }): Promise<void>;
};

/** For `runJobs`: events that jobs log while the card provider is unavailable. */
export const PROVIDER_OUTAGE = {
  mayFail: [
    'automatic top-up failed',
    'card provider call failed',
    'not reconciled',
    'saved cards not as at the provider',
    'top-up not reconciled',
  ],
};

/**
 * The whole API on a separate database, with the card provider's stand-in and a controlled clock and queue.
 * @param options isLimited: whether the API's general limits hold; their minute would never end by itself.
 * database: instead of an empty one
 */
export async function openTestServer(
  options: { now?: string; isLimited?: boolean; database?: TestDatabase } = {},
): Promise<TestServer> {
  const database = options.database ?? (await openTestDatabase());
  const clock = createTestClock(options.now ?? '2026-06-01T15:00:00.000Z');
  const dataDir = mkdtempSync(join(tmpdir(), 'gangway-data-'));
  const config = { ...readConfig({ NODE_ENV: 'test' }), dataDir };
  const vault = createVault(TEST_SECRET);
  const logged: Record<string, unknown>[] = [];
  const log = createLog((line) => logged.push(JSON.parse(line)));
  const jobs = createTestJobs(logged);
  let app: Hono<ApiEnv> | undefined;
  const provider = createCardProvider({
    store: database.store,
    origin: config.origins.pay,
    merchantOrigins: [config.origins.tickets, config.origins.portal],
    webhookUrl: `${config.origins.tickets}/api/provider/webhooks`,
    deliverWebhook: async (request) => (app ? await app.fetch(request) : new Response(null, { status: 503 })),
    clock: () => clock.now(),
  });
  await provider.start();
  // No deliveries in the background: webhooks go when a test says so.
  await provider.stop();
  const origin = config.origins.push;
  const pushService = { origin, ...createPushService({ store: database.store, origin, clock: clock.now }) };
  await pushService.start();
  const { secretKey, ...keys } = provider.keys;
  const stripe = new Stripe(secretKey, {
    httpClient: Stripe.createFetchHttpClient((input, init) => provider.fetch(new Request(input, init))),
    maxNetworkRetries: 0,
  });
  const context: Context = {
    config,
    clock,
    db: database.db,
    jobs,
    log,
    metrics: noMetrics,
    provider: createStripeProvider(
      async () => stripe,
      { ...keys, scriptUrl: `${config.origins.pay}/endive/stripe.js`, isTest: true },
      log,
    ),
    push: await openPushSender({ config, db: database.db, vault, clock }, pushService),
    ticketSigner: await createTicketSigner({ db: database.db, vault, clock }),
    vault,
  };
  app = createApp(context, {
    isLimited: options.isLimited ?? false,
    noteFailure: database.readiness.noteFailure,
  });
  const host = new URL(config.origins.tickets).host;
  return {
    app,
    database,
    context,
    clock,
    provider,
    stripe,
    pushService,
    jobs,
    logged,
    async request(method, path, { body, token, headers = {}, idempotencyKey, from } = {}) {
      const response = await (app as Hono<ApiEnv>).fetch(
        new Request(`${config.origins.tickets}${path}`, {
          method,
          headers: {
            host,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
            ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
            ...headers,
          },
          ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        }),
        { incoming: { socket: { remoteAddress: from ?? '203.0.113.7' } } },
      );
      const text = await response.text();
      const isJson = (response.headers.get('content-type') ?? '').includes('json');
      return {
        status: response.status,
        body: isJson && text ? JSON.parse(text) : text,
        headers: response.headers,
      };
    },
    async close() {
      await provider.stop();
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function createTestClock(start: string): TestClock {
  let now = Date.parse(start);
  return {
    now: () => new Date(now),
    set: (instant) => {
      now = Date.parse(instant);
    },
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
}

/** A queue that runs when the test requests it. A failed job stays queued for a retry. */
function createTestJobs(logged: TestServer['logged']): TestJobs {
  const asked: TestJobs['asked'] = [];
  const running = new AbortController().signal;
  const workers = new Map<string, Parameters<Jobs['work']>[1]>();
  return {
    asked,
    async send(name, data) {
      asked.push({ name, data });
    },
    trigger(name) {
      if (!asked.some((job) => job.name === name)) asked.push({ name, data: {} });
    },
    async work(name, handler) {
      workers.set(name, handler);
    },
    async schedule() {},
    countJobs: async () => asked.map(({ name }) => ({ queue: name, ready: 1, active: 0, failed: 0 })),
    async start() {},
    async stop() {},
    async runJobs({ mayFail = [] } = {}) {
      const failures: { name: string; cause?: unknown }[] = [];
      const linesBefore = logged.length;
      for (const job of asked.splice(0)) {
        await workers
          .get(job.name)?.(job.data, running)
          .catch((cause: unknown) => {
            failures.push({ name: job.name, cause });
            asked.push(job);
          });
      }
      for (const { level, event, error } of logged.slice(linesBefore)) {
        if (level === 'error' && error !== undefined) failures.push({ name: String(event) });
      }
      const unexpected = failures.find(({ name }) => !mayFail.includes(name));
      if (unexpected) throw new Error(`A job failed: ${unexpected.name}`, { cause: unexpected.cause });
    },
  };
}
