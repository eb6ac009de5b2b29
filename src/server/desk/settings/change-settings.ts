import type { SettingChange, SettingDifference, SettingValue } from '#contract/desk/settings/schemas.ts';
import { isTranslatable, type PartialWebSettings } from '#contract/settings/schemas.ts';
import { findOfferedLanguage } from '#messages/languages.ts';
import { parseTranslationKey, translationKey } from '#messages/translations.ts';
import type { AuditActor } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import { FolderUnwritableError } from '#server/database/folder-lock.ts';
import { ApiError, type Problem } from '#server/http/api-error.ts';
import {
  findSettingsProblems,
  mergeSettings,
  type SettingsField,
  settingsFields,
} from '#server/settings/merge-settings.ts';
import { publishWebSettings } from '#server/settings/publish-settings.ts';
import {
  getSettingsVersion,
  listSettingsDifferences,
  replaceWebSettings,
} from '#server/settings/replace-settings.ts';
import { keepSettingsDraft } from '#server/settings/settings-drafts.ts';
import { type LoadedSettings, loadSettings } from '#server/settings/web-settings.ts';

type Changes = readonly SettingChange[];
/** Settings as stored: sections, and settings without a section. */
type Stored = Record<string, unknown>;

/**
 * What changes would change for customers. Pages can be shown with them afterwards.
 * @throws {ApiError} invalid_input with each field that is wrong
 */
export async function previewChanges(
  context: Pick<Context, 'db' | 'clock'>,
  { changes, staffId }: { changes: Changes; staffId: string },
): Promise<SettingDifference[]> {
  const loaded = await loadSettings(context.db);
  const value = applyChanges(loaded, changes);
  await keepSettingsDraft(context, { staffId, value });
  const after = mergeSettings(value, loaded.fed);
  return listSettingsDifferences(loaded.settings, after.settings).map(({ path, before, after }) => ({
    ...{ path, before: before as SettingValue, after: after as SettingValue },
  }));
}

/**
 * Stores changes of settings and publishes the result, as the command does.
 * @throws {ApiError} settings_changed if others than the caller's version are stored; invalid_input with each field that is
 * wrong
 */
export async function publishChanges(
  context: Pick<Context, 'db' | 'clock' | 'config'>,
  { version, changes, actor }: { version: string; changes: Changes; actor: AuditActor },
): Promise<void> {
  const loaded = await loadSettings(context.db);
  if (getSettingsVersion(loaded.stored) !== version) throw new ApiError('settings_changed');
  await replaceWebSettings(context, { value: applyChanges(loaded, changes), actor, version });
  try {
    await publishWebSettings(context);
  } catch (error) {
    // The timer of each process publishes what is stored, and logs why it cannot.
    if (!(error instanceof FolderUnwritableError)) throw error;
  }
}

/** The changes that make the stored settings those of a version, as far as this release knows them. */
export function listChangesTo(version: unknown, { stored }: Pick<LoadedSettings, 'stored'>): SettingChange[] {
  return settingsFields.flatMap((field) =>
    listKeys(field, [stored, version]).flatMap((key) => {
      const [before, after] = [stored, version].map((each) => readStored(each, field, key));
      if (JSON.stringify(before) === JSON.stringify(after)) return [];
      const path = key === null ? field.section : `${field.section}.${key}`;
      return [after === undefined ? { path } : { path, value: after as SettingValue }];
    }),
  );
}

/** The keys of a field in its section, with those of its texts in other languages. */
function listKeys({ section, name, schema }: SettingsField, all: readonly unknown[]): (string | null)[] {
  if (name === null || !isTranslatable(schema)) return [name];
  const keys = all.flatMap((each) => Object.keys(readSection(each, section) ?? {}));
  const isText = (key: string) => {
    const { field, tag = '' } = parseTranslationKey(key) ?? {};
    return field === name && findOfferedLanguage(tag) !== null;
  };
  return [name, ...new Set(keys.filter(isText))];
}

function readStored(stored: unknown, { section }: SettingsField, key: string | null): unknown {
  if (key === null) return isGroup(stored) ? stored[section] : undefined;
  const group = readSection(stored, section);
  return group !== null && Object.hasOwn(group, key) ? group[key] : undefined;
}

function readSection(stored: unknown, section: string): Stored | null {
  const group = isGroup(stored) ? stored[section] : null;
  return isGroup(group) ? group : null;
}

/**
 * The stored settings with changes. What was wrong before in sections that are not changed stays, as the log says at each
 * start.
 * @throws {ApiError} invalid_input
 */
function applyChanges(loaded: LoadedSettings, changes: Changes): PartialWebSettings {
  const next = structuredClone(isGroup(loaded.stored) ? loaded.stored : {});
  for (const change of changes) applyChange(next, loaded, change);
  const changed = new Set(changes.map(({ path }) => getSection(path)));
  const problems = findSettingsProblems(next).filter(({ path }) => changed.has(getSection(path)));
  throwProblems(problems.map(({ path, reason }) => ({ code: 'invalid_input', field: path, ...reason })));
  return next;
}

function throwProblems([first, ...more]: Problem[]): void {
  if (first !== undefined) throw new ApiError(first.code, first, more);
}

function applyChange(next: Stored, loaded: LoadedSettings, { path, value }: SettingChange): void {
  const { field, language } = findField(path);
  if (field.name === null) {
    if (value === undefined) delete next[field.section];
    else next[field.section] = value;
    return;
  }
  const section = isGroup(next[field.section]) ? (next[field.section] as Stored) : {};
  next[field.section] = section;
  if (isTranslatable(field.schema)) takeOverTexts(section, loaded, field);
  const isKey = (key: string) => isKeyOf(key, { field, language });
  for (const key of Object.keys(section).filter(isKey)) delete section[key];
  if (value !== undefined)
    section[language === null ? field.name : translationKey(field.name, language)] = value;
}

/**
 * Stores the feed's texts of a field before one of them changes: texts count only together with the operator's text of the
 * same source.
 */
function takeOverTexts(
  section: Stored,
  { settings }: LoadedSettings,
  { section: name, name: key }: SettingsField,
): void {
  if (key === null || Object.hasOwn(section, key)) return;
  const texts = Object.entries(settings[name as keyof typeof settings] as Stored).filter(
    ([each]) => each === key || parseTranslationKey(each)?.field === key,
  );
  Object.assign(section, Object.fromEntries(texts));
}

type Target = { field: SettingsField; language: ReturnType<typeof findOfferedLanguage> };

/** @throws {ApiError} invalid_input for a path that is no setting, nor one in a language of the product */
function findField(path: string): Target {
  const { field: base = path, tag = null } = parseTranslationKey(path) ?? {};
  const field = settingsFields.find((each) => each.path === base);
  const language = tag === null ? null : findOfferedLanguage(tag);
  const isWrongLanguage = tag !== null && (language === null || (field && !isTranslatable(field.schema)));
  if (field === undefined || isWrongLanguage) {
    throw new ApiError('invalid_input', { field: path, reason: 'unknown_setting', params: { path } });
  }
  return { field, language };
}

/** Whether a section's key is a field's text in a language, under any tag of it. */
function isKeyOf(key: string, { field, language }: Target): boolean {
  if (language === null) return key === field.name;
  const translation = parseTranslationKey(key);
  return translation?.field === field.name && findOfferedLanguage(translation.tag) === language;
}

function getSection(path: string): string {
  return path.split('.')[0] ?? '';
}

function isGroup(value: unknown): value is Stored {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
