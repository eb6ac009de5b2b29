import { build, type InlineConfig } from 'vite';

type Options = Required<Pick<NonNullable<InlineConfig['build']>, 'target' | 'minify'>>;

/** Builds a script and what it imports into one classic script, which waits for no other file. */
export async function buildStandalone(entry: string, options: Options): Promise<string> {
  const result = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    build: {
      ...options,
      write: false,
      lib: { entry, formats: ['iife'], name: 'standalone', fileName: () => 'standalone.js' },
    },
  });
  const [output] = [result].flat();
  if (output === undefined || !('output' in output)) throw new Error(`${entry} was not built.`);
  return output.output[0].code;
}
