import { eq } from 'drizzle-orm';
import type { PartialWebSettings } from '#contract/settings/schemas.ts';
import { type AuditActor, recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { settings } from '../database/schema/system.ts';
import { inTransaction } from '../database/transactions.ts';
import { SETTINGS_NAME, storeWebSettings } from './web-settings.ts';

/** Stores settings in place of those stored before, and records the paths of the fields that differ. */
export async function replaceWebSettings(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { value, actor }: { value: PartialWebSettings; actor: AuditActor },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const [last] = await tx
      .select()
      .from(settings)
      .where(eq(settings.name, SETTINGS_NAME))
      .for('no key update');
    await storeWebSettings({ db: tx, clock }, value);
    const changed = listDifferences(last?.value ?? {}, value);
    if (changed.length === 0) return;
    await recordAudit(
      tx,
      { clock },
      {
        ...{ actor, action: 'settings_published', objectKind: 'settings', objectId: SETTINGS_NAME },
        ...{ before: {}, after: { fields: changed.join(', ') }, reason: null },
      },
    );
  });
}

/** The paths, such as `brand.name`, of what differs. Lists are compared as a whole. */
function listDifferences(before: unknown, after: unknown, path = ''): string[] {
  if (!isGroup(before) && !isGroup(after)) {
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [path];
  }
  const [old, now] = [before, after].map((value) => (isGroup(value) ? value : {}));
  const names = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])].sort();
  return names.flatMap((name) => {
    return listDifferences(old?.[name], now?.[name], path === '' ? name : `${path}.${name}`);
  });
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
