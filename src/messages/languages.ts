type LanguageEntry = {
  /** As its speakers call it. */
  name: string;
  direction: 'ltr' | 'rtl';
  /** Other language tags, lower case, whose speakers read it. */
  aliases?: readonly string[];
  /** For tests: its texts are made from the English ones, and it is not offered. */
  isPseudo?: true;
};

/** Holds the language that a visitor has chosen, on the domain that the hosts share. */
export const LANGUAGE_COOKIE = 'language';
/** Of the names of all cookies. */
export const COOKIE_PREFIX = 'my-';

/** Of a public page's address: its language, so that search engines list each. */
export const LANGUAGE_PARAMETER = 'lang';

/** The language of the messages in the source, which needs no catalogue. */
export const SOURCE_LANGUAGE = 'en';

/** The languages of the product's texts, by their tags. Each but English and the pseudo-languages has a PO file. */
export const LANGUAGES = {
  en: { name: 'English', direction: 'ltr' },
  de: { name: 'Deutsch', direction: 'ltr' },
  nb: { name: 'Norsk bokmål', direction: 'ltr', aliases: ['no', 'nn'] },
  fr: { name: 'Français', direction: 'ltr' },
  'en-XA': { name: 'Longer English', direction: 'ltr', isPseudo: true },
  'ar-XB': { name: 'English from right to left', direction: 'rtl', isPseudo: true },
} as const satisfies Record<string, LanguageEntry>;

export type Language = keyof typeof LANGUAGES;
export type PseudoLanguage = {
  [Each in Language]: (typeof LANGUAGES)[Each] extends { isPseudo: true } ? Each : never;
}[Language];
export type OfferedLanguage = Exclude<Language, PseudoLanguage>;

/** The languages that people choose from. A function, so that scripts without texts do not contain the table. */
export function listOfferedLanguages(): OfferedLanguage[] {
  return listEntries().flatMap(([language]) => asOfferedLanguage(language) ?? []);
}

/** @returns null for a pseudo-language */
function asOfferedLanguage(language: Language): OfferedLanguage | null {
  return 'isPseudo' in LANGUAGES[language] ? null : (language as OfferedLanguage);
}

/** The language that people choose for a language tag; null if there is none. */
export function findOfferedLanguage(tag: string): OfferedLanguage | null {
  const language = matchLanguage(tag);
  return language && asOfferedLanguage(language);
}

/** The languages with a PO file. */
export function listTranslatedLanguages(): OfferedLanguage[] {
  return listOfferedLanguages().filter((language) => language !== SOURCE_LANGUAGE);
}

function listEntries(): [Language, LanguageEntry][] {
  return Object.entries<LanguageEntry>(LANGUAGES) as [Language, LanguageEntry][];
}

/** The language of the texts for a language tag such as "en-GB"; null if the product does not have it. */
export function matchLanguage(tag: string): Language | null {
  const wanted = tag.toLowerCase();
  const [base = ''] = wanted.split('-');
  const find = (matches: (language: string, entry: LanguageEntry) => boolean) =>
    listEntries().find(([language, entry]) => matches(language.toLowerCase(), entry))?.[0];
  return (
    find((language) => language === wanted) ??
    find((language, { aliases = [] }) => language === base || aliases.includes(base)) ??
    null
  );
}

/** The language that a visitor has chosen, from a list of cookies; null if there is no valid one. */
export function readChosenLanguage(cookies: string): Language | null {
  const [, chosen = ''] =
    new RegExp(`(?:^|; )${COOKIE_PREFIX}${LANGUAGE_COOKIE}=([^;]+)`).exec(cookies) ?? [];
  return matchLanguage(chosen);
}

/**
 * The language for someone who prefers some.
 * @param tags the preferred language tags, best first; null for what is not known
 * @param fallback of the operator
 */
export function chooseLanguage(tags: readonly (string | null)[], fallback: string): Language {
  const languages = [...tags, fallback].map((tag) => matchLanguage(tag ?? ''));
  return languages.find((language) => language !== null) ?? SOURCE_LANGUAGE;
}

/** The language tag of texts in a language: the operator's with its region, if it is of the same language. */
export function localize(language: Language, operatorTag: string): string {
  return matchLanguage(operatorTag) === language ? operatorTag : language;
}
