import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { PartialWebSettings } from '#contract/settings/schemas.ts';
import { type AuditActor, recordAudit } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import type { AuditedFields } from '../database/schema/audit.ts';
import { settings } from '../database/schema/system.ts';
import { feed } from '../database/schema/timetable.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import { mergeSettings } from './merge-settings.ts';
import { keepSettingsVersion } from './settings-versions.ts';
import { SETTINGS_NAME, storeWebSettings } from './web-settings.ts';

/** `version`: of the settings that the caller has read; if it is given, any other is refused. */
type ReplaceInput = { value: PartialWebSettings; actor: AuditActor; version?: string };

/**
 * Stores settings, which the caller has validated, in place of those stored before. The audit log has what differs.
 * @throws {ApiError} settings_changed
 */
export async function replaceWebSettings(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { value, actor, version }: ReplaceInput,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    // A row to lock, also for the first settings.
    await tx
      .insert(settings)
      .values({ name: SETTINGS_NAME, value: {}, updatedAt: clock.now() })
      .onConflictDoNothing();
    const [last] = await tx
      .select()
      .from(settings)
      .where(eq(settings.name, SETTINGS_NAME))
      .for('no key update');
    if (version !== undefined && version !== getSettingsVersion(last?.value)) {
      throw new ApiError('settings_changed');
    }
    await storeWebSettings({ db: tx, clock }, value);
    const differences = await listAudited(tx, { before: last?.value ?? {}, after: value });
    if (differences.length === 0) return;
    const isFirst = Object.keys((last?.value as object | undefined) ?? {}).length === 0;
    await keepSettingsVersion(tx, {
      before: last === undefined || isFirst ? null : { value: last.value, at: last.updatedAt },
      after: { value, at: clock.now() },
      actor,
    });
    const fields = (side: 'before' | 'after'): AuditedFields =>
      Object.fromEntries(differences.map((difference) => [difference.path, toAudited(difference[side])]));
    await recordAudit(
      tx,
      { clock },
      {
        ...{ actor, action: 'settings_published', objectKind: 'settings', objectId: SETTINGS_NAME },
        ...{ before: fields('before'), after: fields('after'), reason: null },
      },
    );
  });
}

/**
 * What changes for customers, who may have had the feed's settings before. If nothing does, what changes of the stored
 * settings.
 */
async function listAudited(
  tx: Database,
  { before, after }: { before: unknown; after: unknown },
): Promise<SettingsDifference[]> {
  const [imported] = await tx.select({ settings: feed.settings }).from(feed).limit(1);
  const [old, now] = [before, after].map((stored) => mergeSettings(stored, imported?.settings).settings);
  const inEffect = listSettingsDifferences(old, now);
  return inEffect.length > 0 ? inEffect : listSettingsDifferences(before, after);
}

/** Changes with every change of what is stored; null and `{}` are the same. */
export function getSettingsVersion(stored: unknown): string {
  return fingerprint(JSON.stringify(stored ?? {}));
}

/** A setting whose values differ. Null: it has none. */
type SettingsDifference = { path: string; before: unknown; after: unknown };

/** What differs, by paths such as `brand.name`. Lists are compared as a whole. */
export function listSettingsDifferences(before: unknown, after: unknown, path = ''): SettingsDifference[] {
  if (!isGroup(before) && !isGroup(after)) {
    const values = { before: before ?? null, after: after ?? null };
    return JSON.stringify(values.before) === JSON.stringify(values.after) ? [] : [{ path, ...values }];
  }
  const [old, now] = [before, after].map((value) => (isGroup(value) ? value : {}));
  const names = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])].sort();
  return names.flatMap((name) => {
    return listSettingsDifferences(old?.[name], now?.[name], path === '' ? name : `${path}.${name}`);
  });
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const AUDITED_LENGTH = 200;

/** Of a long text, such as the terms, the log has the beginning and a fingerprint of the whole. */
function toAudited(value: unknown): AuditedFields[string] {
  if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
  const text = Array.isArray(value) ? value.join('\n') : String(value);
  return text.length > AUDITED_LENGTH ? `${text.slice(0, AUDITED_LENGTH)}… (${fingerprint(text)})` : text;
}

function fingerprint(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
