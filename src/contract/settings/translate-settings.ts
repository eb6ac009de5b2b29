import { parseTranslationKey, pickTranslations, type Translations } from '#messages/translations.ts';

/**
 * Settings in a language, without their texts in others. These stand beside the texts, as `tagline@de`.
 * @param tag a language tag, which becomes that of the settings
 */
export function translateSettings<Settings extends object>(settings: Settings, tag: string): Settings {
  const sections = Object.entries(settings).map(([name, section]) => [
    name,
    isSection(section) ? translateSection(section, tag) : section,
  ]);
  return { ...(Object.fromEntries(sections) as Settings), language: tag };
}

function translateSection(section: Readonly<Record<string, unknown>>, tag: string): object {
  const own: Record<string, unknown> = {};
  const translations: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(section)) {
    (parseTranslationKey(name) ? translations : own)[name] = value;
  }
  return { ...own, ...pickTranslations(translations as Translations, tag) };
}

function isSection(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
