import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WebSettings } from '#contract/settings/schemas.ts';
import { systemClock } from '#server/core/clock.ts';
import { openDatabase } from '#server/database/database.ts';
import { storeWebSettings } from '#server/settings/web-settings.ts';
import { demoSettings } from '#tests/factories/settings.ts';
import { runNpmScript } from '#tests/process/command-line.ts';
import { endAll, newFolder, startServer } from '#tests/process/server-process.ts';
import { type Collector, openCollector } from '#tests/setup/error-collector.ts';

export type ConfiguredServer = {
  origins: { tickets: string; portal: string };
  /** Name of the operator's container and site ids, as in the settings. */
  analytics: WebSettings['analytics'];
  collector: Collector;
  /** Changes the settings of the running server, as the operator does. */
  setAnalytics: (changed: Partial<WebSettings['analytics']>) => Promise<void>;
  stop: () => Promise<void>;
};

const ANALYTICS = {
  tickets_container_id: 'GTM-TICKETS',
  portal_container_id: 'GTM-PORTAL',
  requires_consent: false,
  recorder_site_id: '4711',
};

/** A server with error reports, a tag manager and session recording configured. */
export async function startConfiguredServer(): Promise<ConfiguredServer> {
  const { stop, ...collector } = await openCollector();
  const folder = newFolder();
  const env = { NODE_ENV: 'test', DATA_DIR: join(folder, 'data'), SENTRY_DSN: collector.dsn };
  await configure(env.DATA_DIR);
  const { port } = await startServer(env);
  return {
    origins: {
      tickets: `http://tickets.ferry.localhost:${port}`,
      portal: `http://my.ferry.localhost:${port}`,
    },
    analytics: ANALYTICS,
    collector,
    async setAnalytics(changed) {
      const file = join(folder, 'settings.json');
      writeFileSync(file, JSON.stringify(settingsWith({ ...ANALYTICS, ...changed })));
      const { exitCode, stderr } = await runNpmScript('settings', ['set', file], { env });
      if (exitCode !== 0) throw new Error(stderr);
    },
    stop: async () => {
      await endAll();
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const settingsWith = (analytics: WebSettings['analytics']): WebSettings => ({ ...demoSettings, analytics });

/** Called before the first start, which keeps existing settings. */
async function configure(folder: string): Promise<void> {
  mkdirSync(folder);
  const { db, close } = await openDatabase({ url: null, folder });
  await storeWebSettings({ db, clock: systemClock }, settingsWith(ANALYTICS));
  await close();
}
