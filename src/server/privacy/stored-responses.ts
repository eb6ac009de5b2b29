import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { idempotencyKeys } from '../database/schema/system.ts';

/** Responses that made an order of a guest; the scopes of later ones contain the order's id. */
const MADE_ORDER = 'POST /api/orders guest';

/** Deletes the stored responses of all requests about orders. */
export async function deleteStoredResponses(
  tx: Database,
  { vault }: Pick<Context, 'vault'>,
  orderIds: readonly string[],
): Promise<void> {
  const ids = sql`jsonb_array_elements_text(${JSON.stringify(orderIds)}::jsonb)`;
  await tx
    .delete(idempotencyKeys)
    .where(
      sql`exists (select from ${ids} as each (id) where position('/' || id || '/' in ${idempotencyKeys.scope}) > 0)`,
    );
  const isMaking = and(eq(idempotencyKeys.scope, MADE_ORDER), isNotNull(idempotencyKeys.encryptedBody));
  const { key, encryptedBody } = idempotencyKeys;
  for (const stored of await tx.select({ key, encryptedBody }).from(idempotencyKeys).where(isMaking)) {
    const body = vault.decrypt(stored.encryptedBody ?? '');
    if (!orderIds.some((id) => body.includes(id))) continue;
    await tx
      .delete(idempotencyKeys)
      .where(and(eq(idempotencyKeys.scope, MADE_ORDER), eq(idempotencyKeys.key, stored.key)));
  }
}
