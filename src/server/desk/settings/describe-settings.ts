import * as z from 'zod/mini';
import type { SettingValue, StaffSetting } from '#contract/desk/settings/schemas.ts';
import {
  AccentSchema,
  describeAllowed,
  isAmount,
  isTranslatable,
  type WebSettings,
} from '#contract/settings/schemas.ts';
import { findOfferedLanguage, listOfferedLanguages } from '#messages/languages.ts';
import type { Translate } from '#messages/translate.ts';
import { translationKey } from '#messages/translations.ts';
import { type SettingsField, settingsFields } from '#server/settings/merge-settings.ts';
import type { LoadedSettings } from '#server/settings/web-settings.ts';

/**
 * The settings in effect as a form shows them: each field of the schema with what it may be, and after it its texts in the
 * other languages.
 */
export function describeSettings({ settings, sources }: LoadedSettings, t: Translate): StaffSetting[] {
  const own = findOfferedLanguage(settings.language);
  const others = listOfferedLanguages().filter((language) => language !== own);
  return settingsFields.flatMap((field) => {
    const setting: StaffSetting = {
      ...{ path: field.path, section: field.section, language: null },
      ...describeSchema(field, t),
      source: sources.get(field.path) ?? 'default',
      value: readValue(settings, field, field.name),
    };
    if (!isTranslatable(field.schema)) return [setting];
    const translations = others.map((language) => {
      const key = translationKey(field.name ?? '', language);
      const value = readValue(settings, field, key);
      return { ...setting, path: `${field.section}.${key}`, language, value };
    });
    return [setting, ...translations];
  });
}

function describeSchema(
  { schema }: SettingsField,
  t: Translate,
): Pick<StaffSetting, 'kind' | 'allowed' | 'choices' | 'can_be_empty'> {
  const isWrapped = schema instanceof z.ZodMiniNullable || schema instanceof z.ZodMiniOptional;
  const inner = isWrapped ? (schema.def.innerType as z.ZodMiniType) : schema;
  return {
    kind: findKind(inner),
    allowed: t(describeAllowed(schema)),
    choices: inner instanceof z.ZodMiniEnum ? inner.options.map(String) : [],
    can_be_empty: schema instanceof z.ZodMiniNullable,
  };
}

function findKind(schema: z.ZodMiniType): StaffSetting['kind'] {
  if (schema === AccentSchema) return 'color';
  if (schema instanceof z.ZodMiniBoolean) return 'switch';
  if (schema instanceof z.ZodMiniEnum) return 'choice';
  if (schema instanceof z.ZodMiniNumber) return isAmount(schema) ? 'amount' : 'number';
  if (!(schema instanceof z.ZodMiniArray)) return 'text';
  return isAmount(schema) ? 'amounts' : 'paragraphs';
}

function readValue(
  settings: WebSettings,
  { section, name }: SettingsField,
  key: string | null,
): SettingValue {
  const inSection = settings[section as keyof WebSettings] as unknown;
  const value = name === null ? inSection : (inSection as Record<string, unknown> | undefined)?.[key ?? ''];
  return (value ?? null) as SettingValue;
}
