import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserName, CompatStatement, SupportStatement } from '@mdn/browser-compat-data';
import { parse } from 'acorn';
import { ancestor } from 'acorn-walk';
import postcss, { type AnyNode, type Container, type Declaration, type Document } from 'postcss';
import { supportedBrowsers } from '#contract/supported-browsers.ts';

/*
 * What scripts and styles use that the oldest supported browsers lack, by MDN's browser compatibility data.
 */

/** A feature of the web with those it consists of; `__compat` says where it is supported. */
type Feature = { [part: string]: Feature } & { __compat?: CompatStatement };

type Data = {
  api: Feature;
  javascript: { builtins: Feature };
  css: Record<'at-rules' | 'properties' | 'selectors' | 'types', Feature>;
};

const file = createRequire(import.meta.url).resolve('@mdn/browser-compat-data');
const { api, javascript, css } = JSON.parse(readFileSync(file, 'utf8')) as Data;
const targets = Object.entries(supportedBrowsers).map(
  ([browser, version]) => [browser === 'ios' ? 'safari_ios' : (browser as BrowserName), version] as const,
);
/** The newest edition of JavaScript that every supported browser parses whole; tests/build says what that refuses. */
export const ECMA_VERSION = 2023;

const INSTANCES: Record<string, string> = {
  navigator: 'Navigator',
  document: 'Document',
  window: 'Window',
  self: 'Window',
  globalThis: 'Window',
  location: 'Location',
  history: 'History',
  performance: 'Performance',
  crypto: 'Crypto',
  caches: 'CacheStorage',
  screen: 'Screen',
};
const globals = new Map<string, Feature>([
  ...[api.Window, api, javascript.builtins].flatMap(partsOf),
  ...Object.entries(INSTANCES).map(([name, type]) => [name, api[type] ?? {}] as const),
]);
const methods = indexMethods();

/**
 * The APIs a script names that some supported browser lacks: globals (`Temporal`), members of globals
 * (`URL.canParse`), and methods called on anything else whose name means a newer one on every interface
 * (`showPopover`).
 * @throws {SyntaxError} for syntax newer than the supported browsers parse
 */
export function newerApis(script: string): string[] {
  const program = parse(script, { ecmaVersion: ECMA_VERSION, sourceType: 'module' });
  const declared = new Set<string>();
  const found = new Set<string>();
  const named: string[] = [];
  ancestor(program, {
    Pattern: (node) => void (node.type === 'Identifier' && declared.add(node.name)),
    Function: ({ id }) => void (id && declared.add(id.name)),
    Class: ({ id }) => void (id && declared.add(id.name)),
    Identifier: ({ name }) => void named.push(name),
    MemberExpression({ object, property, computed }) {
      const name = property.type === 'Identifier' && !computed ? property.name : literalOf(property);
      if (name === null) return;
      const owner = object.type === 'Identifier' ? globals.get(object.name) : undefined;
      const member = owner?.[`${name}_static`] ?? owner?.[name];
      if (object.type === 'Identifier' && member && isMissing([member])) found.add(`${object.name}.${name}`);
    },
    CallExpression({ callee }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier' || callee.computed)
        return;
      const { object, property } = callee;
      const isKnown = object.type === 'Identifier' && globals.has(object.name);
      if (!isKnown && isMissing(methods.get(property.name) ?? [])) found.add(property.name);
    },
  });
  for (const name of named) {
    const known = globals.get(name);
    if (known?.__compat && !declared.has(name) && isMissing([known])) found.add(name);
  }
  return [...found].toSorted();
}

/** The sources of all regular expressions of a script. */
export function regexSources(script: string): string[] {
  const sources: string[] = [];
  ancestor(parse(script, { ecmaVersion: ECMA_VERSION, sourceType: 'module' }), {
    Literal: (node) => void ('regex' in node && node.regex && sources.push(node.regex.pattern)),
    NewExpression: ({ callee, arguments: [source] }) => {
      if (callee.type === 'Identifier' && callee.name === 'RegExp' && source?.type === 'Literal')
        sources.push(String(source.value));
    },
  });
  return sources;
}

/**
 * The at-rules, properties, keywords, functions and selectors of a style sheet that some supported browser lacks.
 * Nothing inside of `@supports`, which is where newer ones belong.
 */
