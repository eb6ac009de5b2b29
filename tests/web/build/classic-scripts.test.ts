// @vitest-environment node
import { expect, test } from 'vitest';
import { refuseCycles, toClassicScript } from '#web/build/classic-scripts.ts';

/** What the script of a chunk registers, once it has run. */
function define(code: string) {
  const definitions: [file: string, files: string[], evaluate: (...values: unknown[]) => unknown][] = [];
  new Function('self', toClassicScript({ fileName: 'assets/chunk.js', code }))({ appChunks: definitions });
  const [definition, ...others] = definitions;
  if (definition === undefined || others.length > 0) throw new Error('The script defines one chunk.');
  return definition;
}

test('a chunk registers its file, its imports in their order, and its code', () => {
  const [file, files, evaluate] = define(
    'import{a as b}from"./one.js";import"./style.js";import{c}from"./two.js";var d=b+c;function e(){return d}export{d as sum,e as f};',
  );
  expect(file).toBe('./chunk.js');
  expect(files).toEqual(['./one.js', './style.js', './two.js']);
  const { sum, f } = evaluate([{ a: 1 }, {}, { c: 2 }]) as { sum: number; f: () => number };
  expect([sum, f()]).toEqual([3, 3]);
});

test('imports on demand and the address of the module come from the loader', async () => {
  const [, , evaluate] = define('var a=()=>import("./late.js"),b=import.meta.url;export{a,b};');
  const exports = evaluate([], (file: string) => Promise.resolve(`${file} is loaded`), { url: 'here' });
  const { a, b } = exports as { a: () => Promise<unknown>; b: string };
  expect(await a()).toBe('./late.js is loaded');
  expect(b).toBe('here');
});

test('texts that look like imports and exports stay as they are', () => {
  const text = 'import("./x.js"); export{y}; import.meta.url';
  const [, , evaluate] = define(`var a=${JSON.stringify(text)};export{a};`);
  expect(evaluate([])).toEqual({ a: text });
});

test('code that works in modules only fails the build', () => {
  const convert = (code: string) => () => toClassicScript({ fileName: 'chunk.js', code });
  expect(convert('let a=1;function b(){a=2}export{a,b};')).toThrow(
    'The exported variable a is assigned again.',
  );
  expect(convert('var a=1;function b(a){a=2}export{a,b};')).not.toThrow();
  expect(convert('await 1;')).toThrow('chunk.js awaits outside of a function.');
  expect(convert('export default 1;')).toThrow('ExportDefaultDeclaration');
  expect(convert('export * from "./other.js";')).toThrow('ExportAllDeclaration');
  expect(convert('export{a}from"./other.js";')).toThrow('not a list of names');
  expect(convert('import*as a from"./other.js";a();')).toThrow('ImportNamespaceSpecifier');
});

test('chunks that import each other fail the build, also through a third one', () => {
  const chunks = (c: string[]) =>
    new Map([
      ['a.js', { imports: ['b.js', 'c.js'] }],
      ['b.js', { imports: ['c.js'] }],
      ['c.js', { imports: c }],
    ]);
  expect(() => refuseCycles(chunks(['a.js']))).toThrow('a.js > b.js > c.js > a.js');
  expect(() => refuseCycles(chunks([]))).not.toThrow();
});
