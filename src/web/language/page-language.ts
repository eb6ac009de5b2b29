import {
  chooseLanguage,
  LANGUAGE_PARAMETER,
  LANGUAGES,
  type Language,
  localize,
  matchLanguage,
  readChosenLanguage,
  SOURCE_LANGUAGE,
} from '#messages/languages.ts';

let tag = 'en-US';

/**
 * Sets the language of texts, dates and money. Call it before anything is rendered.
 * @param next a language tag
 */
export function setTextLanguage(next: string): void {
  tag = next;
}

/** The language tag of dates and money. */
export function textLanguage(): string {
  return tag;
}

/** The language of the texts. */
export function pageLanguage(): Language {
  return matchLanguage(tag) ?? SOURCE_LANGUAGE;
}

export function isPageRightToLeft(): boolean {
  return LANGUAGES[pageLanguage()].direction === 'rtl';
}

/**
 * Uses the visitor's language, and marks the document with it: that of the address, the one that the visitor has chosen,
 * or what the server found for the page.
 * @param operatorTag the language tag of the settings
 * @returns whether the document was rendered in another language
 */
export function startPageLanguage(operatorTag: string): boolean {
  const requested = new URLSearchParams(window.location.search).get(LANGUAGE_PARAMETER);
  const { documentElement } = document;
  const rendered = matchLanguage(documentElement.lang) ?? SOURCE_LANGUAGE;
  const language = chooseLanguage([requested, readChosenLanguage(document.cookie)], rendered);
  setTextLanguage(localize(language, operatorTag));
  documentElement.lang = tag;
  documentElement.dir = LANGUAGES[language].direction;
  return language !== rendered;
}
