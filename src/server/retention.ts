import type { Database } from './database/database.ts';
import type { Deps } from './deps.ts';

const DAY = 86_400_000;

/** Deletes the expired rows of one feature. */
export type RetentionRule = (db: Database, now: Date) => Promise<void>;

/** Registers the hourly job that applies every feature's rule. */
export async function registerRetention(
  deps: Pick<Deps, 'db' | 'clock' | 'jobs'>,
  rules: readonly RetentionRule[],
): Promise<void> {
  await deps.jobs.work('apply-retention', () => applyRetention(deps, rules));
  await deps.jobs.schedule('apply-retention', '17 * * * *');
}

export async function applyRetention(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  rules: readonly RetentionRule[],
): Promise<void> {
  const now = clock.now();
  for (const rule of rules) await rule(db, now);
}

export function daysBefore(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY);
}
