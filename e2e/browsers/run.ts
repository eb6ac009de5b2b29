import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startProduct } from '#tests/bench/product.ts';
import { root } from '#tests/process/server-process.ts';
import { freePort } from '#tests/setup/engine.ts';
import { oldChromium } from './chromium-engine.ts';
import { firefox } from './firefox-engine.ts';
import { openGateway } from './gateway.ts';
import { paths } from './paths.ts';
import { type Output, type Site, walkPaths } from './walk.ts';
import { webKit } from './webkit-engine.ts';

/*
 * `npm run browsers`: the main paths in the engines that the browser tests do not run in. An engine that is not
 * installed is skipped. `--only firefox,webkit` picks some of them. Exits with 1 when a path failed.
 */

const ENGINES = { firefox, webkit: webKit, chromium: oldChromium };
const PICTURES = join(root, 'test-results/browsers');

const names = Object.keys(ENGINES) as (keyof typeof ENGINES)[];
const { values } = parseArgs({ options: { only: { type: 'string', default: names.join() } } });
const chosen = values.only.split(',');
const unknown = chosen.filter((name) => !(name in ENGINES));
if (unknown.length > 0) {
  process.stderr.write(`--only takes ${names.join(', ')}, not ${unknown.join(', ')}.\n`);
  process.exit(2);
}

const output: Output = {
  print: (line) => void process.stdout.write(`${line}\n`),
  savePicture(name, png) {
    mkdirSync(PICTURES, { recursive: true });
    const file = join(PICTURES, `${name.replaceAll(/[^\w.-]+/g, '-')}.png`);
    writeFileSync(file, png);
    return file;
  },
};

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
let failures = 0;
try {
  for (const name of names.filter((name) => chosen.includes(name)))
    failures += await walkPaths({ engine: ENGINES[name], paths, site }, output);
} finally {
  await gateway.disconnect();
  await product.stop();
}
// A browser that hangs would keep the process.
process.exit(failures === 0 ? 0 : 1);
