import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SETTINGS_PATH } from '#contract/worker-messages.ts';
import type { Context } from '../context.ts';
import { describeError } from '../core/log.ts';
import { createFolder } from '../database/folder-lock.ts';
import { findMissingSettings, findSettingsProblems } from './merge-settings.ts';
import { createSettingsUploader } from './upload-settings.ts';
import { type LoadedSettings, loadSettings, omitPrivate } from './web-settings.ts';

/** How long the published file may lag behind settings that another process stored. */
const PUBLISH_EVERY_MS = 5_000;

type SettingsPublisher = {
  /** Publishes the settings if they have changed. */
  publish(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Keeps the published settings equal to those in the database, whichever process stored them, and uploads them if a
 * bucket is configured. Logs invalid fields of
 * the stored settings once per change.
 */
export function createSettingsPublisher(
  context: Pick<Context, 'db' | 'config' | 'clock' | 'log'>,
): SettingsPublisher {
  const uploader = createSettingsUploader(context, { path: SETTINGS_PATH });
  let published = '';
  let reported = '';
  let work = Promise.resolve();

  async function publishChanges(): Promise<void> {
    const loaded = await loadSettings(context.db);
    const text = serialize(loaded);
    if (text !== published || !existsSync(fileIn(context.config.dataDir)))
      write(context.config.dataDir, text);
    published = text;
    uploader?.upload(text);
    const stored = JSON.stringify(loaded.stored);
    if (stored !== reported) report(context, loaded.stored);
    reported = stored;
  }

  function publish(): Promise<void> {
    work = work.then(publishChanges, publishChanges);
    return work;
  }

  const timer = setInterval(() => {
    publish().catch((error: unknown) => context.log.error('settings not published', describeError(error)));
  }, PUBLISH_EVERY_MS).unref();
  return {
    publish,
    async stop() {
      clearInterval(timer);
      await work.catch(() => {});
      await uploader?.settle();
    },
  };
}

/**
 * Writes the settings to object storage, where browsers read them first. The write is atomic.
 * @throws {FolderUnwritableError}
 */
export async function publishWebSettings({ db, config }: Pick<Context, 'db' | 'config'>): Promise<void> {
  write(config.dataDir, serialize(await loadSettings(db)));
}

function report({ log }: Pick<Context, 'log'>, stored: unknown): void {
  if (stored === null) {
    log.info('no settings stored', { used: 'the feed and neutral defaults' });
    return;
  }
  for (const { path, message } of findSettingsProblems(stored)) {
    log.warn('setting not usable', { setting: path, problem: message });
  }
  for (const setting of findMissingSettings(stored)) log.info('setting missing', { setting });
}

function serialize({ settings }: LoadedSettings): string {
  return `${JSON.stringify(omitPrivate(settings), null, 2)}\n`;
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'storage', SETTINGS_PATH);
}

function write(dataDir: string, text: string): void {
  const file = fileIn(dataDir);
  createFolder(join(file, '..'));
  const unfinished = `${file}.${process.pid}.new`;
  writeFileSync(unfinished, text, { mode: 0o600 });
  renameSync(unfinished, file);
}
