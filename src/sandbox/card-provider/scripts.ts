import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';

/** Modules of each script, ordered by their dependencies. */
const bundles = {
  'stripe.js': [
    'messages',
    'integration-error',
    'client',
    'challenge',
    'frame-element',
    'express-checkout',
    'elements-group',
    'confirming',
    'stripe',
  ],
  'frame.js': [
    'messages',
    'integration-error',
    'client',
    'card-rules',
    'appearance',
    'frame-fields',
    'wallet-button',
    'frame',
  ],
  'wallet.js': ['messages', 'wallet'],
  'three-d-secure.js': ['messages', 'three-d-secure'],
} as const;

export type ScriptName = keyof typeof bundles;

const made = new Map<ScriptName, Promise<string>>();

/**
 * Builds a browser script from its TypeScript sources, once per process: strips the types and joins the modules into
 * one function.
 */
export function browserScript(name: ScriptName): Promise<string> {
  const script = made.get(name) ?? join(name);
  made.set(name, script);
  return script;
}

async function join(name: ScriptName): Promise<string> {
  const parts = await Promise.all(bundles[name].map(readModule));
  return `(() => {\n'use strict';\n${parts.join('\n')}\n})();\n`;
}

async function readModule(module: string): Promise<string> {
  const source = await readFile(new URL(`browser/${module}.ts`, import.meta.url), 'utf8');
  return stripTypeScriptTypes(source)
    .replace(/^import\s[^;]*;$/gm, '')
    .replace(/^export /gm, '');
}
