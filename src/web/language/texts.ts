import compileMessage from 'icu-minify/compile';
import { readSource } from '#messages/source.ts';
import {
  type Catalogue,
  createTranslate,
  type FindMessage,
  type MessageSource,
} from '#messages/translate.ts';
import { textLanguage } from './page-language.ts';

let catalogue: Catalogue = {};

/** Adds messages of the page's language. Call it before what shows them is rendered. */
export function addMessages(messages: Catalogue): void {
  catalogue = { ...catalogue, ...messages };
}

/** Replaces the messages, for pages in one language after another. */
export function setMessages(messages: Catalogue): void {
  catalogue = messages;
}

/** A message that the catalogue lacks stays English. */
export const findMessage: FindMessage = (source: MessageSource) => {
  if (typeof source !== 'string') return catalogue[source[0]] ?? source[1];
  return catalogue[source] ?? (import.meta.env.PROD ? source : compileMessage(readSource(source).text));
};

/** Writes a message in the page's language. */
export const t = createTranslate(textLanguage, findMessage);