export function newerStyles(sheet: string): string[] {
  const found = new Set<string>();
  visit(postcss.parse(sheet));
  return [...found].toSorted();

  function check(label: string, candidates: readonly (Feature | undefined)[]): void {
    const known = candidates.filter((each) => each !== undefined);
    if (isMissing(known)) found.add(label);
  }

  function visit(container: Container | Document): void {
    for (const node of container.nodes ?? []) visitNode(node);
  }

  function visitNode(node: AnyNode): void {
    if (node.type === 'atrule') {
      if (node.name === 'supports') return;
      check(`@${node.name}`, [css['at-rules'][node.name]]);
      if (node.name === 'media' && /[<>]/.test(node.params))
        check('@media (a < b)', [css['at-rules'].media?.range_syntax]);
      visit(node);
    } else if (node.type === 'rule') {
      if (node.parent?.type === 'rule') check('nesting', [css.selectors.nesting]);
      for (const [, name] of node.selector.matchAll(/::?([a-z][a-z-]*)/g))
        if (name !== undefined) check(`:${name}`, [css.selectors[name]]);
      visit(node);
    } else if (node.type === 'decl' && !node.prop.startsWith('-') && !hasPrefixed(node)) {
      visitDeclaration(node.prop, node.value);
    } else if (node.type === 'decl') visitFunctions(node.value);
  }

  function visitDeclaration(property: string, value: string): void {
    const known = css.properties[property];
    check(property, [known]);
    for (const [word] of value.matchAll(/(?<![\w-])[a-z][a-z-]*(?![\w(-])/g))
      check(`${property}: ${word}`, [known?.[word]]);
    visitFunctions(value);
  }

  function visitFunctions(value: string): void {
    for (const [, name, from] of value.matchAll(/(?<![\w-])([a-z][a-z-]*)\((from\s)?/g)) {
      if (name === undefined) continue;
      const functions = functionsNamed(name);
      check(`${name}()`, functions);
      if (from)
        check(
          `${name}(from …)`,
          functions.map((each) => each.relative_syntax),
        );
    }
  }
}

/** A build that knows its targets writes the prefixed property beside the one they lack. */
function hasPrefixed({ parent, prop }: Declaration): boolean {
  return parent?.some((other) => other.type === 'decl' && other.prop === `-webkit-${prop}`) ?? false;
}

function functionsNamed(name: string): Feature[] {
  return [css.types, ...partsOf(css.types).map(([, group]) => group)].flatMap((group) => group[name] ?? []);
}

/** The instance members, under their names, of all interfaces that the supported browsers have. */
function indexMethods(): Map<string, Feature[]> {
  const index = new Map<string, Feature[]>();
  for (const [, owner] of [javascript.builtins, api].flatMap(partsOf)) {
    if (isMissing([owner])) continue;
    for (const [name, member] of partsOf(owner)) index.set(name, [...(index.get(name) ?? []), member]);
  }
  return index;
}

function partsOf(feature: Feature | undefined): [string, Feature][] {
  return Object.entries(feature ?? {}).filter((entry): entry is [string, Feature] => entry[0] !== '__compat');
}

/** True when all that a name can mean is missing in some supported browser; false for what is no known name. */
function isMissing(candidates: readonly Feature[]): boolean {
  const known = candidates.flatMap(({ __compat }) => __compat ?? []);
  return (
    known.length > 0 &&
    !known.some(({ support }) => targets.every(([browser, version]) => has(support[browser], version)))
  );
}

function has(statement: SupportStatement | undefined, version: string): boolean {
  return [statement ?? []]
    .flat()
    .some(({ version_added, version_removed, flags, prefix, alternative_name }) => {
      if (flags || prefix || alternative_name || typeof version_added !== 'string') return false;
      const isAdded = version_added !== 'preview' && compareVersions(version_added, version) <= 0;
      return (
        isAdded && !(typeof version_removed === 'string' && compareVersions(version_removed, version) <= 0)
      );
    });
}

/** Of two versions like `16.4` or `≤79`. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.replace('≤', '').split('.').map(Number));
  return (left?.[0] ?? 0) - (right?.[0] ?? 0) || (left?.[1] ?? 0) - (right?.[1] ?? 0);
}

function literalOf(node: { type: string; value?: unknown }): string | null {
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : null;
}
