import { LANGUAGES, matchLanguage } from './languages.ts';

/** Of the texts that commands print, and of dates and numbers in languages that the product does not have. */
export const COMMAND_LANGUAGE = 'en-US';

/** The locale for dates, numbers and money in texts of a language tag. */
export function chooseTextLocale(tag: string): string {
  const language = matchLanguage(tag);
  return language === null || 'isPseudo' in LANGUAGES[language] ? COMMAND_LANGUAGE : tag;
}
