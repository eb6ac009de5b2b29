import { Hono } from 'hono';
import { prepareTables, type SqlStore } from '../sql-store.ts';
import type { PayoutInput } from './api/payouts.ts';
import { deleteOldRecords, serveApi } from './api.ts';
import { refuseLiveKey } from './authority.ts';
import { answerChallenge, serveChallenges } from './challenge-pages.ts';
import type { Log, ProviderContext, ProviderKeys } from './context.ts';
import { serveDashboard } from './dashboard.ts';
import { type DeliveryTarget, deliverDue } from './deliveries.ts';
import { serveFrame } from './frame-page.ts';
import { createId, type RandomSource, systemRandom } from './ids.ts';
import { payOut, payOutDaily } from './payouts.ts';
import { cardProviderTables } from './records.ts';
import { serveWallet } from './wallet-page.ts';

export type CardProviderOptions = {
  store: SqlStore;
  /** Its origin, such as `http://pay.ferry.localhost:8080`. */
  origin: string;
  /** Origins whose pages may show the card form. */
  merchantOrigins: readonly string[];
  /** Address of webhooks; `deliverWebhook` receives the request and may or may not use the network. */
  webhookUrl: string;
  deliverWebhook: (request: Request) => Promise<Response>;
  clock?: () => Date;
  randomBytes?: RandomSource;
  /** Fixed keys; by default generated at the first start and stored in the database. */
  apiKeys?: ProviderKeys;
  log?: Log;
};

export type CardProvider = {
  /** Serves the API, the browser script, the card frame, the bank's page and the dashboard. */
  fetch(request: Request): Promise<Response>;
  /** Available after `start`. */
  readonly keys: ProviderKeys;
  /** Creates tables and keys, and starts delivering webhooks in the background. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /**
   * For tests: sends every waiting webhook now, due or not, and settles pending refunds and payouts. Returns the number
   * of deliveries attempted.
   */
  deliverNow(): Promise<number>;
  /** For tests: sends the webhooks that are due. */
  deliverDue(): Promise<number>;
  /** For tests: pays out what is available, as every day, or all of it at once. */
  payOut(input?: PayoutInput): Promise<void>;
  /** For tests: answers an intent's challenge like the cardholder. False if none is open. */
  answerChallenge(challengeId: string, outcome: 'complete' | 'fail'): Promise<boolean>;
};

const pollEvery = 1000;
const hour = 3_600_000;

/**
 * Creates a stand-in for the card provider that implements its API, so that the product runs unchanged without an
 * account. It stores no card numbers or security codes, and refuses live keys.
 */
export function createCardProvider(options: CardProviderOptions): CardProvider {
  const target: DeliveryTarget = options;
  const background = createBackground(
    () => deliverDue(provider, target),
    async () => {
      await payOutDaily(provider);
      await deleteOldRecords(provider);
    },
    options.log,
  );
  let keys: ProviderKeys | null = null;
  const provider: ProviderContext = {
    store: options.store,
    origin: options.origin,
    merchantOrigins: options.merchantOrigins,
    clock: options.clock ?? (() => new Date()),
    randomSource: options.randomBytes ?? systemRandom,
    log: options.log ?? (() => {}),
    keys: requireKeys,
    keysInUse: new Set(),
    triggerDelivery: background.triggerDelivery,
  };

  function requireKeys(): ProviderKeys {
    if (!keys) throw new Error('The card provider sandbox was not started.');
    return keys;
  }

  const app = new Hono();
  serveApi(app, provider);
  serveFrame(app, provider);
  serveChallenges(app, provider);
  serveWallet(app, provider);
  serveDashboard(app, provider);

  return {
    fetch: async (request) => app.fetch(request),
    get keys() {
      return requireKeys();
    },
    async start() {
      if (options.apiKeys) for (const key of Object.values(options.apiKeys)) refuseLiveKey(key);
      await prepareTables(provider.store, cardProviderTables);
      keys = options.apiKeys ?? (await loadKeys(provider));
      background.start();
    },
    stop: background.stop,
    deliverNow: () => deliverDue(provider, target, true),
    deliverDue: () => deliverDue(provider, target),
    payOut: (input = { isAtOnce: false }) => payOut(provider, input),
    answerChallenge: async (id, outcome) =>
      (await answerChallenge(provider, id, outcome === 'complete')) !== null,
  };
}

/** The first process to start generates the keys; the others load them. */
async function loadKeys(provider: ProviderContext): Promise<ProviderKeys> {
  const fresh: ProviderKeys = {
    secretKey: createId(provider.randomSource, 'sk_test_', 48),
    publishableKey: createId(provider.randomSource, 'pk_test_', 48),
    webhookSecret: createId(provider.randomSource, 'whsec_', 32),
  };
  await provider.store.query(
    `insert into sandbox.config (key, value) values ('keys', $1::text::jsonb) on conflict (key) do nothing`,
    [JSON.stringify(fresh)],
  );
  const [row] = await provider.store.query<{ value: ProviderKeys }>(
    `select value from sandbox.config where key = 'keys'`,
    [],
  );
  if (!row) throw new Error('The keys of the card provider sandbox could not be stored.');
  return row.value;
}

type Background = { start(): void; stop(): Promise<void>; triggerDelivery(): void };

/** One run at a time; a trigger during a run starts another run afterwards. */
function createBackground(
  deliver: () => Promise<unknown>,
  workHourly: () => Promise<void>,
  log: Log = () => {},
): Background {
  let timers: NodeJS.Timeout[] = [];
  let running: Promise<void> | null = null;
  let again = false;

  async function run(): Promise<void> {
    do {
      again = false;
      try {
        await deliver();
      } catch (error) {
        log('card provider sandbox: webhooks could not be delivered', { error: String(error) });
      }
    } while (again && timers.length > 0);
    running = null;
  }

  function requestRun(): void {
    if (timers.length === 0) return;
    if (running) again = true;
    else running = run();
  }

  return {
    start() {
      if (timers.length > 0) return;
      timers = [
        setInterval(requestRun, pollEvery).unref(),
        setInterval(
          () =>
            void workHourly().catch((error) =>
              log('card provider sandbox: hourly work failed', { error: String(error) }),
            ),
          hour,
        ).unref(),
      ];
      requestRun();
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      timers = [];
      await running;
    },
    // Sent after the response, as over a network.
    triggerDelivery: () => void setTimeout(requestRun, 10).unref(),
  };
}
