import { setTimeout as delay } from 'node:timers/promises';
import { type BrowserContext, type CDPSession, chromium } from 'playwright';
import { BROWSER_FLAGS } from '../../e2e/support/find-browser.ts';
import { installProbe, type Timeline, type Wanted } from './probe.ts';
import { CPU_SLOWDOWN, type ShapedLink } from './shaped-link.ts';

export type Target = {
  name: string;
  url: string;
  wanted: Wanted;
  /** The existing storage of a signed-in customer's browser. */
  state?: { cookies: Parameters<BrowserContext['addCookies']>[0]; localStorage: Record<string, string> };
};

/** A first visit with an empty cache in a separate browser process. */
export type Visit = {
  readableMs: number;
  usableMs: number;
  largestPaintMs: number;
  /** Long tasks' time beyond 50 ms each, from the first paint until the page is quiet. */
  blockedMs: number;
  /** The same from the navigation's start on, also before there was anything to see. */
  blockedInAllMs: number;
  layoutShift: number;
  heapMb: number;
  /** Bytes of scripts asked for before the page was usable, as they crossed the wire. */
  scriptBytes: number;
};

const TIMEOUT_MS = 40_000;
const QUIET_MS = 1000;
/** A common phone. */
export const PHONE = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
};

export async function visitCold(target: Target, link: ShapedLink, executablePath: string): Promise<Visit> {
  const browser = await chromium.launch({
    executablePath,
    args: BROWSER_FLAGS,
    proxy: { server: link.proxy },
  });
  try {
    const context = await browser.newContext(PHONE);
    await context.addInitScript(installProbe, target.wanted);
    if (target.state) {
      await context.addCookies(target.state.cookies);
      await context.addInitScript((items) => {
        for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value);
      }, target.state.localStorage);
    }
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    const traffic = await watchTraffic(cdp);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    await page.goto(target.url, { waitUntil: 'commit', timeout: TIMEOUT_MS });
    const { timeline, origin } = await untilQuiet(target, cdp, traffic);
    await cdp.send('HeapProfiler.collectGarbage');
    const { usedSize } = await cdp.send('Runtime.getHeapUsage');
    const { firstPaint, readable, usable, largestPaint, longTasks, layoutShift } = timeline;
    return {
      readableMs: readable ?? Number.NaN,
      usableMs: usable ?? Number.NaN,
      largestPaintMs: largestPaint ?? Number.NaN,
      blockedMs: blockedFrom(firstPaint ?? 0, longTasks),
      blockedInAllMs: blockedFrom(0, longTasks),
      layoutShift,
      heapMb: usedSize / 2 ** 20,
      scriptBytes: traffic.scriptBytesBefore(origin + (usable ?? 0)),
    };
  } finally {
    await browser.close();
  }
}

function blockedFrom(instant: number, longTasks: Timeline['longTasks']): number {
  return longTasks
    .map(([start, duration]) => start + duration - Math.max(start + 50, instant))
    .reduce((sum, blocked) => sum + Math.max(0, blocked), 0);
}

type Traffic = { quietSince(): number; scriptBytesBefore(instant: number): number };

async function watchTraffic(cdp: CDPSession): Promise<Traffic> {
  type Request = { askedAt: number; isScript: boolean; bytes: number };
  const requests = new Map<string, Request>();
  const open = new Set<string>();
  let lastAt = performance.now();
  const note = (id: string, change: Partial<Request> = {}) => {
    lastAt = performance.now();
    const request = requests.get(id);
    if (request) Object.assign(request, change);
  };
  cdp.on('Network.requestWillBeSent', ({ requestId, request, wallTime }) => {
    if (!request.url.startsWith('http')) return;
    requests.set(requestId, { askedAt: wallTime * 1000, isScript: false, bytes: 0 });
    open.add(requestId);
    note(requestId);
  });
  cdp.on('Network.responseReceived', ({ requestId, response }) =>
    note(requestId, { isScript: response.mimeType.includes('javascript') }),
  );
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    open.delete(requestId);
    note(requestId, { bytes: encodedDataLength });
  });
  cdp.on('Network.loadingFailed', ({ requestId }) => {
    open.delete(requestId);
    note(requestId);
  });
  await cdp.send('Network.enable');
  return {
    quietSince: () => (open.size > 0 ? 0 : performance.now() - lastAt),
    scriptBytesBefore: (instant) =>
      [...requests.values()]
        .filter(({ isScript, askedAt }) => isScript && askedAt <= instant)
        .reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

type Reading = { timeline: Timeline; origin: number; now: number };

async function untilQuiet(target: Target, cdp: CDPSession, traffic: Traffic): Promise<Reading> {
  const end = performance.now() + TIMEOUT_MS;
  while (performance.now() < end) {
    await delay(100);
    const reading = await read(cdp);
    const [start, duration] = reading?.timeline.longTasks.at(-1) ?? [0, 0];
    const isQuiet = (reading?.now ?? 0) - start - duration > QUIET_MS && traffic.quietSince() > QUIET_MS;
    if (reading && reading.timeline.usable !== null && isQuiet) return reading;
  }
  const timeline = (await read(cdp))?.timeline;
  throw new Error(`${target.name} (${target.url}) did not arrive: ${JSON.stringify(timeline)}`);
}

async function read(cdp: CDPSession): Promise<Reading | null> {
  const { result } = await cdp.send('Runtime.evaluate', {
    expression:
      'JSON.stringify({ timeline: globalThis.__timeline, origin: performance.timeOrigin, now: performance.now() })',
  });
  const reading = JSON.parse(String(result.value)) as Partial<Reading>;
  return reading.timeline ? (reading as Reading) : null;
}
