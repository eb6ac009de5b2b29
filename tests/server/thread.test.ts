import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { createWorkerThread } from '#server/core/thread.ts';

const folder = mkdtempSync(join(tmpdir(), 'thread-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('createWorkerThread', () => {
  test('runs work on one thread', async () => {
    const run = createThread('let count = 0; export const run = async () => { count += 1; return count; };');
    const counts = await Promise.all([run(''), run(''), run('')]);
    expect(counts.toSorted()).toEqual([1, 2, 3]);
  });

  test('rejects work that fails, and keeps the thread', async () => {
    const run = createThread(`
      let count = 0;
      export function run(input) {
        count += 1;
        if (input === 'fail') throw new Error('No such font.');
        return count;
      }`);
    await expect(run('fail')).rejects.toThrow('No such font.');
    expect(await run('')).toBe(2);
  });

  test('rejects work whose thread ends, and starts another for the next', async () => {
    const run = createThread("export const run = (input) => (input === 'end' ? process.exit(3) : 'done');");
    await expect(run('end')).rejects.toThrow();
    expect(await run('')).toBe('done');
  });

  test('rejects work if the script cannot be loaded, each time', async () => {
    const run = createThread("throw new Error('A package is missing.');");
    await expect(run('')).rejects.toThrow();
    await expect(run('')).rejects.toThrow();
  });

  test('starts another thread after one failed without work', async () => {
    const run = createThread(`
      export function run(input) {
        if (input === 'late') setTimeout(() => { throw new Error('late'); });
        return 'done';
      }`);
    await run('late');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await run('')).toBe('done');
  });
});

let scripts = 0;

function createThread(source: string): (input: string) => Promise<unknown> {
  scripts += 1;
  const file = join(folder, `script-${scripts}.mjs`);
  writeFileSync(file, source);
  return createWorkerThread<string, unknown>(pathToFileURL(file), { niceness: 0, idleMs: 1000 });
}
