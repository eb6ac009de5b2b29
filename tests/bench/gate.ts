import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import pg from 'pg';
import { type BrowserContext, type CDPSession, chromium, type Page } from 'playwright';
import { startCluster } from '#tests/setup/engine.ts';
import { filmCode } from '../../e2e/support/camera-film.ts';
import { BROWSER_FLAGS, findBrowser } from '../../e2e/support/find-browser.ts';
import { type SoldTicket, sellGateTickets } from './gate-tickets.ts';
import { atMost, type Goal } from './goal.ts';
import { startProduct } from './product.ts';
import { CPU_SLOWDOWN } from './shaped-link.ts';
import { figureOf, quantile, showFigure } from './stats.ts';
import { PHONE } from './visit.ts';

const TICKETS = 20_000;
/** Of them for the boat that is boarded. */
const ABOARD = 3000;
const PORT = 'MAD';
/** Scans with a connection: for longer than two minutes, in which the list is loaded four times. */
const SCANS = 200;
const SHIFT = 2000;
/** At the start and at the end of the shift, whose answers are compared. */
const SHIFT_PART = 200;
const SEARCHES = 20;
const DEMO_GATE = {
  email: 'gate@harborline.example',
  password: 'by ferry across the sound',
  key: 'HARBORLINEFERRYDEMO23456',
};
const TIMEOUT_MS = 60_000;

type Gate = {
  context: BrowserContext;
  page: Page;
  cdp: CDPSession;
  origin: string;
  /** A ticket of the boat that was not scanned yet. */
  next(): SoldTicket;
};

/** A gate of 20,000 tickets on a phone that computes four times slower, with and without a connection. */
export function measureGate(runs: number, report: (line: string) => void): Promise<Goal[]> {
  return withGate(async (gate) => {
    const { page, context } = gate;
    const packs = watchPacks(page);
    const ready: number[] = [];
    for (let run = 0; run < runs; run += 1) ready.push(await timeReady(gate));
    const bytes = Math.max(...packs);
    report(`list: ${showFigure(figureOf(ready))} ms until ready, ${(bytes / 1e6).toFixed(2)} MB`);
    const searches = await timeSearches(gate);
    report(`search: ${showTimes(searches)}`);
    const online = await scanMany(gate, SCANS);
    report(`with a connection: ${showTimes(online)}; lists of ${packs.join(', ')} bytes`);
    await context.setOffline(true);
    const offline = await scanMany(gate, SCANS);
    report(`without a connection: ${showTimes(offline)}`);
    await page.getByRole('button', { name: 'Start the camera' }).click();
    await page.locator('dialog[data-answer]').waitFor();
    const decoded: number[] = [];
    for (let run = 0; run < runs; run += 1) decoded.push(await timeFirstDecode(page));
    report(`without a connection, page open to first decode: ${showFigure(figureOf(decoded))} ms`);
    const ms = { unit: 'ms', digits: 0 };
    return [
      atMost('42 list of 20,000 tickets, compressed', bytes / 1e6, { must: 3, aim: 1.5 }, { unit: 'MB' }),
      atMost('42 list ready', figureOf(ready).median, { must: 3000, aim: 1500 }, ms),
      atMost('42 search, 95 of 100', percentile(searches, 0.95), { must: 100, aim: 50 }, ms),
      atMost('42 text to answer online, 95 of 100', percentile(online, 0.95), { must: 200, aim: 100 }, ms),
      atMost('42 text to answer offline, 95 of 100', percentile(offline, 0.95), { must: 200, aim: 100 }, ms),
      atMost(
        '42 page open to first decode, offline',
        figureOf(decoded).median,
        { must: 1500, aim: 1000 },
        ms,
      ),
    ];
  });
}

