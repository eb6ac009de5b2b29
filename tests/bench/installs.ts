import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { chromium, type Page } from 'playwright';
import { HOSTS } from '#contract/hosts.ts';
import { servedHosts } from '#contract/served-hosts.ts';
import { WORKER_PATH } from '#contract/worker-messages.ts';
import { BROWSER_FLAGS } from '../../e2e/support/find-browser.ts';
import { atMost, type Goal } from './goal.ts';
import type { Product } from './product.ts';

const KB = 1024;
/** How often settings and version are asked for, each time under another address. */
const FETCHES = 1000;
const INSTALLED_WITHIN_MS = 30_000;

type Installed = { packedBytes: number; bytesOnDisk: number };

/** The size of the worker's caches, and that they keep one copy of repeated requests. */
export async function measureInstalls({
  product,
  browser,
}: {
  product: Product;
  browser: string;
}): Promise<Goal[]> {
  const opened = await chromium.launch({ executablePath: browser, args: BROWSER_FLAGS });
  try {
    const goals: Goal[] = [];
    for (const host of HOSTS) {
      const page = await (await opened.newContext()).newPage();
      const { subdomain, kilobytes } = servedHosts[host];
      await page.goto(product.origin(subdomain));
      const { packedBytes, bytesOnDisk } = await weigh(page);
      const inKb = { unit: 'KB', digits: 0 };
      goals.push(
        atMost(`7 all that the worker installs: ${host}`, packedBytes / KB, { must: 450, aim: 300 }, inKb),
        atMost(
          `G1 precache as transferred: ${host}`,
          packedBytes / KB,
          { must: kilobytes.installed, aim: 250 },
          inKb,
        ),
        atMost(`G1 precache on disk: ${host}`, bytesOnDisk / KB, { must: 1100, aim: 800 }, inKb),
        atMost(
          `G2 the worker’s script, gzip: ${host}`,
          (await weighWorker(product, subdomain)) / 1000,
          { must: 8, aim: 6 },
          { unit: 'kB', digits: 1 },
        ),
      );
      await page.reload();
      const most = await countCopies(page, product);
      const name = `G19 kept copies after ${FETCHES} fetches: ${host}`;
      goals.push(atMost(name, most, { must: 1, aim: 1 }, { unit: '', digits: 0 }));
      await page.context().close();
    }
    return goals;
  } finally {
    await opened.close();
  }
}

/** Asks for every file the worker keeps as a browser asks, for what it weighs packed. */
async function weigh(page: Page): Promise<Installed> {
  await page.waitForFunction(
    async () => {
      const registration = await navigator.serviceWorker.ready;
      return registration.active?.state === 'activated';
    },
    undefined,
    { timeout: INSTALLED_WITHIN_MS },
  );
  return page.evaluate(async () => {
    const installed = { packedBytes: 0, bytesOnDisk: 0 };
    const seen = new Set<string>();
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const { url } of await cache.keys()) {
        if (!url.startsWith(location.origin) || seen.has(url)) continue;
        seen.add(url);
        // A unique address bypasses all caches.
        const asked = `${url}${url.includes('?') ? '&' : '?'}weigh=${crypto.randomUUID()}`;
        await (await fetch(asked, { cache: 'no-store' })).arrayBuffer();
        const entry = performance.getEntriesByName(asked).at(-1) as PerformanceResourceTiming | undefined;
        installed.packedBytes += entry?.encodedBodySize ?? 0;
        installed.bytesOnDisk += entry?.decodedBodySize ?? 0;
      }
    }
    return installed;
  });
}

/** Each host's script says where it runs, and else they are the same. */
async function weighWorker(product: Product, subdomain: string): Promise<number> {
  const { status, data } = await product.call('GET', WORKER_PATH, {
    headers: { host: new URL(product.origin(subdomain)).host },
  });
  if (status !== 200) throw new Error(`The worker's script of ${subdomain} answered ${status}.`);
  return gzipSync(String(data)).length;
}

async function countCopies(page: Page, product: Product): Promise<number> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  const settings = `${product.origin('storage')}/public/settings/web.json`;
  await page.evaluate(
    async ({ settings, count }) => {
      for (let turn = 0; turn < count; turn += 1) {
        const stamp = Date.now() + turn;
        await Promise.all([fetch(`${settings}?t=${stamp}`), fetch(`/version.txt?t=${stamp}`)]);
      }
    },
    { settings, count: FETCHES },
  );
  // The worker writes behind the answers.
  await delay(500);
  return page.evaluate(async () => {
    const paths: string[] = [];
    for (const name of await caches.keys()) {
      for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname);
    }
    return Math.max(
      ...['/public/settings/web.json', '/version.txt'].map(
        (path) => paths.filter((each) => each === path).length,
      ),
    );
  });
}
