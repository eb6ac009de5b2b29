import { afterEach, expect, test, vi } from 'vitest';

type Exports = Record<string, unknown>;
type ImportChunk = (file: string) => Promise<Exports>;
type Evaluate = (imported: Exports[], importChunk: ImportChunk) => Exports;

const FOLDER = 'https://my.example.com/assets/';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.resetModules();
  Reflect.deleteProperty(window, 'appChunks');
});

/**
 * Runs the loader as the end of a start script whose entry is defined. The scripts that it inserts are listed and never
 * requested.
 */
async function openLoader({ imports = {} }: { imports?: Record<string, string[]> } = {}) {
  const inserted: HTMLScriptElement[] = [];
  vi.spyOn(document.head, 'append').mockImplementation((script) => {
    inserted.push(script as HTMLScriptElement);
  });
  const src = `${FOLDER}start.js`;
  const own = Object.assign(document.createElement('script'), { src });
  vi.spyOn(document, 'currentScript', 'get').mockReturnValue(own);
  vi.stubGlobal('ENTRY', './entry.js');
  vi.stubGlobal('IMPORTS', imports);
  await import('#web/chunk-loader.ts');
  return {
    inserted,
    files: () => inserted.map(({ src }) => src.replace(FOLDER, './')),
    run: (file: string, files: string[], evaluate: Evaluate) => {
      define(file, files, evaluate);
      inserted.find(({ src }) => src === new URL(file, FOLDER).href)?.dispatchEvent(new Event('load'));
    },
  };
}

/** The loader of a page whose entry imports nothing, and what imports chunks for it. */
async function openPage(imports?: Record<string, string[]>) {
  let given: ImportChunk = () => Promise.reject();
  define('./entry.js', [], (_, importChunk) => {
    given = importChunk;
    return {};
  });
  const loader = await openLoader(imports && { imports });
  await tick();
  return { ...loader, importChunk: (file: string) => given(file) };
}

function define(file: string, files: string[], evaluate: Evaluate): void {
  const page = window as unknown as { appChunks?: unknown[] };
  page.appChunks ??= [];
  page.appChunks.push([file, files, evaluate]);
}

const tick = () => new Promise<void>((resolve) => setTimeout(resolve));

test('the entry runs after everything that it imports, whatever the order in the script', async () => {
  const order: string[] = [];
  let seen: Exports[] = [];
  define('./entry.js', ['./react.js', './base.js'], (imported) => {
    seen = imported;
    return {};
  });
  define('./base.js', ['./react.js'], ([react]) => {
    order.push('base');
    return { base: react };
  });
  define('./react.js', [], () => {
    order.push('react');
    return { react: 19 };
  });
  const { inserted } = await openLoader();
  await tick();
  expect(seen).toEqual([{ react: 19 }, { base: { react: 19 } }]);
  expect(order).toEqual(['react', 'base']);
  expect(inserted).toEqual([]);
});

test('an error of the entry is an error of the page, not a lost promise', async () => {
  const microtasks: (() => void)[] = [];
  vi.stubGlobal('queueMicrotask', (work: () => void) => microtasks.push(work));
  define('./entry.js', ['./a.js'], () => ({}));
  define('./a.js', [], () => {
    throw new Error('Broken');
  });
  await openLoader();
  expect(() => microtasks.at(-1)?.()).toThrow('Broken');
});

test('a chunk that the page has run before is not requested', async () => {
  define('./screen.js', ['./entry.js'], () => ({ screen: true }));
  const { inserted, importChunk } = await openPage();
  expect(await importChunk('./screen.js')).toEqual({ screen: true });
  expect(inserted).toEqual([]);
});

test('a chunk on demand is requested with what it imports, and evaluated after it, each once', async () => {
  const { files, importChunk, run } = await openPage({ './a.js': ['./b.js'], './b.js': ['./c.js'] });
  const order: string[] = [];
  const note = (name: string) => () => {
    order.push(name);
    return { name };
  };
  const both = Promise.all([importChunk('./a.js'), importChunk('./a.js')]);
  expect(files().toSorted()).toEqual(['./a.js', './b.js', './c.js']);
  run('./a.js', ['./b.js', './c.js'], note('a'));
  run('./c.js', [], note('c'));
  await tick();
  expect(order).toEqual([]);
  run('./b.js', ['./c.js'], note('b'));
  expect(await both).toEqual([{ name: 'a' }, { name: 'a' }]);
  expect(await importChunk('./a.js')).toEqual({ name: 'a' });
  expect(order).toEqual(['c', 'b', 'a']);
  expect(files()).toHaveLength(3);
});

test('a failed request is repeated once, then the import fails, and the next import asks again', async () => {
  const { inserted, files, importChunk, run } = await openPage();
  const failed = importChunk('./late.js');
  inserted[0]?.dispatchEvent(new Event('error'));
  expect(files()).toEqual(['./late.js', './late.js']);
  inserted[1]?.dispatchEvent(new Event('error'));
  await expect(failed).rejects.toThrow(`Failed to fetch dynamically imported module: ${FOLDER}late.js`);
  const again = importChunk('./late.js');
  run('./late.js', [], () => ({ late: true }));
  expect(await again).toEqual({ late: true });
});

test('an import fails with what it imports, and both are requested again', async () => {
  const { inserted, files, importChunk, run } = await openPage({ './late.js': ['./part.js'] });
  const failed = importChunk('./late.js');
  run('./late.js', ['./part.js'], () => ({ late: true }));
  for (const script of [...inserted]) if (script.src.endsWith('part.js')) fail(script);
  fail(inserted.at(-1));
  await expect(failed).rejects.toThrow('part.js');
  const again = importChunk('./late.js');
  expect(files().slice(-2).toSorted()).toEqual(['./late.js', './part.js']);
  run('./part.js', [], () => ({}));
  run('./late.js', ['./part.js'], () => ({ late: true }));
  expect(await again).toEqual({ late: true });
});

function fail(script: HTMLScriptElement | undefined): void {
  script?.dispatchEvent(new Event('error'));
}

test('a page that answers in place of a script fails the import', async () => {
  const { inserted, importChunk } = await openPage();
  const imported = importChunk('./late.js');
  inserted[0]?.dispatchEvent(new Event('load'));
  await expect(imported).rejects.toThrow('Failed to fetch dynamically imported module');
});

test('a chunk whose code fails is evaluated again by the next import', async () => {
  const { importChunk, run } = await openPage();
  let isBroken = true;
  const failed = importChunk('./late.js');
  run('./late.js', [], () => {
    if (isBroken) throw new Error('Broken');
    return { late: true };
  });
  await expect(failed).rejects.toThrow('Broken');
  isBroken = false;
  expect(await importChunk('./late.js')).toEqual({ late: true });
});

test('only files of the build are requested', async () => {
  const { inserted, importChunk } = await openPage();
  await expect(importChunk('https://elsewhere.example.com/assets/a.js')).rejects.toThrow('elsewhere');
  expect(inserted).toEqual([]);
});