/** A shift of 2,000 scans: its end is compared with its start. */
export function measureGateShift(_runs: number, report: (line: string) => void): Promise<Goal[]> {
  return withGate(async (gate) => {
    await timeReady(gate);
    const { times, heapMb } = await workShift(gate);
    const [first, last] = [times.slice(0, SHIFT_PART), times.slice(-SHIFT_PART)];
    report(`shift of ${times.length} scans: ${showTimes(first)} at its start, ${showTimes(last)} at its end`);
    return [
      atMost(
        '42 answers at the end of a shift / at its start, 95 of 100',
        percentile(last, 0.95) / percentile(first, 0.95),
        { must: 1.2, aim: 1 },
        { note: `${percentile(last, 0.95).toFixed(0)} / ${percentile(first, 0.95).toFixed(0)} ms` },
      ),
      atMost(
        '42 memory at the end of a shift / at its start',
        heapMb.end / heapMb.start,
        { must: 1.2, aim: 1.05 },
        { note: `${heapMb.end.toFixed(1)} / ${heapMb.start.toFixed(1)} MB` },
      ),
    ];
  });
}

/** Signs the demo's gate in on a slow phone, at a port with 20,000 tickets. */
async function withGate(measure: (gate: Gate) => Promise<Goal[]>): Promise<Goal[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gangway-bench-gate-'));
  const cluster = await startCluster();
  try {
    const pool = new pg.Pool({ connectionString: cluster.url, max: 2 });
    const product = await startProduct({ DATABASE_URL: cluster.url });
    try {
      const sold = await sellGateTickets(pool, { port: PORT, count: TICKETS, aboard: ABOARD });
      const film = join(folder, 'film.y4m');
      filmCode(film, sold.splice(0, 1)[0]?.code ?? '');
      return await inBrowser(film, async (context) => {
        const page = await context.newPage();
        const cdp = await context.newCDPSession(page);
        const next = () => sold.splice(0, 1)[0] ?? fail('All tickets are scanned.');
        const gate: Gate = { context, page, cdp, origin: product.origin('staff'), next };
        await signIn(gate);
        await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
        return measure(gate);
      });
    } finally {
      await Promise.all([product.stop(), pool.end()]);
    }
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** With a camera that shows a film. */
async function inBrowser<Result>(
  film: string,
  work: (context: BrowserContext) => Promise<Result>,
): Promise<Result> {
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: [
      ...BROWSER_FLAGS,
      '--use-fake-device-for-media-stream',
      '--use-fake-ui-for-media-stream',
      `--use-file-for-fake-video-capture=${film}`,
    ],
  });
  try {
    const context = await browser.newContext({ ...PHONE, permissions: ['camera'], locale: 'en-US' });
    await context.addInitScript(installScanProbe);
    return await work(context);
  } finally {
    await browser.close();
  }
}

async function signIn({ page, origin }: Gate): Promise<void> {
  await page.goto(origin);
  await page.getByLabel('Email').fill(DEMO_GATE.email);
  await page.getByLabel('Password', { exact: true }).fill(DEMO_GATE.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const totp = new TOTP({
    algorithm: 'SHA1',
    digits: 6,
    period: 30,
    secret: Secret.fromBase32(DEMO_GATE.key),
  });
  await page.getByLabel('Code from your authenticator').fill(totp.generate());
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await page.evaluate((port) => {
    localStorage.setItem('gate-device', JSON.stringify({ port, name: 'Ramp 1' }));
  }, PORT);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
}

/** The bytes of each list, as they crossed the wire. */
function watchPacks(page: Page): number[] {
  const packs: number[] = [];
  page.on('requestfinished', (request) => {
    if (!new URL(request.url()).pathname.endsWith('/pack')) return;
    void request.sizes().then(({ responseBodySize }) => packs.push(responseBodySize));
  });
  return packs;
}

/** On a device without a list: the page is open, and its scripts are in the worker's cache. */
async function timeReady({ page, origin }: Gate): Promise<number> {
  await page.goto(origin);
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  await page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const deleting = indexedDB.deleteDatabase('gate');
        deleting.onsuccess = resolve;
        deleting.onerror = reject;
      }),
  );
  await page.goto(`${origin}/gate`);
  await page.getByText('List is up to date').waitFor({ timeout: TIMEOUT_MS });
  return page.evaluate(() => performance.now());
}

