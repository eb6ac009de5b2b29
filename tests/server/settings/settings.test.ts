import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSettingsSchema } from '#contract/settings.ts';
import { settings } from '#server/database/schema/system.ts';
import { defaultWebSettings } from '#server/settings/default-web-settings.ts';
import { loadWebSettings, publishWebSettings } from '#server/settings/web-settings.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

async function store(value: unknown): Promise<void> {
  const row = { name: 'web', value, updatedAt: server.clock.now() };
  await server.deps.db.insert(settings).values(row).onConflictDoUpdate({ target: settings.name, set: row });
}

test('The settings "web" are public and fit their schema', async () => {
  const reply = await server.request('GET', '/api/settings/web?t=1');
  expect(reply.status).toBe(200);
  expect(WebSettingsSchema.safeParse(reply.body.data).success).toBe(true);
  expect(reply.body.data).toEqual(defaultWebSettings);
});

test.each([
  'Web',
  'mail',
  'secrets',
  '__proto__',
  'constructor',
  '..%2f..%2fx',
  '../../x',
  '..%5cx',
  'web.json',
  'web%00',
  'web%20',
  '%E0%A4%A',
])('Settings named %s are not there', async (name) => {
  const reply = await server.request('GET', `/api/settings/${name}`);
  expect(reply.status).toBe(404);
  expect(reply.body.errors[0].code).toBe('not_found');
});

test('An operator’s own settings replace the defaults, and broken ones do not', async () => {
  const own = { ...defaultWebSettings, units: 'metric' as const };
  await store(own);
  expect(await loadWebSettings(server.deps)).toEqual(own);
  await store({ brand: 'no' });
  expect(await loadWebSettings(server.deps)).toEqual(defaultWebSettings);
});

test('The settings are published whole for the object storage, over those before', async () => {
  const own = { ...defaultWebSettings, units: 'metric' as const };
  await publishWebSettings(server.deps);
  await store(own);
  await publishWebSettings(server.deps);
  const folder = join(server.deps.config.dataDir, 'storage', 'public', 'settings');
  expect(readdirSync(folder)).toEqual(['web.json']);
  expect(JSON.parse(readFileSync(join(folder, 'web.json'), 'utf8'))).toEqual(own);
});
