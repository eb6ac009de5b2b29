import { desc, lt } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import type { Table } from '../csv/format-table.ts';
import type { Database } from '../database/database.ts';
import { privacyLog } from '../database/schema/system.ts';
import { daysBefore, type RetentionRule } from '../retention.ts';
import { eraseOldAssistance, eraseOldOrders } from './erase-orders.ts';

type PrivacyAct = Pick<typeof privacyLog.$inferSelect, 'kind' | 'actor' | 'orders'>;

/** Records an export or erasure of personal data, in its transaction if it has one. */
export async function logPrivacyAct(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  act: PrivacyAct,
): Promise<void> {
  await tx.insert(privacyLog).values({ id: newId('prv'), ...act, insertedAt: clock.now() });
}

/** All recorded acts, newest first. */
export async function listPrivacyActs(db: Database): Promise<Table> {
  const acts = await db.select().from(privacyLog).orderBy(desc(privacyLog.insertedAt), desc(privacyLog.id));
  return {
    columns: ['at', 'kind', 'actor', 'orders'],
    rows: acts.map(({ insertedAt, kind, actor, orders }) => [insertedAt.toISOString(), kind, actor, orders]),
  };
}

/** Passengers complain within two months (Regulation (EU) No 1177/2010, article 24). */
const KEEP_ASSISTANCE_DAYS = 62;

/** Reduces old orders to figures without persons, and deletes old records of such acts. */
export const applyPrivacyRetention: RetentionRule = async (db, now, keepDays) => {
  const orders = await eraseOldOrders(db, daysBefore(now, keepDays.orders));
  await eraseOldAssistance(db, daysBefore(now, Math.min(KEEP_ASSISTANCE_DAYS, keepDays.orders)));
  const clock = { now: () => now };
  if (orders > 0) await logPrivacyAct(db, { clock }, { kind: 'old_orders_erased', actor: 'server', orders });
  await db.delete(privacyLog).where(lt(privacyLog.insertedAt, daysBefore(now, keepDays.privacyLog)));
};
