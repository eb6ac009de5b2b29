import * as z from 'zod/mini';
import {
  describeAllowed,
  isAmount,
  isTranslatable,
  type PartialWebSettings,
  type WebSettings,
  WebSettingsSchema,
} from '#contract/settings/schemas.ts';
import { findOfferedLanguage, type Language } from '#messages/languages.ts';
import type { Translate } from '#messages/translate.ts';
import { describeUnknownLanguage, parseTranslationKey, translationKey } from '#messages/translations.ts';
import type { GivenReason } from '#sentences/errors/error-reasons.ts';
import { type FileInput, readJson } from '../csv/problems.ts';

/** Where a field's value comes from: the operator's settings, the imported feed, or the neutral defaults. */
type SettingsSource = 'settings' | 'feed' | 'default';

/**
 * An invalid field with its path (`contact.phone`). `message` is a sentence without the value, for commands and logs;
 * `reason` is what staff read.
 */
type SettingsProblem = { path: string; message: string; reason: GivenReason };

export type MergedSettings = {
  settings: WebSettings;
  sources: ReadonlyMap<string, SettingsSource>;
};

export type SettingsField = {
  section: string;
  /** Null: the section is a single value. */
  name: string | null;
  path: string;
  schema: z.ZodMiniType;
  isOptional: boolean;
};

/** A text of a field in another language; `language` is null if the product does not have it. */
type TranslatedField = { key: string; tag: string; language: Language | null; text: unknown };

const MISSING = Symbol('missing');
/** All settings, in the order of the schema. */
export const settingsFields: readonly SettingsField[] = Object.entries(WebSettingsSchema.shape).flatMap(
  ([section, schema]) => listFields(section, schema),
);

/** The paths of all settings. */
export const settingsPaths: readonly string[] = settingsFields.map(({ path }) => path);

/** Finds every invalid field and every unknown name. Missing fields are allowed. */
export function findSettingsProblems(value: unknown): SettingsProblem[] {
  if (!isObject(value)) return [describeUnknown('', 'Settings are a JSON object of sections.')];
  const invalid = settingsFields.flatMap((field) => {
    const given = read(value, field);
    const own = given === MISSING || isValid(field, given) ? [] : [describeInvalid(field, given)];
    return [...own, ...findInvalidTranslations(value, field)];
  });
  return [...findUnknown(value), ...invalid, ...findInvalidLimits(value)];
}

/** Parses settings as JSON; null with problems if they are not valid. */
export function readSettings(source: FileInput): PartialWebSettings | null {
  const { file, problems } = source;
  const value = readJson(source);
  if (value === undefined) return null;
  const settingsProblems = findSettingsProblems(value);
  for (const { path, message } of settingsProblems) problems.add(file, null, path || null, message);
  return settingsProblems.length === 0 ? (value as PartialWebSettings) : null;
}

/** The paths of settings that the value leaves to the feed and the defaults. */
export function findMissingSettings(value: unknown): string[] {
  return settingsFields
    .filter((field) => !field.isOptional && read(value, field) === MISSING)
    .map(({ path }) => path);
}

/** Takes each field from the first source with a valid value, so that an invalid field affects only itself. */
export function mergeSettings(stored: unknown, fed: unknown): MergedSettings {
  const layers: [SettingsSource, unknown][] = [
    ['settings', withoutInvalidLimits(stored)],
    ['feed', fed],
    ['default', defaultWebSettings],
  ];
  const merged: Record<string, unknown> = {};
  const translations: [section: string, key: string, text: unknown][] = [];
  const sources = new Map<string, SettingsSource>();
  for (const field of settingsFields) {
    const firstUsable = layers.find(([, layer]) => isUsable(field, read(layer, field)));
    if (!firstUsable) continue;
    const [source, layer] = firstUsable;
    sources.set(field.path, source);
    const given = read(layer, field);
    if (field.name === null) merged[field.section] = given;
    else merged[field.section] = { ...(merged[field.section] as object | undefined), [field.name]: given };
    // From the same source, because those of another source translate another text.
    for (const { language, text } of listTranslations(layer, field)) {
      if (language === null || !isValid(field, text)) continue;
      translations.push([field.section, translationKey(field.name ?? '', language), text]);
    }
  }
  const settings: WebSettings = WebSettingsSchema.parse(merged);
  for (const [section, key, text] of translations) {
    Object.assign(settings[section as keyof WebSettings] as object, { [key]: text });
  }
  return { settings, sources };
}

/** The texts of a field in other languages, without empty ones. */
function listTranslations(value: unknown, { section, name, schema }: SettingsField): TranslatedField[] {
  const inSection = own(value, section);
  if (!isTranslatable(schema) || !isObject(inSection)) return [];
  return Object.entries(inSection).flatMap(([key, text]) => {
    const { field, tag = '' } = parseTranslationKey(key) ?? {};
    const isGiven = field === name && !isBlank(text);
    return isGiven ? [{ key, tag, language: findOfferedLanguage(tag), text }] : [];
  });
}

