import MagicString from 'magic-string';
import { type Plugin, parseSync } from 'vite';
import { compileEnglish } from '../catalogues/catalogue.ts';
import type { BuiltMessage } from '../translate.ts';
import { type BuiltCatalogues, buildCatalogues, isBuilt, messageKey } from './built-catalogues.ts';
import { findProblems, readSources } from './catalogue-files.ts';
import { catalogueOf, resolveSource } from './message-groups.ts';
import { readMessages } from './read-messages.ts';

const LOADER = '#web/language/load-messages.ts';

/**
 * Compiles the messages in built code, writes the catalogues of the other languages, and has the catalogue of a module
 * that is loaded on demand loaded with its code.
 * @param entries the entry of each host's pages, from the top of the project
 */
export function messagesPlugin(entries: Readonly<Record<string, string>>): Plugin {
  let catalogues: BuiltCatalogues;
  return {
    name: 'messages',
    apply: 'build',
    config() {
      const problems = findProblems(readSources());
      if (problems.length > 0) throw new Error(problems.join('\n'));
      catalogues = buildCatalogues(entries);
      return { define: { MESSAGES_FOLDER: JSON.stringify(`/${catalogues.folder}`) } };
    },
    transform: transformSources(compileMessages, (built, id, code) =>
      loadWithMessages(built, { id, code, names: catalogues.names }),
    ),
    generateBundle() {
      if (this.environment.name !== 'client') return;
      for (const [name, source] of catalogues.files) {
        this.emitFile({ type: 'asset', fileName: `${catalogues.folder}/${name}`, source });
      }
    },
  };
}

/** Compiles messages only: for a script that is built by itself. */
export function compilePlugin(): Plugin {
  return { name: 'compiled-messages', transform: transformSources(compileMessages) };
}

type Rewrite = (built: MagicString, id: string, code: string) => void;

function transformSources(...rewrites: readonly Rewrite[]): NonNullable<Plugin['transform']> {
  return {
    filter: { id: /\/src\/.*\.tsx?$/ },
    order: 'pre',
    handler(code, id) {
      const built = new MagicString(code);
      for (const rewrite of rewrites) rewrite(built, id, code);
      return built.hasChanged() ? { code: built.toString(), map: built.generateMap() } : null;
    },
  };
}

/** A text without placeholders and context stays as it is. */
function compileMessages(built: MagicString, id: string, code: string): void {
  for (const { text, start, end } of readMessages(id, code)) {
    if (!isBuilt(text)) continue;
    const message: BuiltMessage = [messageKey(text), compileEnglish(text)];
    built.overwrite(start, end, JSON.stringify(message));
  }
}

/** `import('./pay-step.tsx')` becomes `withMessages('tickets/pay/pay-step', import('./pay-step.tsx'))`. */
function loadWithMessages(
  built: MagicString,
  { id, code, names }: { id: string; code: string; names: ReadonlySet<string> },
): void {
  if (!code.includes('import(')) return;
  let hasScreens = false;
  for (const { start, end, moduleRequest } of parseSync(id, code).module.dynamicImports) {
    const [path] = resolveSource(code.slice(moduleRequest.start + 1, moduleRequest.end - 1), id);
    const name = path === undefined ? null : catalogueOf(path);
    if (name === null || !names.has(name)) continue;
    built.appendLeft(start, `withMessages(${JSON.stringify(name)}, `).appendRight(end, ')');
    hasScreens = true;
  }
  if (hasScreens) built.prepend(`import { withMessages } from '${LOADER}';\n`);
}
