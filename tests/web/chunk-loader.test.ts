import { afterEach, expect, test, vi } from 'vitest';

type Exports = Record<string, unknown>;
type Evaluate = (imported: Exports[], importChunk: (file: string) => Promise<Exports>) => Exports;

const FOLDER = 'https://my.example.com/assets/';
const ENTRY = `${FOLDER}entry.js`;

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.resetModules();
  Reflect.deleteProperty(window, 'appChunks');
});

/** Runs the loader as the beginning of the entry's file. The scripts that it inserts are listed and never requested. */
async function openLoader() {
  const inserted: HTMLScriptElement[] = [];
  vi.spyOn(document.head, 'append').mockImplementation((script) => {
    inserted.push(script as HTMLScriptElement);
  });
  vi.spyOn(document, 'currentScript', 'get').mockReturnValue(scriptOf(ENTRY));
  vi.stubGlobal('reportError', vi.fn());
  await import('#web/chunk-loader.ts');
  return {
    inserted,
    files: () => inserted.map(({ src }) => src.replace(FOLDER, '')),
    run: (file: string, files: string[], evaluate: Evaluate) => {
      push(file, files, evaluate);
      inserted.find(({ src }) => src === FOLDER + file)?.dispatchEvent(new Event('load'));
    },
  };
}

function scriptOf(src: string): HTMLScriptElement {
  return Object.assign(document.createElement('script'), { src });
}

function push(file: string, files: string[], evaluate: Evaluate): void {
  const page = window as unknown as { appChunks?: unknown[] };
  page.appChunks ??= [];
  page.appChunks.push([FOLDER + file, files.map((name) => `./${name}`), evaluate]);
}

const tick = () => new Promise<void>((resolve) => setTimeout(resolve));

test('the entry runs at once when the page has run what it imports', async () => {
  push('react.js', [], () => ({ react: 19 }));
  push('base.js', ['react.js'], ([react]) => ({ base: react }));
  const { inserted, run } = await openLoader();
  let seen: Exports[] = [];
  run('entry.js', ['react.js', 'base.js'], (imported) => {
    seen = imported;
    return {};
  });
  expect(seen).toEqual([{ react: 19 }, { base: { react: 19 } }]);
  expect(inserted).toEqual([]);
});

test('an error of the entry is an error of its script', async () => {
  const { run } = await openLoader();
  const fail = () => {
    throw new Error('Broken');
  };
  expect(() => run('entry.js', [], fail)).toThrow('Broken');
});

test('imports are requested at the same time, and evaluated in their order, each once', async () => {
  const { files, run } = await openLoader();
  const order: string[] = [];
  const note = (name: string) => () => {
    order.push(name);
    return { name };
  };
  run('entry.js', ['a.js', 'b.js'], note('entry'));
  expect(files()).toEqual(['a.js', 'b.js']);
  run('b.js', ['c.js'], note('b'));
  expect(files()).toEqual(['a.js', 'b.js', 'c.js']);
  run('c.js', [], note('c'));
  await tick();
  expect(order).toEqual([]);
  run('a.js', ['c.js'], note('a'));
  await tick();
  expect(order).toEqual(['c', 'a', 'b', 'entry']);
});

test('a file on demand is requested once for all who import it', async () => {
  const { files, run } = await openLoader();
  let importChunk: (file: string) => Promise<Exports> = () => Promise.reject();
  run('entry.js', [], (_, given) => {
    importChunk = given;
    return {};
  });
  const both = Promise.all([importChunk('./late.js'), importChunk('./late.js')]);
  run('late.js', [], () => ({ late: true }));
  expect(await both).toEqual([{ late: true }, { late: true }]);
  expect(await importChunk('./late.js')).toEqual({ late: true });
  expect(files()).toEqual(['late.js']);
});

test('a failed request is repeated once, then the import fails, and the next import asks again', async () => {
  const { inserted, files, run } = await openLoader();
  let importChunk: (file: string) => Promise<Exports> = () => Promise.reject();
  run('entry.js', [], (_, given) => {
    importChunk = given;
    return {};
  });
  const failed = importChunk('./late.js');
  inserted[0]?.dispatchEvent(new Event('error'));
  expect(files()).toEqual(['late.js', 'late.js']);
  inserted[1]?.dispatchEvent(new Event('error'));
  await expect(failed).rejects.toThrow(`Failed to fetch dynamically imported module: ${FOLDER}late.js`);
  const again = importChunk('./late.js');
  run('late.js', [], () => ({ late: true }));
  expect(await again).toEqual({ late: true });
});

test('a page that answers in place of a script fails the import', async () => {
  const { inserted, run } = await openLoader();
  let imported: Promise<Exports> = Promise.reject();
  imported.catch(() => undefined);
  run('entry.js', [], (_, importChunk) => {
    imported = importChunk('./late.js');
    return {};
  });
  inserted[0]?.dispatchEvent(new Event('load'));
  await expect(imported).rejects.toThrow('Failed to fetch dynamically imported module');
});

test('an entry whose import fails reports the error', async () => {
  const { run } = await openLoader();
  run('entry.js', ['a.js'], () => ({}));
  run('a.js', [], () => {
    throw new Error('Broken');
  });
  await vi.waitFor(() => expect(reportError).toHaveBeenCalledWith(new Error('Broken')));
});

test('only files of the build are requested', async () => {
  const { inserted, run } = await openLoader();
  let imported: Promise<Exports> = Promise.resolve({});
  run('entry.js', [], (_, importChunk) => {
    imported = (async () => importChunk('https://elsewhere.example.com/assets/a.js'))();
    return {};
  });
  await expect(imported).rejects.toThrow('elsewhere');
  expect(inserted).toEqual([]);
});
