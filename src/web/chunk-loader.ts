import { TRUSTED_CHUNKS } from '#contract/trusted-types.ts';

/*
 * Loads the app's chunks, which the build turns into classic scripts (`build/classic-scripts.ts`). The file of the app's
 * entry begins with it.
 */

type Exports = Record<string, unknown>;
type ImportChunk = (file: string) => Promise<Exports>;
/** What the script of a chunk passes: its own address, the files it imports, relative to that, and its code. */
type Definition = [
  url: string,
  files: string[],
  evaluate: (imported: Exports[], importChunk: ImportChunk, meta: { url: string }) => Exports,
];
type Chunk = {
  definition: Promise<Definition>;
  define: (definition: Definition) => void;
  fail: (error: Error) => void;
  /** Present once the code has run. */
  exports?: Exports;
  evaluation?: Promise<Exports>;
};
type Policy = { createScriptURL: (url: string) => string };

const entry = (document.currentScript as HTMLScriptElement).src;
const chunks = new Map<string, Chunk>();
const trustedScript = createPolicy();

// Scripts of the page that ran earlier have left their definitions in an array.
const { appChunks = [] } = window as { appChunks?: Definition[] };
Object.assign(window, { appChunks: { push: defineChunk } });
for (const definition of appChunks) {
  defineChunk(definition);
  evaluateAtOnce(definition);
}

function defineChunk(definition: Definition): void {
  const [url, files] = definition;
  const chunk = chunks.get(url) ?? createChunk(url);
  chunk.define(definition);
  // They are loaded at the same time, and evaluated one after the other.
  for (const file of files) requestChunk(resolve(file, url));
  if (url === entry && !evaluateAtOnce(definition)) importChunk(url).catch(reportError);
}

/**
 * Like a script without imports: an error is the script's own, and the page's parser waits.
 * @returns whether all imports were there
 */
function evaluateAtOnce(definition: Definition): boolean {
  const [url, files] = definition;
  const imported = files.map((file) => chunks.get(resolve(file, url))?.exports);
  if (imported.includes(undefined)) return false;
  Object.assign(chunks.get(url) as Chunk, { exports: evaluate(definition, imported as Exports[]) });
  return true;
}

function importChunk(url: string): Promise<Exports> {
  const chunk = requestChunk(url);
  chunk.evaluation ??= evaluateInOrder(url, chunk);
  return chunk.evaluation;
}

/** The imports come first, in their order, as with modules. */
async function evaluateInOrder(url: string, chunk: Chunk): Promise<Exports> {
  try {
    const definition = await chunk.definition;
    const imported: Exports[] = [];
    for (const file of definition[1]) imported.push(await importChunk(resolve(file, url)));
    chunk.exports ??= evaluate(definition, imported);
    return chunk.exports;
  } catch (error) {
    // The next import tries again, perhaps with a connection.
    chunks.delete(url);
    throw error;
  }
}

function evaluate([url, , run]: Definition, imported: Exports[]): Exports {
  return run(imported, (file) => importChunk(resolve(file, url)), { url });
}

function requestChunk(url: string): Chunk {
  const known = chunks.get(url);
  if (known) return known;
  const chunk = createChunk(url);
  const fail = () => chunk.fail(new TypeError(`Failed to fetch dynamically imported module: ${url}`));
  // A preload that failed answers the first request with its failure.
  insertScript(url, fail, () => insertScript(url, fail, fail));
  return chunk;
}

/** @param onLoad without effect on a chunk that is defined; a captive portal's page loads, too */
function insertScript(url: string, onLoad: () => void, onError: () => void): void {
  const script = document.createElement('script');
  // As its preload, which would be requested again otherwise.
  script.crossOrigin = 'anonymous';
  script.src = trustedScript(url);
  script.addEventListener('load', onLoad);
  script.addEventListener('error', onError);
  document.head.append(script);
}

function createChunk(url: string): Chunk {
  const chunk = {} as Chunk;
  chunk.definition = new Promise((define, fail) => Object.assign(chunk, { define, fail }));
  // An import handles the failure.
  chunk.definition.catch(() => undefined);
  chunks.set(url, chunk);
  return chunk;
}

function resolve(file: string, url: string): string {
  return new URL(file, url).href;
}

/** Only files of this build, in browsers with trusted types. */
function createPolicy(): (url: string) => string {
  const { trustedTypes } = window as {
    trustedTypes?: { createPolicy: (name: string, policy: Policy) => Policy };
  };
  const own: Policy = {
    createScriptURL(url) {
      if (!url.startsWith(resolve('.', entry))) throw new TypeError(url);
      return url;
    },
  };
  const policy = trustedTypes?.createPolicy(TRUSTED_CHUNKS, own) ?? own;
  return (url) => policy.createScriptURL(url);
}