async function timeSearches({ page, next }: Gate): Promise<number[]> {
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.getByRole('searchbox').waitFor();
  const times: number[] = [];
  for (let search = 0; search < SEARCHES; search += 1) {
    const { name, reference } = next();
    const text = search % 2 === 0 ? name : reference;
    times.push(
      await page.evaluate(([typed, wanted]) => globalThis.__gate.search(typed, wanted), [
        text,
        reference,
      ] as const),
    );
    await page.waitForTimeout(200);
  }
  await page.getByRole('button', { name: 'Scan', exact: true }).click();
  return times;
}

/** As a hand scanner does, at irregular intervals, so that some scans meet whatever else the page does. */
async function scanMany({ page, next }: Gate, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let scan = 0; scan < count; scan += 1) {
    times.push(await page.evaluate((code) => globalThis.__gate.scan(code), next().code));
    await page.waitForTimeout(200 + ((scan * 137) % 700));
  }
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  return times;
}

/** The camera was allowed before, so it starts by itself. */
async function timeFirstDecode(page: Page): Promise<number> {
  await page.reload();
  await page.locator('dialog[data-answer]').waitFor({ timeout: TIMEOUT_MS });
  const shownAt = await page.evaluate(() => globalThis.__gate.firstAnswerAt());
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  return shownAt;
}

async function workShift({ page, cdp, next }: Gate) {
  const readHeapMb = async () => {
    await cdp.send('HeapProfiler.collectGarbage');
    return (await cdp.send('Runtime.getHeapUsage')).usedSize / 2 ** 20;
  };
  const times: number[] = [];
  let start = Number.NaN;
  while (times.length < SHIFT) {
    times.push(await page.evaluate((code) => globalThis.__gate.scan(code), next().code));
    if (times.length === SHIFT_PART) start = await readHeapMb();
    await page.waitForTimeout(60);
  }
  return { times, heapMb: { start, end: await readHeapMb() } };
}

function percentile(times: readonly number[], share: number): number {
  return quantile(
    times.toSorted((a, b) => a - b),
    share,
  );
}

function showTimes(times: readonly number[]): string {
  const [median, most] = [percentile(times, 0.5), percentile(times, 0.95)];
  return `median ${median.toFixed(0)} ms, 95 of 100 within ${most.toFixed(0)} ms, longest ${Math.max(...times).toFixed(0)} ms`;
}

function fail(problem: string): never {
  throw new Error(problem);
}

declare global {
  var __gate: {
    /** From the last key of a hand scanner until the answer is painted, in milliseconds. */
    scan(text: string): Promise<number>;
    /** From the change of the field until the party is painted, in milliseconds. */
    search(text: string, reference: string): Promise<number>;
    /** From the start of the navigation, in milliseconds. */
    firstAnswerAt(): number;
  };
}

/** Runs in the page. Self-contained, because it travels as text. */
function installScanProbe(): void {
  const findAnswer = () => document.querySelector('dialog[data-answer] h2');
  const painted = () =>
    new Promise<number>((resolve) => {
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => resolve(performance.now());
        channel.port2.postMessage(null);
      });
    });
  async function until(isThere: () => boolean): Promise<number> {
    await new Promise<void>((resolve) => {
      if (isThere()) return resolve();
      const observer = new MutationObserver(() => {
        if (!isThere()) return;
        observer.disconnect();
        resolve();
      });
      observer.observe(document, { subtree: true, childList: true, characterData: true });
    });
    return painted();
  }
  let firstAnswerAt = Number.NaN;
  void until(() => findAnswer() !== null).then((at) => {
    firstAnswerAt = at;
  });
  globalThis.__gate = {
    async scan(text) {
      const before = findAnswer();
      const startedAt = performance.now();
      for (const key of [...text, 'Enter']) {
        document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
      }
      return (await until(() => findAnswer() !== null && findAnswer() !== before)) - startedAt;
    },
    async search(text, reference) {
      const field = document.querySelector<HTMLInputElement>('input[type=search]');
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
      const startedAt = performance.now();
      set?.call(field, text);
      field?.dispatchEvent(new Event('input', { bubbles: true }));
      const isListed = () => document.querySelector('main ul')?.textContent?.includes(reference) ?? false;
      return (await until(isListed)) - startedAt;
    },
    firstAnswerAt: () => firstAnswerAt,
  };
}
