import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { queryRows } from '../database/database.ts';
import { payments } from '../database/schema/sales.ts';
import { topUps } from '../database/schema/trip-cards.ts';
import { ApiError } from '../http/api-error.ts';

/** Declined cards per network and hour; more looks like a test of stolen numbers. */
const DECLINES_PER_NETWORK = 20;
const LOOK_BACK_MS = 3_600_000;

/**
 * Refuses another payment from a network with too many recent declines.
 * @returns the keyed hash of the network, as stored with payments
 * @throws {ApiError} rate_limited
 */
export async function refuseCardTesting(
  { db, clock, vault }: Pick<Context, 'db' | 'clock' | 'vault'>,
  network: string,
): Promise<string> {
  const startedFrom = fingerprintNetwork({ vault }, network);
  if (await looksLikeCardTesting({ db, clock }, { startedFrom })) {
    throw new ApiError('rate_limited', { retryAfter: LOOK_BACK_MS / 1000 });
  }
  return startedFrom;
}

/** A keyed hash of a network, as stored with payments. */
export function fingerprintNetwork({ vault }: Pick<Context, 'vault'>, network: string): string {
  return vault.fingerprint('payment-origin', network);
}

/**
 * Whether a network has too many recent declines, over all orders and top-ups.
 * @param input startedFrom: keyed hash of the network; more: declines that are not stored yet
 */
export async function looksLikeCardTesting(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { startedFrom, more = 0 }: { startedFrom: string; more?: number },
): Promise<boolean> {
  const since = new Date(clock.now().getTime() - LOOK_BACK_MS).toISOString();
  const [tried] = await queryRows<{ declines: number }>(
    db,
    sql`
      select coalesce(sum(jsonb_array_length(declined_charges)), 0)::int as declines from (
        select declined_charges from ${payments}
        where started_from = ${startedFrom} and updated_at > ${since}::timestamptz
        union all
        select declined_charges from ${topUps}
        where started_from = ${startedFrom} and updated_at > ${since}::timestamptz
      ) tries
    `,
  );
  return (tried?.declines ?? 0) + more >= DECLINES_PER_NETWORK;
}
