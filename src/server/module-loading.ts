import { enableCompileCache, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

// Later starts reuse the compiled modules. If the folder is read-only, every start compiles them.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)));

// Node parses the `exports` of a package again for each of its files. Those of drizzle-orm have 180 KB, which costs
// 0.4 s per start, so its relative imports are resolved here.
registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL = '' } = context;
    const isInside = specifier.startsWith('.') && /\/node_modules\/drizzle-orm\/.*\.js$/.test(parentURL);
    if (!isInside) return nextResolve(specifier, context);
    return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true };
  },
});
