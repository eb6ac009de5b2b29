import { sql } from 'drizzle-orm';
import type { PartialWebSettings, PublicSettings, WebSettings } from '#contract/settings/schemas.ts';
import { SOURCE_LANGUAGE } from '#messages/languages.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { perDatabase } from '../database/per-database.ts';
import { settings } from '../database/schema/system.ts';
import { feed } from '../database/schema/timetable.ts';
import { type MergedSettings, mergeSettings } from './merge-settings.ts';

/** The name under which they are stored. */
export const SETTINGS_NAME = 'web';

/** The settings in effect, and those of the operator and of the feed; `stored` is null until the operator stores any. */
export type LoadedSettings = MergedSettings & { stored: unknown; fed: unknown };

/** The settings in effect: each field from the operator, else from the feed, else the neutral default. */
export async function loadWebSettings({ db }: Pick<Context, 'db'>): Promise<WebSettings> {
  return (await loadSettings(db)).settings;
}

/** Those of the settings that anyone may read. */
export function omitPrivate({
  accounts: _accounts,
  datev: _datev,
  stored_value: _storedValue,
  invoice_days: _invoiceDays,
  ...settings
}: WebSettings): PublicSettings {
  return settings;
}

/** The settings in effect with the source of each field. */
export async function loadSettings(db: Database): Promise<LoadedSettings> {
  return settingsOf(db).load();
}

/** The operator's language when the settings were last read. */
export function getLastLanguage({ db }: Pick<Context, 'db'>): string {
  return settingsOf(db).getLastLanguage();
}

/**
 * Stores settings, which the caller has validated, in place of those stored before.
 * @param name those in effect, or a draft
 */
export async function storeWebSettings(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  value: PartialWebSettings,
  name = SETTINGS_NAME,
): Promise<void> {
  const row = { name, value, updatedAt: clock.now() };
  await db.insert(settings).values(row).onConflictDoUpdate({ target: settings.name, set: row });
}

/** Settings that have not changed since they were read last are not merged again. */
const settingsOf = perDatabase((db) => {
  const query = db
    .select({
      stored: sql<unknown>`(select value from ${settings} where name = ${SETTINGS_NAME})`,
      fed: sql<unknown>`(select settings from ${feed} limit 1)`,
      version: sql<string>`concat(
        (select md5(${settings.value}::text) from ${settings} where ${settings.name} = ${SETTINGS_NAME}), ' ',
        (select ${feed.revision} from ${feed} limit 1)
      )`,
    })
    .from(sql`(select 1) as one`)
    .prepare('web_settings');
  let last: { version: string; loaded: LoadedSettings } | null = null;
  const load = async () => {
    const [{ stored, fed, version } = { stored: null, fed: null, version: '' }] = await query.execute();
    if (last?.version !== version) {
      last = { version, loaded: { ...mergeSettings(stored, fed), stored: stored ?? null, fed } };
    }
    return last.loaded;
  };
  return { load, getLastLanguage: () => last?.loaded.settings.language ?? SOURCE_LANGUAGE };
});
