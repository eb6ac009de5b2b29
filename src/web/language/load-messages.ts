import { SOURCE_LANGUAGE } from '#messages/languages.ts';
import type { Catalogue } from '#messages/translate.ts';
import { pageLanguage } from './page-language.ts';
import { addMessages } from './texts.ts';

/** The path of the folder with the built catalogues, from the build. */
declare const MESSAGES_FOLDER: string;

const loaded = new Map<string, Promise<void>>();

/**
 * Loads a catalogue of the page's language. If that fails, its texts stay English: a ticket in another language is better
 * than none.
 */
export function loadMessages(name: string): Promise<void> {
  const language = pageLanguage();
  if (language === SOURCE_LANGUAGE) return Promise.resolve();
  const loading = loaded.get(name) ?? load(`${MESSAGES_FOLDER}/${language}/${name}.js`);
  loaded.set(name, loading);
  return loading;
}

async function load(url: string): Promise<void> {
  try {
    const module: { default: Catalogue } = await import(/* @vite-ignore */ url);
    addMessages(module.default);
  } catch {
    // The texts stay English.
  }
}

/** The build calls it where a screen is imported, so that its code and its catalogue load at the same time. */
export async function withMessages<Module>(name: string, module: Promise<Module>): Promise<Module> {
  const [imported] = await Promise.all([module, loadMessages(name)]);
  return imported;
}
