import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type NodePath, parseSync, traverse, type types } from '@babel/core';
import type { Plugin, Rolldown } from 'vite';

/** Names that the bundler does not choose. */
const IMPORT = '__importChunk';
const META = '__meta';

/** Replaces a part of a text. */
type Edit = { start: number; end: number; text: string };
type Chunk = Pick<Rolldown.OutputChunk, 'fileName' | 'code' | 'imports'>;

/**
 * Turns the chunks into classic scripts that `chunk-loader.ts` evaluates. Browsers keep the compiled code of classic
 * scripts beside the worker's copies and read it at every start. Chromium does not read that of modules.
 */
export function classicScriptsPlugin(): Plugin {
  return {
    name: 'classic-scripts',
    enforce: 'post',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    // The names of the files contain a hash of what the bundler wrote, before it is changed here.
    augmentChunkHash: () =>
      createHash('sha256')
        .update(readFileSync(import.meta.filename))
        .digest('hex'),
    generateBundle: {
      // After Vite has looked for imports in the code.
      order: 'post',
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
        refuseCycles(new Map(chunks.map((chunk) => [chunk.fileName, chunk])));
        for (const chunk of chunks) chunk.code = toClassicScript(chunk);
      },
    },
  };
}

/** @throws {Error} if a script would wait for one that waits for it */
export function refuseCycles(chunks: ReadonlyMap<string, Pick<Chunk, 'imports'>>): void {
  const done = new Set<string>();
  const visit = (file: string, importers: readonly string[]) => {
    if (importers.includes(file))
      throw new Error(`Chunks import each other: ${[...importers, file].join(' > ')}`);
    if (done.has(file)) return;
    for (const imported of chunks.get(file)?.imports ?? []) visit(imported, [...importers, file]);
    done.add(file);
  };
  for (const file of chunks.keys()) visit(file, []);
}

/**
 * `import{a as b}from"./c.js";d(b);export{d as e}` becomes
 * `appChunks.push(["./d.js",["./c.js"],(function([{a:b}]){d(b);return{e:d}})])`.
 * @throws {Error} if an exported variable is assigned a second time, because importers get its value once, or if the
 *   chunk waits for a promise before it is evaluated
 */
export function toClassicScript({ fileName, code }: Pick<Chunk, 'fileName' | 'code'>): string {
  const ast = parseSync(code, {
    babelrc: false,
    configFile: false,
    sourceType: 'module',
    filename: fileName,
  });
  if (ast === null) throw new Error(`${fileName} has no code.`);
  const edits: Edit[] = [];
  const files: string[] = [];
  const parameters: string[] = [];
  const exported: string[] = [];
  const replace = ({ start, end }: types.Node, text: string) =>
    edits.push({ start: start ?? 0, end: end ?? 0, text });
  traverse(ast, {
    ImportDeclaration({ node }) {
      files.push(node.source.value);
      parameters.push(toPattern(node));
      replace(node, '');
    },
    ExportNamedDeclaration(path) {
      for (const { exported: name, local } of listExports(path)) exported.push(`${name}:${local}`);
      replace(path.node, '');
    },
    'ExportDefaultDeclaration|ExportAllDeclaration': ({ node }: NodePath) => {
      throw new Error(`${fileName} has an export of the type ${node.type}.`);
    },
    AwaitExpression(path) {
      if (path.getFunctionParent() === null) throw new Error(`${fileName} awaits outside of a function.`);
    },
    Import: ({ node }) => void replace(node, IMPORT),
    MetaProperty({ node }) {
      if (node.meta.name === 'import') replace(node, META);
    },
  });
  const body = applyEdits(code, edits);
  const used = body.includes(META) ? [IMPORT, META] : body.includes(IMPORT) ? [IMPORT] : [];
  const names = [`[${parameters.join()}]`, ...used];
  const file = `./${basename(fileName)}`;
  return `"use strict";(self.appChunks??=[]).push([${JSON.stringify(file)},${JSON.stringify(files)},(function(${names.join()}){${body};return{${exported.join()}}})]);\n`;
}

function toPattern({ specifiers }: types.ImportDeclaration): string {
  const names = specifiers.map((specifier) => {
    if (specifier.type !== 'ImportSpecifier') throw new Error(`An import of the type ${specifier.type}.`);
    return `${nameOf(specifier.imported)}:${specifier.local.name}`;
  });
  return names.length === 0 ? '' : `{${names.join()}}`;
}

function listExports({ node, scope }: NodePath<types.ExportNamedDeclaration>) {
  if (node.declaration || node.source) throw new Error('An export that is not a list of names.');
  return node.specifiers.map((specifier) => {
    if (specifier.type !== 'ExportSpecifier') throw new Error(`An export of the type ${specifier.type}.`);
    const local = specifier.local.name;
    if (scope.getBinding(local)?.constantViolations.length !== 0)
      throw new Error(`The exported variable ${local} is assigned again.`);
    return { exported: nameOf(specifier.exported), local };
  });
}

function nameOf(node: types.Identifier | types.StringLiteral): string {
  return node.type === 'Identifier' ? node.name : JSON.stringify(node.value);
}

function applyEdits(code: string, edits: readonly Edit[]): string {
  let text = '';
  let from = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    text += code.slice(from, edit.start) + edit.text;
    from = edit.end;
  }
  return text + code.slice(from);
}
