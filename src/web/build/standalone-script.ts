import { createHash } from 'node:crypto';
import { build } from 'vite';

/** A script to inline into pages, with the hash that a Content-Security-Policy allows it by. */
export type InlineScript = { content: string; hash: string };

/** Builds a script and everything it imports into one classic script. */
export async function buildStandalone(
  entry: string,
  { target, minify }: { target: string | string[]; minify: boolean },
): Promise<InlineScript> {
  const result = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      target,
      minify,
      write: false,
      lib: { entry, formats: ['iife'], name: 'standalone', fileName: () => 'standalone.js' },
    },
  });
  const [output] = [result].flat();
  if (output === undefined || !('output' in output)) throw new Error(`${entry} was not built.`);
  const content = output.output[0].code.trim();
  if (/<\/script|<!--/i.test(content)) throw new Error(`${entry} cannot be inlined.`);
  return { content, hash: `sha256-${createHash('sha256').update(content).digest('base64')}` };
}
