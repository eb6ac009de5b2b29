import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type { Drawer, Drawers } from '#contract/desk/drawer/schemas.ts';
import { type AuditActor, recordAudit } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import { type Database, queryRows } from '#server/database/database.ts';
import { getOperator } from '#server/database/operator.ts';
import { cashDrawers } from '#server/database/schema/accounting.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';

type Clerk = Extract<AuditActor, { kind: 'staff' }>;
type DrawerRow = typeof cashDrawers.$inferSelect;

/** How many closed drawers are listed. */
const CLOSED_SHOWN = 10;

/** A person's open drawer, and the last ones that they closed. */
export async function readDrawers(db: Database, staffId: string): Promise<Drawers> {
  const rows = await db
    .select()
    .from(cashDrawers)
    .where(eq(cashDrawers.staffId, staffId))
    .orderBy(sql`${cashDrawers.closedAt} desc nulls first`, desc(cashDrawers.openedAt))
    .limit(CLOSED_SHOWN + 1);
  const drawers = await Promise.all(rows.map((row) => presentDrawer(db, row)));
  return {
    open: drawers.find(({ counted }) => counted === null) ?? null,
    closed: drawers.filter(({ counted }) => counted !== null).slice(0, CLOSED_SHOWN),
    currency: (await getOperator(db)).currency,
  };
}

/**
 * Opens a drawer with what is in it, in minor units.
 * @throws {ApiError} drawer_open
 */
export function openDrawer(
  context: Pick<Context, 'db' | 'clock'>,
  { opening, clerk }: { opening: number; clerk: Clerk },
): Promise<void> {
  return inTransaction(context.db, async (tx) => {
    const { currency } = await getOperator(tx);
    const [opened] = await tx
      .insert(cashDrawers)
      .values({
        ...{ id: newId('drw'), staffId: clerk.staffId, opening, currency },
        openedAt: context.clock.now(),
      })
      .onConflictDoNothing()
      .returning();
    if (!opened) throw new ApiError('drawer_open');
    await recordAudit(tx, context, {
      ...{ actor: clerk, action: 'drawer_opened', objectKind: 'staff', objectId: clerk.staffId },
      ...{ before: {}, after: { amount: opening }, reason: null },
    });
  });
}

/**
 * Closes a person's drawer with what they counted, in minor units, beside what should be in it.
 * @throws {ApiError} not_found without an open one
 */
export function closeDrawer(
  context: Pick<Context, 'db' | 'clock'>,
  { counted, note, clerk }: { counted: number; note: string; clerk: Clerk },
): Promise<void> {
  return inTransaction(context.db, async (tx) => {
    const [row] = await tx
      .select()
      .from(cashDrawers)
      .where(and(eq(cashDrawers.staffId, clerk.staffId), isNull(cashDrawers.closedAt)))
      .for('update');
    if (!row) throw notFound();
    const closedAt = context.clock.now();
    const { expected } = await presentDrawer(tx, { ...row, closedAt });
    await tx.update(cashDrawers).set({ closedAt, counted, expected, note }).where(eq(cashDrawers.id, row.id));
    await recordAudit(tx, context, {
      ...{ actor: clerk, action: 'drawer_closed', objectKind: 'staff', objectId: clerk.staffId },
      ...{ before: { amount: expected }, after: { amount: counted }, reason: note || null },
    });
  });
}

async function presentDrawer(db: Database, row: DrawerRow): Promise<Drawer> {
  const { id, opening, openedAt, closedAt, counted, note } = row;
  const [cash = { taken: 0, paidOut: 0 }] = await queryRows<{ taken: number; paidOut: number }>(
    db,
    sql`
      select coalesce(sum(amount) filter (where amount > 0), 0)::float8 as taken,
        coalesce(-sum(amount) filter (where amount < 0), 0)::float8 as "paidOut"
      from money_entries
      where method = 'cash' and staff_id = ${row.staffId} and currency = ${row.currency}
        and booked_at >= ${openedAt.toISOString()}::timestamptz
        and (${closedAt?.toISOString() ?? null}::timestamptz is null
          or booked_at < ${closedAt?.toISOString() ?? null}::timestamptz)
    `,
  );
  return {
    ...{ id, opening, counted, note, taken: cash.taken, paid_out: cash.paidOut },
    expected: row.expected ?? opening + cash.taken - cash.paidOut,
    opened_at: openedAt.toISOString(),
    closed_at: closedAt?.toISOString() ?? null,
  };
}
