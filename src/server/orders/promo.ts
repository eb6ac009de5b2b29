import { type SQL, sql } from 'drizzle-orm';
import { type Database, queryRows } from '../database/database.ts';
import { ApiError } from '../http/api-error.ts';

/**
 * Counts one use of a code.
 * @throws {ApiError} promo_used_up
 */
export async function redeemPromo(tx: Database, code: string | null): Promise<void> {
  if (code === null) return;
  assertRedeemed(await queryRows(tx, redemptionOf(code)));
}

/**
 * The statement that counts one use of a code and returns a row, or none if the code is used up.
 * @param isAllowed a further condition
 */
export function redemptionOf(code: string, isAllowed: SQL = sql`true`): SQL {
  return sql`
    update promo_codes set redeemed = redeemed + 1
    where code = ${code} and active and (max_redemptions is null or redeemed < max_redemptions) and ${isAllowed}
    returning id
  `;
}

/** @throws {ApiError} promo_used_up */
export function assertRedeemed(redeemed: readonly unknown[]): void {
  if (redeemed.length === 0) throw new ApiError('promo_used_up', { field: 'promo_code' });
}

/** Takes back the use by an order that was not paid. */
export async function giveBackPromo(tx: Database, code: string | null): Promise<void> {
  if (code === null) return;
  await tx.execute(sql`update promo_codes set redeemed = greatest(redeemed - 1, 0) where code = ${code}`);
}

/** Counts the use by an expired order that was paid late; its price stays valid even past the code's limit. */
export async function countPromoAgain(tx: Database, code: string | null): Promise<void> {
  if (code === null) return;
  await tx.execute(sql`
    update promo_codes set redeemed = least(redeemed + 1, coalesce(max_redemptions, redeemed + 1))
    where code = ${code}
  `);
}
