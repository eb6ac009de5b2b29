import { type Language, listOfferedLanguages, matchLanguage } from './languages.ts';

/** An operator's texts in other languages, by field and language: `{ 'name@de': 'Erwachsene' }`. */
export type Translations = Readonly<Record<string, Translation>>;
/** A list of texts in a field that is one. */
export type Translation = string | readonly string[];

/** The name of a field in another language, as files have it: `name@de`. */
export type TranslationKey = { field: string; tag: string };

/** Null if the name is that of the field itself. */
export function parseTranslationKey(name: string): TranslationKey | null {
  const at = name.indexOf('@');
  return at < 0 ? null : { field: name.slice(0, at), tag: name.slice(at + 1) };
}

export function translationKey(field: string, language: Language): string {
  return `${field}@${language}`;
}

/** The same texts for a field of another name. */
export function renameField(translations: Translations, field: string): Translations {
  return Object.fromEntries(
    Object.entries(translations).map(([key, text]) => [`${field}@${parseTranslationKey(key)?.tag}`, text]),
  );
}

/** Says of a language tag in an operator's file that the product does not have its language. */
export function describeUnknownLanguage(tag: string): string {
  return `"${tag}" is none of the languages ${listOfferedLanguages().join(', ')}.`;
}

/** The texts of a language by their fields. */
export function pickTranslations(translations: Translations, tag: string): Record<string, Translation> {
  const language = matchLanguage(tag);
  return Object.fromEntries(
    Object.entries(translations).flatMap(([name, text]) => {
      const key = parseTranslationKey(name);
      return key !== null && key.tag === language ? [[key.field, text]] : [];
    }),
  );
}

/** An object of the operator's in a language. Texts without a translation stay in the operator's language. */
export function translateTexts<Texts extends { translations?: Translations }>(
  texts: Texts,
  tag: string,
): Texts {
  const { translations = {} } = texts;
  return { ...texts, ...pickTranslations(translations, tag) };
}
