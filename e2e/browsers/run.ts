import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProduct } from '#tests/bench/product.ts';
import { root } from '#tests/process/server-process.ts';
import { freePort } from '#tests/setup/engine.ts';
import type { BrowserDriver, Engine } from './driver.ts';
import { firefox } from './firefox-engine.ts';
import { type Gateway, openGateway } from './gateway.ts';
import { type Origins, type Path, paths } from './paths.ts';
import { Screen } from './screen.ts';
import { webKit } from './webkit-engine.ts';

/*
 * `npm run browsers`: the main paths in the engines that the browser tests do not run in. An engine that is not
 * installed is skipped. `--only NAME` picks one of `firefox`, `webkit`.
 */

const PICTURES = join(root, 'test-results/browsers');

type Start = () => Promise<BrowserDriver>;
type Site = { origins: Origins; gateway: Gateway };

const engines = chosenEngines();
const port = await freePort();
const product = await startProduct({ PUBLIC_PORT: String(port), TRUST_PROXY: '1' });
const gateway = await openGateway(port, product.port);
const site: Site = {
  origins: {
    tickets: `http://tickets.ferry.localhost:${port}`,
    portal: `http://my.ferry.localhost:${port}`,
  },
  gateway,
};
try {
  let failures = 0;
  for (const engine of engines) failures += await runEngine(engine, site);
  process.exitCode = failures === 0 ? 0 : 1;
} finally {
  await gateway.disconnect();
  await product.stop();
}

function chosenEngines(): Engine[] {
  const at = process.argv.indexOf('--only');
  const engines = [firefox, webKit];
  if (at === -1) return engines;
  const name = process.argv[at + 1];
  const chosen = engines.filter((engine) => engine.name.toLowerCase() === name);
  if (chosen.length === 0) throw new Error(`--only takes firefox or webkit, not "${name}".`);
  return chosen;
}

/** @returns how many paths failed */
async function runEngine(engine: Engine, site: Site): Promise<number> {
  const found = await engine.find();
  if ('obstacle' in found) {
    print(`${engine.name}: skipped, ${found.obstacle}`);
    return 0;
  }
  print(`${engine.name}:`);
  let failures = 0;
  for (const path of paths) {
    if (path.needsFrameTyping && engine.frameTypingObstacle !== null)
      print(`  skipped ${path.title}: ${engine.frameTypingObstacle}`);
    else if (!(await walk(engine.name, found.start, path, site))) failures += 1;
  }
  return failures;
}

/** Each path has a browser with an empty profile. */
async function walk(name: string, start: Start, path: Path, site: Site): Promise<boolean> {
  const startedAt = performance.now();
  const driver = await start();
  site.gateway.changeAddress();
  try {
    await path.walk({ screen: new Screen(driver), ...site });
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    print(`  passed  ${path.title} (${seconds} s, ${driver.version})`);
    return true;
  } catch (error) {
    print(`  FAILED  ${path.title} (${driver.version})`);
    console.error(error);
    const address = await driver.evaluate('location.href').catch(() => 'unknown');
    const text = await driver.evaluate('document.body.innerText').catch(() => 'unknown');
    print(`    at ${address}, which shows:\n${text}`);
    mkdirSync(PICTURES, { recursive: true });
    const file = join(PICTURES, `${name} - ${path.title}.png`.replaceAll(/[^\w.-]+/g, '-'));
    writeFileSync(file, await driver.screenshot());
    print(`    picture: ${file}`);
    return false;
  } finally {
    await driver.close();
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
