import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type WebSettings, WebSettingsSchema } from '#contract/settings/schemas.ts';

const file = fileURLToPath(new URL('../../src/server/demo/feed/settings.json', import.meta.url));

/** The demo operator's settings, complete. */
export const demoSettings: WebSettings = WebSettingsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
