import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseSync } from 'vite';
import { WORD, writeVariants } from './message-variants.ts';

type Node = { type: string; [key: string]: unknown };
export type ScreenText = { file: string; text: string };

/** The texts that the sources below a folder contain, one for each element, template and string literal. */
export function collectTexts(folder: string): ScreenText[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => {
      const path = join(folder, name);
      const { program } = parseSync(path, readFileSync(path, 'utf8'));
      return textsIn(program as unknown as Node).map((text) => ({ file: relative('.', path), text }));
    });
}

/** A text ends where its element ends, so that a sentence with a link or a bold word in it counts as one. */
function textsIn(node: Node): string[] {
  const texts: string[] = [];
  visit(node, (at) => {
    if (isForDevelopers(at)) return false;
    if (isMessage(at)) {
      const [message, ...values] = at.arguments as Node[];
      texts.push(...literalsIn(message).flatMap(writeVariants), ...values.flatMap(textsIn));
      return false;
    }
    const text = textOf(at);
    if (text === null) return true;
    texts.push(text.replace(/\s+/g, ' ').trim());
    // What the text holds in braces may be texts too, each shown instead of another.
    for (const inner of expressionsIn(at)) texts.push(...textsIn(inner));
    return false;
  });
  return texts.filter((text) => /\p{L}+ \p{L}/u.test(text));
}

function isMessage({ type, callee }: Node): boolean {
  return type === 'CallExpression' && ['t', 'rich', 'message'].includes(String((callee as Node).name));
}

function literalsIn(node: Node | undefined): string[] {
  const literals: string[] = [];
  if (node) {
    visit(node, ({ type, value }) => {
      if (type === 'Literal' && typeof value === 'string') literals.push(value);
      return true;
    });
  }
  return literals;
}

/** The text that a node shows, each expression in it counted as one word; null for a node that is no text. */
function textOf(node: Node): string | null {
  switch (node.type) {
    case 'JSXElement':
    case 'JSXFragment': {
      const children = node.children as Node[];
      const hasText = children.some(({ type, value }) => type === 'JSXText' && String(value).trim() !== '');
      return hasText ? children.map(childText).join('') : null;
    }
    case 'TemplateLiteral':
      return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join(WORD);
    case 'Literal':
      return typeof node.value === 'string' ? node.value : null;
    default:
      return null;
  }
}

function childText(child: Node): string {
  if (child.type === 'JSXText') return String(child.value);
  if (child.type !== 'JSXExpressionContainer') return textOf(child) ?? WORD;
  const { type, value } = child.expression as Node;
  return type === 'Literal' ? String(value) : WORD;
}

/** Attributes and expressions within a text. */
function expressionsIn(node: Node): Node[] {
  if (node.type === 'TemplateLiteral') return node.expressions as Node[];
  if (node.type !== 'JSXElement' && node.type !== 'JSXFragment') return [];
  const opening = node.openingElement as { attributes: Node[] } | undefined;
  const children = node.children as Node[];
  return [
    ...(opening?.attributes ?? []),
    ...children.flatMap((child) =>
      child.type === 'JSXExpressionContainer'
        ? (child.expression as Node).type === 'Literal'
          ? []
          : [child.expression as Node]
        : expressionsIn(child),
    ),
  ];
}

/** Paths of imports, types, queries of the database and messages of errors that no screen shows. */
function isForDevelopers({ type, ...node }: Node): boolean {
  if (type === 'TaggedTemplateExpression') return (node.tag as Node).name === 'sql';
  if (type === 'NewExpression') return (node.callee as Node).name === 'Error';
  return type.startsWith('Import') || type.startsWith('TSType') || type.startsWith('TSInterface');
}

function visit(node: Node, enter: (node: Node) => boolean): void {
  if (!enter(node)) return;
  for (const value of Object.values(node)) {
    const children = Array.isArray(value) ? value : [value];
    for (const child of children) if (isNode(child)) visit(child, enter);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}
