import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import compileMessage from 'icu-minify/compile';
import type { CompiledMessage } from 'icu-minify/format';
import PO from 'pofile';
import { type Language, SOURCE_LANGUAGE } from '../languages.ts';
import { findRewrite } from '../pseudo.ts';
import { readSource } from '../source.ts';

/** @returns a compiled message of the source, in the compiler's language */
export type Compile = (source: string) => CompiledMessage;

/** Compiles messages in a language. One without a translation stays English. */
export function createCompiler(language: Language): Compile {
  const rewrite = findRewrite(language);
  if (rewrite) return (source) => rewrite(compileEnglish(source));
  if (language === SOURCE_LANGUAGE) return compileEnglish;
  const translations = readTranslations(language);
  return (source) => compileMessage(translations.get(source) || readSource(source).text);
}

export const compileEnglish: Compile = (source) => compileMessage(readSource(source).text);

/** The translations of a language by the messages of the source; empty for those that are missing. */
export function readTranslations(language: Language): ReadonlyMap<string, string> {
  return new Map(readCatalogue(language).items.map((item) => [sourceOf(item), item.msgstr.join('')]));
}

/** The message of the source that an entry of a PO file translates. */
export function sourceOf({ msgid, msgctxt }: PO['items'][number]): string {
  return msgctxt ? `${msgid}|${msgctxt}` : msgid;
}

export function readCatalogue(language: Language): PO {
  return PO.parse(readFileSync(catalogueFile(language), 'utf8'));
}

export function catalogueFile(language: Language): string {
  return fileURLToPath(new URL(`${language}.po`, import.meta.url));
}
