import { useSyncExternalStore } from 'react';
import type { PageSettings } from '#contract/settings/schemas.ts';
import type { Language } from '#messages/languages.ts';
import { pageLanguage } from '#web/language/page-language.ts';
import { createStore } from '../create-store.ts';
import { pageConfig } from '../page-config.ts';
import { report } from '../reporting/reporting.ts';
import { applyAccent } from './accent.ts';

export const SETTINGS_KEY = 'app-settings';

type SettingsState = {
  loaded: boolean;
  /** Local storage is read, and its errors are reported, once per page. */
  isLocalRead: boolean;
  stored: Readonly<Record<string, unknown>> | null;
};

export const settingsStore = createStore<SettingsState>({ loaded: false, isLocalRead: false, stored: null });

/** Settings "web": those in the page until newer ones arrive, so that screens never wait. */
export function useSettings(): PageSettings {
  return useSyncExternalStore(settingsStore.subscribe, currentSettings, pageSettings);
}

/** Returns the same object while the settings are equal, so that a refresh without changes renders nothing. */
export function currentSettings(): PageSettings {
  const base = pageSettings();
  const { stored } = settingsStore.get();
  const language = pageLanguage();
  const last = merged.get();
  if (last?.base === base && last.stored === stored && last.language === language) return last.settings;
  const next = stored === null ? base : (overlay(base, stored) as PageSettings);
  const previous = last?.base === base ? last.settings : base;
  const settings = JSON.stringify(next) === JSON.stringify(previous) ? previous : next;
  merged.set({ base, stored, language, settings });
  return settings;
}

/** The result of the last merge, and what it was made of. */
const merged = createStore<{
  base: PageSettings;
  stored: SettingsState['stored'];
  language: Language;
  settings: PageSettings;
} | null>(null);

function pageSettings(): PageSettings {
  return pageConfig().settings;
}

/** Takes over the settings stored by an earlier visit, because the page itself may be older. */
export function readSavedSettings(): void {
  const local = readLocal();
  if (local !== null) applySettings(local);
  else settingsStore.set((state) => ({ ...state, isLocalRead: true }));
}

/** Uses the settings from now on. */
export function applySettings(stored: Record<string, unknown>): void {
  settingsStore.set({ loaded: true, isLocalRead: true, stored });
  applyAccent(currentSettings().brand.accent);
}

function readLocal(): Record<string, unknown> | null {
  try {
    const text = window.localStorage.getItem(SETTINGS_KEY);
    if (text === null) return null;
    const value: unknown = JSON.parse(text);
    if (!isPlainObject(value)) throw new Error('The settings in local storage are not an object.');
    return value;
  } catch (error) {
    report(error, { level: 'info' });
    return null;
  }
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Takes texts in the page's language where there are any, as `tagline@de`. Ignores sections and fields of another type than
 * the page's, so that wrong settings break no screen.
 */
function overlay(base: unknown, over: unknown): unknown {
  if (isPlainObject(base)) {
    if (!isPlainObject(over)) return base;
    return Object.fromEntries(
      Object.entries(base).map(([key, value]) => [
        key,
        overlay(value, over[`${key}@${pageLanguage()}`] ?? over[key]),
      ]),
    );
  }
  if (over === undefined) return base;
  if (Array.isArray(base)) return Array.isArray(over) ? over : base;
  if (base === null || over === null) return isText(base) && isText(over) ? over : base;
  return typeof base === typeof over ? over : base;
}

/** Nullable fields hold text. */
function isText(value: unknown): boolean {
  return value === null || typeof value === 'string';
}
