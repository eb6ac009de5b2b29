import { getSettings } from '#contract/system/endpoints.ts';
import { SOURCE_HEADER } from '#contract/worker-messages.ts';
import { requestOlder } from '../api/request.ts';
import { writeStored } from '../browser-storage.ts';
import { pageConfig } from '../page-config.ts';
import { report } from '../reporting/reporting.ts';
import { applySettings, isPlainObject, readSavedSettings, SETTINGS_KEY, settingsStore } from './settings.ts';

/** Of the object storage, in milliseconds. */
const REMOTE_TIMEOUT = 5000;

/** Local storage first, then the public object storage, then the API. */
export async function loadSettings(): Promise<void> {
  if (!settingsStore.get().isLocalRead) readSavedSettings();
  const { fresh, cached } = await readStorage();
  const remote = fresh ?? (await readApi());
  if (remote === null) {
    report(new Error('The settings could not be refreshed; those from before stay.'), { level: 'info' });
    // Local storage may be empty while the worker still has a copy.
    if (cached !== null && settingsStore.get().stored === null) applySettings(cached);
    return;
  }
  writeStored(SETTINGS_KEY, JSON.stringify(remote));
  applySettings(remote);
}

type FromStorage = { fresh: Record<string, unknown> | null; cached: Record<string, unknown> | null };

/** The worker's cached copy does not count as fresh, because the API may have newer settings. */
async function readStorage(): Promise<FromStorage> {
  const url = new URL('/public/settings/web.json', pageConfig().origins.storage);
  url.searchParams.set('t', String(Date.now()));
  const controller = new AbortController();
  const limit = setTimeout(() => controller.abort(), REMOTE_TIMEOUT);
  try {
    const response = await fetch(url.href, { signal: controller.signal, credentials: 'omit' });
    const settings = response.ok ? usable(await response.json()) : null;
    const isCached = response.headers.get(SOURCE_HEADER) === 'cache';
    return isCached ? { fresh: null, cached: settings } : { fresh: settings, cached: null };
  } catch {
    return { fresh: null, cached: null };
  } finally {
    clearTimeout(limit);
  }
}

/** The API answers with the settings or with an envelope whose `data` they are. */
async function readApi(): Promise<Record<string, unknown> | null> {
  const answer = await requestOlder(getSettings, { params: { name: 'web' } });
  if (answer.error !== undefined) return null;
  if ('data' in answer) return usable(answer.data);
  const { status_code: _, ...settings } = answer;
  return usable(settings);
}

function usable(value: unknown): Record<string, unknown> | null {
  return isPlainObject(value) && Object.keys(value).length > 0 ? value : null;
}
