import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const sources = readdirSync('sw')
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, text: readFileSync(`sw/${name}`, 'utf8') }));

test('the worker has no module state, because it may be stopped between any two events', () => {
  const changeable = sources.filter(
    ({ text }) =>
      /^(export )?(let|var) /m.test(text) || /^(export )?const \w+ = new (Map|Set|WeakMap)\(\)/m.test(text),
  );
  expect(changeable.map(({ name }) => name)).toEqual([]);
});

test('all requests are sent in one place, which sets a time limit', () => {
  const fetching = sources.filter(({ text }) => /\bfetch\(|\.add(All)?\(/.test(withoutTypes(text)));
  expect(fetching.map(({ name }) => name).toSorted()).toEqual(['network.ts', 'sw.ts']);
  expect(sources.find(({ name }) => name === 'network.ts')?.text.match(/context\.fetch\(/g)).toHaveLength(1);
});

test('the worker never skips waiting by itself, and never claims tabs that were opened without it', () => {
  const all = sources.map(({ text }) => text).join('\n');
  expect(all.match(/skipWaiting\(\)/g)).toHaveLength(1);
  expect(all).not.toMatch(/clients\.claim/);
});

/** Type declarations of `fetch` are not calls. */
function withoutTypes(text: string): string {
  return text.replace(/^ {2}fetch\(.*\): Promise<Response>;$/gm, '');
}
