import { createHash } from 'node:crypto';
import { compileEnglish, createCompiler } from '../catalogues/catalogue.ts';
import { LANGUAGES, type Language, SOURCE_LANGUAGE } from '../languages.ts';
import { readSource } from '../source.ts';
import type { Catalogue } from '../translate.ts';
import { groupMessages } from './message-groups.ts';

/** The built catalogues of the browser. */
export type BuiltCatalogues = {
  /** The folder of the files, which changes with their content. */
  folder: string;
  /** The names of the catalogues of each language. */
  names: ReadonlySet<string>;
  /** Modules by their paths in the folder: `de/tickets/home/home-screen.js`. */
  files: ReadonlyMap<string, string>;
};

/** Stands for all languages in lists of the catalogues, which have the same names in each. */
export const LISTED_LANGUAGE: Language = 'en-XA';

/**
 * Compiles the messages that pages and screens show, in every language but English.
 * @param entries paths from the top of the project, by host
 */
export function buildCatalogues(entries: Readonly<Record<string, string>>): BuiltCatalogues {
  const groups = groupMessages(entries);
  const languages = (Object.keys(LANGUAGES) as Language[]).filter((language) => language !== SOURCE_LANGUAGE);
  const files = new Map(
    languages.flatMap((language) => {
      const compile = createCompiler(language);
      return [...groups].map(([name, texts]) => {
        const catalogue: Catalogue = Object.fromEntries(
          [...texts].map((text) => [messageKey(text), compile(text)]),
        );
        return [`${language}/${name}.js`, `export default ${JSON.stringify(catalogue)};\n`] as const;
      });
    }),
  );
  const hash = createHash('sha256')
    .update(JSON.stringify([...files]))
    .digest('base64url')
    .slice(0, 8);
  return { folder: `assets/messages-${hash}`, names: new Set(groups.keys()), files };
}

/** The key of a message in the built code and catalogues: its text, or a short one if it is built in another form. */
export function messageKey(source: string): string {
  return isBuilt(source) ? createHash('sha256').update(source).digest('base64url').slice(0, 6) : source;
}

/** Whether the browser needs a message in another form than the source has it. */
export function isBuilt(source: string): boolean {
  return typeof compileEnglish(source) !== 'string' || readSource(source).context !== null;
}
