import type { SqlStore } from '../sql-store.ts';
import type { Chance } from './ids.ts';

export type ProviderKeys = { secretKey: string; publishableKey: string; webhookSecret: string };

export type Log = (message: string, fields?: Record<string, unknown>) => void;

/** What the rooms of the card provider share. */
export type ProviderParts = {
  store: SqlStore;
  /** Where its own pages and its API are, without a trailing slash. */
  origin: string;
  /** Pages that may show its card frame and call its API with the publishable key. */
  merchantOrigins: readonly string[];
  clock: () => Date;
  chance: Chance;
  log: Log;
  keys(): ProviderKeys;
  /** Idempotency keys of calls that are being answered in this process. */
  keysInUse: Set<string>;
  /** There are new webhooks. */
  poke(): void;
};
