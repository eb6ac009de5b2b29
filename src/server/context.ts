import type { Config } from './config.ts';
import type { Clock } from './core/clock.ts';
import type { Log } from './core/log.ts';
import type { Metrics } from './core/metrics.ts';
import type { Vault } from './core/vault.ts';
import type { Database } from './database/database.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { PaymentProvider } from './payments/provider/payment-provider.ts';
import type { PushSender } from './push/push-port.ts';

/** The dependencies of all server modules, created by server.ts or a test. */
export type Context = {
  config: Config;
  clock: Clock;
  db: Database;
  jobs: Jobs;
  log: Log;
  metrics: Metrics;
  provider: PaymentProvider;
  push: PushSender;
  ticketSigner: TicketSigner;
  vault: Vault;
};

/** Signs ticket codes with the operator's newest key. */
export type TicketSigner = {
  keyId: string;
  /** Ed25519 signature, 64 bytes. */
  sign(message: Uint8Array): Uint8Array;
};

/** Dependencies of a command, in a separate process or inside the running server. */
export type CommandContext = Pick<Context, 'config' | 'db' | 'clock' | 'vault'> & {
  /** Null: in a separate process that has no keys of the card provider. */
  provider: Context['provider'] | null;
};
