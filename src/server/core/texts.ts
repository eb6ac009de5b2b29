import type { CompiledMessage } from 'icu-minify/format';
import { createCompiler } from '#messages/catalogues/catalogue.ts';
import { type Language, matchLanguage, SOURCE_LANGUAGE } from '#messages/languages.ts';
import { createTranslate, type Translate } from '#messages/translate.ts';

const translators = new Map<Language, Translate>();

/**
 * Writes messages in a language, English if the product does not have it. The first call for a language reads its
 * catalogue.
 * @param tag a language tag, such as that of an order or of the settings
 */
export function textsIn(tag: string): Translate {
  const language = matchLanguage(tag) ?? SOURCE_LANGUAGE;
  const translator = translators.get(language) ?? createTranslator(language);
  translators.set(language, translator);
  return translator;
}

function createTranslator(language: Language): Translate {
  const compile = createCompiler(language);
  const compiled = new Map<string, CompiledMessage>();
  return createTranslate(
    () => language,
    (source) => {
      // Only built code of the browser names messages by their keys.
      if (typeof source !== 'string') return source[1];
      const message = compiled.get(source) ?? compile(source);
      compiled.set(source, message);
      return message;
    },
  );
}
