import type Stripe from 'stripe';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Log } from './log.ts';
import type { TicketSigner } from './ticket-signer.ts';
import type { Vault } from './vault.ts';

/** Everything the rooms are given; main.ts (or a test) chooses each part. */
export type Deps = {
  config: Config;
  clock: Clock;
  db: Database;
  jobs: Jobs;
  log: Log;
  /** The official SDK, pointed at the provider or at its stand-in. */
  stripe: Stripe;
  provider: {
    webhookSecret: string;
    publishableKey: string;
    /** Where browsers load the provider's script from. */
    scriptUrl: string;
    /** Whether no real money moves: shown on every page. */
    isTest: boolean;
  };
  ticketSigner: TicketSigner;
  vault: Vault;
};