function isBlank(text: unknown): boolean {
  return text === null || (typeof text === 'string' && text.trim() === '') || isEmptyList(text);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function findInvalidTranslations(value: unknown, field: SettingsField): SettingsProblem[] {
  return listTranslations(value, field).flatMap(({ key, tag, language, text }) => {
    const path = `${field.section}.${key}`;
    if (language === null) return [describeUnknown(path, describeUnknownLanguage(tag))];
    return isValid(field, text) ? [] : [{ ...describeInvalid(field, text), path }];
  });
}

function listFields(section: string, schema: z.ZodMiniType): SettingsField[] {
  const isOptional = schema instanceof z.ZodMiniOptional;
  const inner = isOptional ? (schema.def.innerType as z.ZodMiniType) : schema;
  if (!(inner instanceof z.ZodMiniObject))
    return [{ section, name: null, path: section, schema: inner, isOptional }];
  return Object.entries(inner.shape as Record<string, z.ZodMiniType>).map(([name, field]) => ({
    section,
    name,
    path: `${section}.${name}`,
    schema: field,
    isOptional,
  }));
}

function read(value: unknown, { section, name }: SettingsField): unknown {
  const inSection = own(value, section);
  return name === null || inSection === MISSING ? inSection : own(inSection, name);
}

function own(value: unknown, key: string): unknown {
  if (!isObject(value) || !Object.hasOwn(value, key)) return MISSING;
  return value[key];
}

function isUsable(field: SettingsField, given: unknown): boolean {
  return given !== MISSING && isValid(field, given);
}

function isValid({ schema }: SettingsField, given: unknown): boolean {
  return schema.safeParse(given).success;
}

function describeInvalid({ path, schema }: SettingsField, given: unknown): SettingsProblem {
  const allowed = describeAllowed(schema);
  const params = (t: Translate) => ({ value: shorten(given), allowed: t(allowed) });
  const unit = isAmount(schema) ? ', in minor units' : '';
  return { path, message: `This is not ${allowed}${unit}.`, reason: { reason: 'setting_refused', params } };
}

function describeUnknown(path: string, message: string): SettingsProblem {
  return { path, message, reason: { reason: 'unknown_setting', params: { path } } };
}

const SHOWN_LENGTH = 60;

function shorten(given: unknown): string {
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}

function findUnknown(value: Record<string, unknown>): SettingsProblem[] {
  return Object.entries(value).flatMap(([section, inside]) => {
    const fieldsOfSection = settingsFields.filter((field) => field.section === section);
    if (fieldsOfSection.length === 0) return [describeUnknown(section, 'There is no such section.')];
    if (fieldsOfSection.some(({ name }) => name === null)) return [];
    if (!isObject(inside)) return [describeUnknown(section, 'This section is an object.')];
    return Object.keys(inside)
      .filter((key) => !fieldsOfSection.some((field) => isNameOf(field, key)))
      .map((key) => describeUnknown(`${section}.${key}`, 'There is no such setting.'));
  });
}

/** Whether a key is the name of a field, or its name in another language. */
function isNameOf({ name, schema }: SettingsField, key: string): boolean {
  return key === name || (isTranslatable(schema) && parseTranslationKey(key)?.field === name);
}

/** Limits that are valid separately may contradict each other; the section then counts as not set. */
function findInvalidLimits(value: unknown): SettingsProblem[] {
  const { min, max, presets } = { ...defaultWebSettings.top_up, ...readTopUp(value) };
  if (min > max) {
    const message = 'This is more than top_up.max.';
    return [{ path: 'top_up.min', message, reason: { reason: 'setting_above_maximum' } }];
  }
  if (presets.some((each) => each < min || each > max)) {
    const message = 'Every amount lies between top_up.min and top_up.max.';
    return [{ path: 'top_up.presets', message, reason: { reason: 'setting_outside_limits' } }];
  }
  return [];
}

function readTopUp(value: unknown): Partial<WebSettings['top_up']> {
  const given = settingsFields.filter(
    (field) => field.section === 'top_up' && isUsable(field, read(value, field)),
  );
  return Object.fromEntries(given.map((field) => [field.name, read(value, field)]));
}

function withoutInvalidLimits(stored: unknown): unknown {
  if (!isObject(stored) || findInvalidLimits(stored).length === 0) return stored;
  const { top_up: _, ...rest } = stored;
  return rest;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The defaults for fields that neither a feed nor the operator sets. They contain no operator's name or contact. */
export const defaultWebSettings: WebSettings = {
  brand: {
    name: 'Ferry tickets',
    accent: '#f2640c',
    logo_url: null,
    icon_url: null,
    maskable_icon_url: null,
    tagline: null,
  },
  contact: { phone: null, email: null, url: null, booth_hours: null },
  legal: { privacy_url: null, imprint_url: null, accessibility_url: null },
  seller: {
    ...{ name: null, address: null, tax_number: null, bank_account: null },
    ...{ country: null, zero_tax: 'zero_rated', zero_tax_reason: null },
  },
  language: 'en-US',
  units: 'metric',
  terms: { version: 'none', text: [], acceptance: 'checkbox' },
  top_up: { presets: [2000, 5000, 10_000], min: 500, max: 50_000 },
  analytics: {
    tickets_container_id: null,
    portal_container_id: null,
    recorder_site_id: null,
    requires_consent: true,
  },
};
