import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import compileMessage from 'icu-minify/compile';
import PO from 'pofile';
import {
  catalogueFile,
  compileEnglish,
  readCatalogue,
  readTranslations,
  sourceOf,
} from '../catalogues/catalogue.ts';
import { type Language, listTranslatedLanguages } from '../languages.ts';
import { readSource } from '../source.ts';
import { readMessages } from './read-messages.ts';

/** The files that name a message, by the message, in the order of files. */
type Sources = ReadonlyMap<string, readonly string[]>;
type Node = string | number | readonly unknown[] | Readonly<Record<string, unknown>>;

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Every message that the product's source names. */
export function readSources(): Sources {
  const sources = new Map<string, string[]>();
  for (const file of ['src', 'sw'].flatMap(listSources).sort()) {
    for (const { text } of readMessages(file, readFileSync(file, 'utf8'))) {
      const files = sources.get(text) ?? [];
      if (!files.includes(file)) sources.set(text, [...files, file]);
    }
  }
  return new Map([...sources].map(([text, files]) => [text, files.map((file) => relative(ROOT, file))]));
}

function listSources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(ROOT, folder, name));
}

/** What keeps the catalogues from being built; empty if nothing does. */
export function findProblems(sources: Sources): string[] {
  return [
    ...[...sources.keys()].flatMap((text) =>
      problemsOf(text, readSource(text).text).map((problem) => `${text}: ${problem}`),
    ),
    ...listTranslatedLanguages().flatMap((language) => problemsOfCatalogue(language, sources)),
  ];
}

function problemsOfCatalogue(language: Language, sources: Sources): string[] {
  const translations = readTranslations(language);
  const unused = [...translations.keys()].filter((text) => !sources.has(text));
  return [
    ...[...sources.keys()].flatMap((text) => {
      const translation = translations.get(text) ?? '';
      const problems = translation === '' ? ['has no translation'] : problemsOf(text, translation);
      return problems.map((problem) => `${language}: "${text}" ${problem}`);
    }),
    ...unused.map((text) => `${language}: "${text}" is not used`),
  ];
}

/** What is wrong with a translation of a message. */
function problemsOf(text: string, translation: string): string[] {
  try {
    const expected = namesOf(compileEnglish(text) as Node);
    const names = namesOf(compileMessage(translation) as Node);
    return [
      ...[...expected].filter((name) => !names.has(name)).map((name) => `lacks ${name}`),
      ...[...names]
        .filter((name) => !expected.has(name))
        .map((name) => `has ${name}, which the English text lacks`),
    ];
  } catch (error) {
    return [`is malformed: ${String(error)}`];
  }
}

/** The placeholders and tags of a compiled message: each is an array that begins with its name. */
function namesOf(compiled: Node): Set<string> {
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) {
      const [name, ...rest] = node;
      names.add(String(name));
      for (const part of rest) visit(part);
    } else if (typeof node === 'object' && node !== null) {
      for (const branch of Object.values(node)) if (Array.isArray(branch)) branch.forEach(visit);
    }
  };
  if (Array.isArray(compiled)) compiled.forEach(visit);
  return names;
}

/** Brings the catalogues up to date: adds what is new, without a translation, and removes what is not used. */
export function updateCatalogues(sources: Sources): void {
  for (const language of listTranslatedLanguages()) {
    const catalogue = readCatalogue(language);
    const items = new Map(catalogue.items.map((item) => [sourceOf(item), item]));
    catalogue.items = [...sources].map(([text, files]) => {
      const item = items.get(text) ?? new PO.Item();
      const { text: msgid, context: msgctxt } = readSource(text);
      Object.assign(item, { msgid, msgctxt });
      item.references = [...files];
      return item;
    });
    writeFileSync(catalogueFile(language), `${catalogue.toString().trimEnd()}\n`);
  }
}
