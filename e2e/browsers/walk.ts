import type { BrowserDriver, Engine } from './driver.ts';
import type { Gateway } from './gateway.ts';
import type { Origins, Path } from './paths.ts';
import { Screen } from './screen.ts';

export type Site = { origins: Origins; gateway: Gateway };
export type Limits = { startMs: number; pathMs: number; closeMs: number };
export type Output = {
  print(line: string): void;
  /** @returns where the picture is */
  savePicture(name: string, png: Uint8Array): string;
};

const LIMITS: Limits = { startMs: 90_000, pathMs: 240_000, closeMs: 15_000 };

/**
 * Walks the paths in one engine, each in a browser with an empty profile. A failure in a browser is printed and
 * ends the path, and a browser that does not start ends the engine's turn.
 *
 * @returns how many paths failed
 */
export async function walkPaths(
  { engine, paths, site }: { engine: Engine; paths: readonly Path[]; site: Site },
  output: Output,
  limits: Limits = LIMITS,
): Promise<number> {
  let walked = 0;
  let failures = 0;
  try {
    const found = await engine.find();
    if ('obstacle' in found) {
      output.print(`${engine.name}: skipped, ${found.obstacle}`);
      return 0;
    }
    output.print(`${engine.name}:`);
    for (const path of paths) {
      const driver = await start(found, limits.startMs);
      if (!(await walk(path, driver, { name: engine.name, site, output, limits }))) failures += 1;
      walked += 1;
    }
    return failures;
  } catch (error) {
    const left = paths.length - walked;
    output.print(
      `  FAILED  ${engine.name} did not start, so ${left} paths are not walked\n${describe(error)}`,
    );
    return failures + left;
  }
}

async function start(engine: { start(): Promise<BrowserDriver> }, withinMs: number): Promise<BrowserDriver> {
  const starting = engine.start();
  try {
    return await within(withinMs, starting);
  } catch (error) {
    starting.then((late) => late.close()).catch(() => {});
    throw error;
  }
}

type Context = { name: string; site: Site; output: Output; limits: Limits };

async function walk(path: Path, driver: BrowserDriver, context: Context): Promise<boolean> {
  const { name, site, output, limits } = context;
  const startedAt = performance.now();
  try {
    await site.gateway.reconnect();
    site.gateway.changeAddress();
    await within(limits.pathMs, path.walk({ screen: new Screen(driver), ...site }));
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    output.print(`  passed  ${path.title} (${seconds} s, ${driver.version})`);
    return true;
  } catch (error) {
    output.print(`  FAILED  ${path.title} (${driver.version})\n${describe(error)}`);
    await within(limits.closeMs, showScreen(`${name} - ${path.title}`, driver, output)).catch((unseen) =>
      output.print(`    The screen could not be read: ${describe(unseen)}`),
    );
    return false;
  } finally {
    await within(limits.closeMs, driver.close()).catch((error) =>
      output.print(`    The browser could not be closed: ${describe(error)}`),
    );
  }
}

async function showScreen(name: string, driver: BrowserDriver, output: Output): Promise<void> {
  const address = await driver.evaluate('location.href');
  const text = await driver.evaluate('document.body.innerText');
  output.print(`    at ${address}, which shows:\n${text}`);
  output.print(`    picture: ${output.savePicture(name, await driver.screenshot())}`);
}

/** Every wait has a time limit, because a browser that hangs does not respond. */
async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`It took more than ${ms / 1000} s.`)), ms);
  return await Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\n    because: ${describe(error.cause)}`;
  return `    ${error.message}${cause}`;
}
