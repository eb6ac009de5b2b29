import type { CompiledMessage } from 'icu-minify/format';
import type { Language, PseudoLanguage } from './languages.ts';

type Rewrite = (english: CompiledMessage) => CompiledMessage;

const REWRITES: Readonly<Record<PseudoLanguage, Rewrite>> = {
  'en-XA': lengthenMessage,
  'ar-XB': reverseMessage,
};

/** How a language's texts are made from English ones; null if they are translated. */
export function findRewrite(language: Language): Rewrite | null {
  return language in REWRITES ? REWRITES[language as PseudoLanguage] : null;
}

const ACCENTS: Readonly<Record<string, string>> = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', n: 'ñ', s: 'š' };
/** How much longer German and French texts are than English ones. */
const LONGER_BY = 0.4;

/** A compiled English message as the pseudo-language `en-XA` has it: with accents, and longer. */
export function lengthenMessage(message: CompiledMessage): CompiledMessage {
  return mapTexts(message, (text) => {
    const letters = text.match(/\p{L}/gu)?.length ?? 0;
    const accented = text.replace(/[aeiouns]/g, (letter) => ACCENTS[letter] ?? letter);
    return accented + '~'.repeat(Math.ceil(letters * LONGER_BY));
  });
}

/** A compiled English message as the pseudo-language `ar-XB` has it: its letters run from right to left. */
export function reverseMessage(message: CompiledMessage): CompiledMessage {
  return mapTexts(message, (text) => text.replace(/\p{L}[\p{L}’-]*/gu, `${RIGHT_TO_LEFT}$&${END}`));
}

const RIGHT_TO_LEFT = '\u202e';
const END = '\u202c';

type WriteText = (text: string) => string;

/** Replaces the texts of a message, and keeps its placeholders and tags. */
function mapTexts(message: CompiledMessage, write: WriteText): CompiledMessage {
  return mapNodes(message, write) as CompiledMessage;
}

function mapNodes(nodes: unknown, write: WriteText): unknown {
  return Array.isArray(nodes) ? nodes.map((node) => mapNode(node, write)) : mapNode(nodes, write);
}

/** A text, the number of a plural, or an array that begins with the name of a placeholder or tag. */
function mapNode(node: unknown, write: WriteText): unknown {
  if (typeof node === 'string') return write(node);
  if (!Array.isArray(node)) return node;
  const [name, ...parts] = node as unknown[];
  return [name, ...parts.map((part) => (isBranches(part) ? mapBranches(part, write) : mapNode(part, write)))];
}

function mapBranches(branches: Readonly<Record<string, unknown>>, write: WriteText): Record<string, unknown> {
  return Object.fromEntries(Object.entries(branches).map(([name, nodes]) => [name, mapNodes(nodes, write)]));
}

function isBranches(part: unknown): part is Readonly<Record<string, unknown>> {
  return typeof part === 'object' && part !== null && !Array.isArray(part);
}
