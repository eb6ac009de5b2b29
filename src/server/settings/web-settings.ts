import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { type WebSettings, WebSettingsSchema } from '#contract/settings.ts';
import { perDatabase } from '../database/per-database.ts';
import { settings } from '../database/schema/system.ts';
import { together } from '../database/together.ts';
import type { Deps } from '../deps.ts';
import { defaultWebSettings } from './default-web-settings.ts';

const NAME = 'web';

/** The operator's settings, or the defaults until there are some. A row that fits no more is not served. */
export async function loadWebSettings({ db }: Pick<Deps, 'db'>): Promise<WebSettings> {
  return readSettings(db)(NAME);
}

const readSettings = perDatabase((db) => {
  const query = db
    .select({ value: settings.value })
    .from(settings)
    .where(eq(settings.name, NAME))
    .prepare('web_settings');
  return together(async (asked: readonly string[]) => {
    const [row] = await query.execute();
    const parsed = WebSettingsSchema.safeParse(row?.value);
    const found = parsed.success ? parsed.data : defaultWebSettings;
    return asked.map(() => found);
  });
});

/**
 * Writes the settings to where object storage serves them, which is where the browser looks first. Whole or
 * not at all: a reader never finds half a file.
 */
export async function publishWebSettings(deps: Pick<Deps, 'db' | 'config'>): Promise<void> {
  const folder = join(deps.config.dataDir, 'storage', 'public', 'settings');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${NAME}.json`);
  const unfinished = `${file}.${process.pid}.new`;
  writeFileSync(unfinished, `${JSON.stringify(await loadWebSettings(deps), null, 2)}\n`);
  renameSync(unfinished, file);
}
