import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';

type Node = { type: string; [key: string]: unknown };

const WRITERS = new Set(['t', 'rich', 'message']);
/** Their texts are for developers: why a page must not reload, and what a cache that cannot be filled is called. */
const FOR_DEVELOPERS = new Set(['beginBusy', 'useBusyWhile', 'createRefreshingCache']);
/** Called the same in every language: products of others and the operator of the demo. */
const BRANDS = new Set(['iCloud Mail', 'Yahoo Mail', 'Harbor Line']);
/** Attributes whose values are not texts for people. */
const ATTRIBUTES =
  /^(className|style|rel|sizes|d|points|viewBox|transform|autoComplete|allow|accept|media|\w*(Id|ID)|id|key|busyReason|data-.*)$/;

/** Texts of the sources below a folder that people could read and that are no messages. */
export function findUntranslated(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => {
      const path = join(folder, name);
      const { program } = parseSync(path, readFileSync(path, 'utf8'));
      return textsIn(program as unknown as Node).map((text) => `${path}: ${text}`);
    });
}

function textsIn(node: Node): string[] {
  if (isUnread(node)) return [];
  const text = textOf(node);
  const own = text === null ? [] : [text.replace(/\s+/g, ' ').trim()];
  return [...own, ...childrenOf(node).flatMap(textsIn)];
}

/** The values of a message may hold texts, in its elements. */
function childrenOf(node: Node): Node[] {
  const values = isMessage(node) ? (node.arguments as unknown[]).slice(1) : Object.values(node);
  return values.flatMap((value) => (Array.isArray(value) ? value : [value])).filter(isNode);
}

function isMessage({ type, callee }: Node): boolean {
  return type === 'CallExpression' && WRITERS.has(String((callee as Node).name));
}

/** Words of an element, or words with a space between them in code; single words in code may be names of things. */
function textOf(node: Node): string | null {
  switch (node.type) {
    case 'JSXText':
      return /\p{L}{2}/u.test(String(node.value)) ? String(node.value) : null;
    case 'Literal':
      return typeof node.value === 'string' && isSentence(node.value) ? node.value : null;
    case 'TemplateLiteral': {
      const text = (node.quasis as { value: { cooked: string } }[])
        .map(({ value }) => value.cooked)
        .join('…');
      return isSentence(text) ? text : null;
    }
    default:
      return null;
  }
}

/** Tags, styles and scripts of pages that the server writes are no texts. */
function isSentence(markup: string): boolean {
  const text = markup.replace(/<[^>]*>/g, '\n').replace(/[^\n]*[{};].*/g, '\n');
  const isStyle = /^system-ui,|^[\d.]+px |^((…|[\d.]+) (ft|in|m)( |$))+$/.test(text);
  return (
    !isStyle && !BRANDS.has(text) && /(\p{L}{2,}|…) \p{L}|\p{L} …|\p{Ll}{2,} \d|\d \p{Ll}{2,}/u.test(text)
  );
}

/** Paths of imports, types, queries of the database, errors for developers, and attributes without texts. */
function isUnread({ type, ...node }: Node): boolean {
  switch (type) {
    case 'CallExpression':
      return FOR_DEVELOPERS.has(String((node.callee as Node).name)) || isLog(node.callee as Node);
    case 'NewExpression':
      return /Error$/.test(String((node.callee as Node).name));
    case 'TaggedTemplateExpression':
      return (node.tag as Node).name === 'sql';
    case 'JSXAttribute':
      return ATTRIBUTES.test(String((node.name as Node).name));
    case 'Property':
      return (node.key as Node).name === 'busyReason';
    default:
      return /^(Import|TSType|TSInterface|TSLiteral|ExportAll)/.test(type);
  }
}

/** `log.error('page failed')` or `context.log.error('page failed')`. */
function isLog({ object }: Node): boolean {
  return isNode(object) && [object.name, isNode(object.property) && object.property.name].includes('log');
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}
