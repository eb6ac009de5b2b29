import { TRUSTED_CHUNKS } from '#contract/trusted-types.ts';

/*
 * Loads and evaluates the app's chunks, which the build turns into classic scripts (`build/classic-scripts.ts`). It is
 * the end of each host's start script (`build/start-script.ts`), after the chunks that all screens of the host need.
 */

/** The chunk that starts the app. The build declares it around this code. */
declare const ENTRY: string;
/** What chunks outside of the start script import that is outside, too, by the chunk's file. */
declare const IMPORTS: Record<string, string[]>;

type Exports = Record<string, unknown>;
type ImportChunk = (file: string) => Promise<Exports>;
/** What the script of a chunk passes: its file, the files it imports, both as `./name.js`, and its code. */
type Definition = [
  file: string,
  files: string[],
  evaluate: (imported: Exports[], importChunk: ImportChunk, meta: { url: string }) => Exports,
];
type Chunk = {
  /** Present once the script has run. */
  definition?: Definition;
  defined: Promise<Definition>;
  define: (definition: Definition) => void;
  fail: (error: Error) => void;
  /** Resolves once everything that it imports is defined too. */
  loaded?: Promise<void>;
  /** Present once the code has run. */
  exports?: Exports;
};
type Policy = { createScriptURL: (url: string) => string };

const { src: own } = document.currentScript as HTMLScriptElement;
const chunks = new Map<string, Chunk>();
const trustedScript = createPolicy();

// Scripts that ran earlier have left their definitions in an array.
const { appChunks = [] } = window as { appChunks?: Definition[] };
Object.assign(window, { appChunks: { push: defineChunk } });
for (const definition of appChunks) defineChunk(definition);
// Not called by the start script, which V8 would parse again for the stack of an error.
queueMicrotask(() => evaluate(ENTRY));

function defineChunk(definition: Definition): void {
  const chunk = chunks.get(definition[0]) ?? createChunk(definition[0]);
  chunk.definition = definition;
  chunk.define(definition);
}

async function importChunk(file: string): Promise<Exports> {
  await loadChunk(file);
  return evaluate(file);
}

function loadChunk(file: string): Promise<void> {
  const chunk = requestChunk(file);
  chunk.loaded ??= loadWithImports(file, chunk);
  return chunk.loaded;
}

async function loadWithImports(file: string, chunk: Chunk): Promise<void> {
  try {
    const [, files] = await chunk.defined;
    await Promise.all(files.map(loadChunk));
  } catch (error) {
    // The next import tries again, perhaps with a connection.
    chunks.delete(file);
    throw error;
  }
}

/** The imports come first, in their order, as with modules. All of them are defined. */
function evaluate(file: string): Exports {
  const chunk = chunks.get(file) as Chunk;
  const [, files, run] = chunk.definition as Definition;
  chunk.exports ??= run(files.map(evaluate), importChunk, { url: resolve(file) });
  return chunk.exports;
}

function requestChunk(file: string): Chunk {
  const known = chunks.get(file);
  if (known) return known;
  const url = resolve(file);
  const chunk = createChunk(file);
  // At the same time, and not only once the script has named them.
  IMPORTS[file]?.forEach(requestChunk);
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

function createChunk(file: string): Chunk {
  const chunk = {} as Chunk;
  chunk.defined = new Promise((define, fail) => Object.assign(chunk, { define, fail }));
  // An import handles the failure.
  chunk.defined.catch(() => undefined);
  chunks.set(file, chunk);
  return chunk;
}

function resolve(file: string): string {
  return new URL(file, own).href;
}

/** Only files of this build, in browsers with trusted types. */
function createPolicy(): (url: string) => string {
  const { trustedTypes } = window as {
    trustedTypes?: { createPolicy: (name: string, policy: Policy) => Policy };
  };
  const policy: Policy = {
    createScriptURL(url) {
      if (!url.startsWith(resolve('.'))) throw new TypeError(url);
      return url;
    },
  };
  const trusted = trustedTypes?.createPolicy(TRUSTED_CHUNKS, policy) ?? policy;
  return (url) => trusted.createScriptURL(url);
}
