import type { SqlStore } from '../sql-store.ts';
import type { RandomSource } from './ids.ts';

export type ProviderKeys = { secretKey: string; publishableKey: string; webhookSecret: string };

export type Log = (message: string, fields?: Record<string, unknown>) => void;

/** Dependencies shared by the modules of the card provider. */
export type ProviderContext = {
  store: SqlStore;
  /** Origin of its pages and API, without a trailing slash. */
  origin: string;
  /** Origins whose pages may show its card frame and call its API with the publishable key. */
  merchantOrigins: readonly string[];
  clock: () => Date;
  randomSource: RandomSource;
  log: Log;
  keys(): ProviderKeys;
  /** Idempotency keys of calls in progress in this process. */
  keysInUse: Set<string>;
  /** Starts a delivery run, after webhooks were stored. */
  triggerDelivery(): void;
};
