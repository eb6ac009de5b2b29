import { eq } from 'drizzle-orm';
import type { PartialWebSettings, WebSettings } from '#contract/settings/schemas.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { settings } from '../database/schema/system.ts';
import { mergeSettings } from './merge-settings.ts';
import { loadSettings, storeWebSettings } from './web-settings.ts';

/**
 * Keeps settings that a staff member has checked, so that pages can be shown with them before they are published. There is
 * one draft per person.
 */
export async function keepSettingsDraft(
  context: Pick<Context, 'db' | 'clock'>,
  { staffId, value }: { staffId: string; value: PartialWebSettings },
): Promise<void> {
  await storeWebSettings(context, value, draftName(staffId));
}

/** The settings that a person's draft would put into effect; null without a draft. */
export async function readSettingsDraft(db: Database, staffId: string): Promise<WebSettings | null> {
  const [draft] = await db
    .select({ value: settings.value })
    .from(settings)
    .where(eq(settings.name, draftName(staffId)));
  return draft === undefined ? null : mergeSettings(draft.value, (await loadSettings(db)).fed).settings;
}

export async function deleteSettingsDraft(db: Database, staffId: string): Promise<void> {
  await db.delete(settings).where(eq(settings.name, draftName(staffId)));
}

function draftName(staffId: string): string {
  return `draft ${staffId}`;
}
