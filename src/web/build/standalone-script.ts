import { build } from 'vite';
import { compilePlugin } from '#messages/build/messages-plugin.ts';

/** Builds a script and everything it imports into one classic script, which waits for no other file. */
export async function buildStandalone(
  entry: string,
  { target, minify }: { target: string | string[]; minify: boolean },
): Promise<string> {
  const result = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins: [compilePlugin()],
    build: {
      target,
      minify,
      write: false,
      lib: { entry, formats: ['iife'], name: 'standalone', fileName: () => 'standalone.js' },
    },
  });
  const [output] = [result].flat();
  if (output === undefined || !('output' in output)) throw new Error(`${entry} was not built.`);
  return output.output[0].code;
}
