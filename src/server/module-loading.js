import * as modules from 'node:module';
import { fileURLToPath } from 'node:url';

// JavaScript, as main.js is: a TypeScript file that is loaded before the cache is open makes Node load its compiler for
// types, which costs 50 ms and 20 MB.

const { enableCompileCache, registerHooks } = modules;
// An older Node would end with a syntax error in the first TypeScript file. The exit code is that of a wrong environment.
if (registerHooks === undefined || !process.features.typescript) {
  process.stderr.write(`Node ${process.version} is too old. Install the version that package.json names.\n`);
  process.exit(78);
}

// Later starts reuse the compiled modules. If the folder is read-only, every start compiles them.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)));

/**
 * Packages and `#` paths, which resolve to the same file from every file of the product.
 * @type {Map<string, import('node:module').ResolveFnOutput>}
 */
const resolved = new Map();

// Node parses the `exports` of a package again for each import of it and each import inside it. Those of drizzle-orm
// have 180 KB, which costs half a second and 50 MB per start.
registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL = '' } = context;
    if (!parentURL.includes('/node_modules/')) {
      if (/^[./]|^[a-z]+:/.test(specifier)) return nextResolve(specifier, context);
      const resolution = resolved.get(specifier) ?? nextResolve(specifier, context);
      resolved.set(specifier, resolution);
      return { ...resolution, shortCircuit: true };
    }
    const isInside = specifier.startsWith('.') && /\/node_modules\/drizzle-orm\/.*\.js$/.test(parentURL);
    if (!isInside) return nextResolve(specifier, context);
    return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true };
  },
});

/**
 * The packages that the product has loaded, as it imports them.
 * @returns {string[]}
 */
export function listPackages() {
  return [...resolved.keys()].filter((specifier) => !specifier.startsWith('#'));
}
