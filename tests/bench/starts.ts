import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type BrowserContext, chromium, type Page } from 'playwright';
import { portalPages } from '#contract/paths.ts';
import { BROWSER_FLAGS } from '../../e2e/support/find-browser.ts';
import { holdSession, multiply, readBelongings, signIn } from './customer.ts';
import type { Floor } from './floor-server.ts';
import { atLeast, atMost, type Goal } from './goal.ts';
import { installProbe, type Timeline, type Wanted } from './probe.ts';
import type { Product } from './product.ts';
import { CPU_SLOWDOWN, openShapedLink, type ShapedLink, WEAK } from './shaped-link.ts';
import { installOwnershipProbe, installTap, type StartTap } from './start-tap.ts';
import { figureOf, quantile, showFigure } from './stats.ts';
import { PHONE } from './visit.ts';

/*
 * The next launch of an app that was opened before: a new browser process on a profile that has its worker and its
 * data. With the network of a phone, with a weak one, with none, and with one that takes connections and never
 * answers. The floors do the same with the libraries alone; the snapshot floor paints before they run.
 */

type App = { profile: string; url: string; wanted: Wanted; tap: StartTap | null };
type AppName = 'persist' | 'snapshot' | 'balance' | 'orders' | 'code';
type Condition = 'warm' | 'weak' | 'gone' | 'stalled' | 'full speed' | 'slow';
type Start = Pick<Timeline, 'readable' | 'largestPaint'> & {
  /** Of the page until React owns the screen, also those that the worker answered. */
  requests: number;
  /** When what is saved was painted by the page itself, if it was. */
  paintedMs: number | null;
  restoredMs: number | null;
  /** When React rendered what is on screen; null if nothing is tapped there. */
  ownedMs: number | null;
};
type StartAndTap = Start & {
  /**
   * When the screen is shown that a link leads to which was tapped as soon as the first screen was readable. Measured in
   * a further start, because the link may lead to another document.
   */
  answeredMs: number | null;
};
type Starts = Record<AppName, Record<Condition, StartAndTap[]>>;

const TIMEOUT_MS = 15_000;
/** How long an app is left alone to install its worker's files and to save what it shows. */
const SETTLE_MS = 3500;
const REQUESTS = { must: 12, aim: 6 };
/** Also painted first on a phone that is twice as slow. */
const SLOWEST = 2 * CPU_SLOWDOWN;
/** Enough for a 95th percentile to be one of them. */
const TAIL_RUNS = 20;

/** Of the order that My Orders shows first, which depends on the time of day. */
const REFERENCE = /\b[A-Z\d]{4}-[A-Z\d]{4}\b/;

const TO_FLOOR_ORDERS: StartTap = { link: 'a[href="/orders"]', heading: 'My orders' };
const TO_ORDERS: StartTap = { link: 'nav a[href="/orders"]', heading: 'My Orders' };
const TO_CARDS: StartTap = { link: 'nav a[href="/trip_cards"]', heading: 'Trip Cards' };

export async function measureStarts(
  { product, floor, browser }: { product: Product; floor: Floor; browser: string },
  { runs, report }: { runs: number; report: (line: string) => void },
): Promise<Goal[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gangway-starts-'));
  const links = { phone: await openShapedLink(), weak: await openShapedLink(WEAK) };
  try {
    const apps = await prepareApps({ product, floor, browser }, folder);
    const starts = await startAll(apps, { browser, links, runs, report });
    return judge(starts, runs);
  } finally {
    links.phone.close();
    links.weak.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Opens each app as its user did days ago. */
async function prepareApps(
  { product, floor, browser }: { product: Product; floor: Floor; browser: string },
  folder: string,
): Promise<Record<AppName, App>> {
  const customer = await signIn(product);
  const belongings = await readBelongings(product, customer);
  const profileOf = (name: string) => join(folder, name);
  const floorWanted: Wanted = { readable: [{ css: '#balance', pattern: '\\$42\\.50' }], tap: null };
  for (const name of ['persist', 'snapshot'] as const) {
    await inProfile({ profile: profileOf(name), browser }, async (_, page) => {
      await visitAndSettle(page, floor[name]);
      await visitAndSettle(page, floor[name]);
    });
  }
  const portal = product.origin('my');
  const portalProfile = profileOf('portal');
  const urls = {
    balance: portal + portalPages.tripCards,
    orders: `${portal}${portalPages.orders}?source=pwa`,
    code: `${portal}${portalPages.orders}?order=${belongings.referenceOfTickets}`,
  };
  const reference = await inProfile({ profile: portalProfile, browser }, async (context, page) => {
    await holdSession(context, customer);
    await multiply(context, belongings);
    await visitAndSettle(page, urls.orders);
    const shownFirst = REFERENCE.exec(await page.innerText('main'))?.[0];
    if (shownFirst === undefined) throw new Error('My Orders shows no order.');
    for (const url of [urls.balance, urls.orders, urls.balance]) await visitAndSettle(page, url);
    await context.unrouteAll();
    await visitAndSettle(page, urls.code);
    return shownFirst;
  });
  const app = (url: string, ...readable: Wanted['readable']) => ({
    profile: portalProfile,
    url,
    wanted: { readable: [{ css: 'h1', pattern: '\\w' }, ...readable], tap: null },
    // The code covers the links.
    tap: url === urls.balance ? TO_ORDERS : url === urls.orders ? TO_CARDS : null,
  });
  return {
    persist: { profile: profileOf('persist'), url: floor.persist, wanted: floorWanted, tap: TO_FLOOR_ORDERS },
    snapshot: {
      profile: profileOf('snapshot'),
      url: floor.snapshot,
      wanted: floorWanted,
      tap: TO_FLOOR_ORDERS,
    },
    balance: app(urls.balance, { css: 'main', pattern: '\\$\\d' }),
    orders: app(urls.orders, { css: 'main', pattern: reference }),
    code: app(urls.code, { css: 'svg[aria-label^="Ticket code"]', pattern: '' }),
  };
}

async function visitAndSettle(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (active?.state === 'activating')
      await new Promise((resolve) => active.addEventListener('statechange', resolve));
  });
  await delay(SETTLE_MS);
}

const PLAN: [AppName, Condition][] = [
  ...(['persist', 'snapshot', 'balance', 'orders', 'code'] as const).flatMap(
    (name): [AppName, Condition][] => [
      [name, 'warm'],
      [name, 'gone'],
      [name, 'stalled'],
    ],
  ),
  ['persist', 'weak'],
  ['balance', 'weak'],
  ['orders', 'full speed'],
  ['persist', 'slow'],
  ['balance', 'slow'],
  ['orders', 'slow'],
];

async function startAll(
  apps: Record<AppName, App>,
  options: Device & { runs: number; report: (line: string) => void },
): Promise<Starts> {
  const none = (): Starts[AppName] => ({
    warm: [],
    weak: [],
    gone: [],
    stalled: [],
    'full speed': [],
    slow: [],
  });
  const starts: Starts = { persist: none(), snapshot: none(), balance: none(), orders: none(), code: none() };
  const add = async (name: AppName, condition: Condition) => {
    const { tap } = apps[name];
    const seen = await startOnce(apps[name], condition, options);
    const answeredMs = tap && (await tapOnStart({ ...apps[name], tap }, condition, options));
    const start = { ...seen, answeredMs };
    starts[name][condition].push(start);
    return start;
  };
  for (let run = 0; run < options.runs; run += 1) {
    for (const [name, condition] of PLAN) {
      const { readable, largestPaint, paintedMs, restoredMs, ownedMs, answeredMs, requests } = await add(
        name,
        condition,
      );
      options.report(
        `run ${run + 1}  ${name.padEnd(9)} ${condition.padEnd(10)} readable ${shown(readable)} ms, largest paint ${shown(largestPaint)} ms, saved data painted at ${shown(paintedMs)} ms and restored in ${shown(restoredMs)} ms, React owns the screen at ${shown(ownedMs)} ms, a tap is answered at ${shown(answeredMs)} ms, ${requests} requests`,
      );
    }
  }
  for (let run = options.runs; run < TAIL_RUNS; run += 1) await add('orders', 'gone');
  return starts;
}

function shown(value: number | null): string {
  return value === null ? '–' : value.toFixed(0);
}

type Device = { browser: string; links: { phone: ShapedLink; weak: ShapedLink } };

function startOnce(app: App, condition: Condition, device: Device): Promise<Start> {
  return openApp(app, condition, device, async (context, page, open) => {
    await context.addInitScript(installProbe, app.wanted);
    if (app.tap !== null) await context.addInitScript(installOwnershipProbe, app.tap.link);
    let requests = 0;
    page.on('request', () => {
      requests += 1;
    });
    await open();
    const needsOwner = app.tap !== null;
    await waitFor(async () => {
      const [readable, ownedMs] = await page.evaluate(() => [
        globalThis.__timeline?.readable ?? null,
        globalThis.__ownedMs ?? null,
      ]);
      return readable !== null && (!needsOwner || ownedMs !== null);
    });
    // The browser may call something larger the main thing until the customer touches the page.
    await delay(500);
    const seen = await page.evaluate(() => ({
      readable: globalThis.__timeline?.readable ?? null,
      largestPaint: globalThis.__timeline?.largestPaint ?? null,
      paintedMs: performance.getEntriesByName('first-paint-of-saved-data')[0]?.startTime ?? null,
      restoredMs: performance.getEntriesByName('saved-data-restored', 'measure')[0]?.duration ?? null,
      ownedMs: globalThis.__ownedMs ?? null,
    }));
    return { ...seen, requests };
  });
}

function tapOnStart(
  app: App & { tap: StartTap },
  condition: Condition,
  device: Device,
): Promise<number | null> {
  return openApp(app, condition, device, async (context, page, open) => {
    await context.addInitScript(installProbe, app.wanted);
    await context.addInitScript(installTap, app.tap);
    await open();
    let answeredMs: number | null = null;
    await waitFor(async () => {
      answeredMs = await page.evaluate(() => globalThis.__answeredMs ?? null);
      return answeredMs !== null;
    });
    return answeredMs;
  });
}

/** Until it is so, or for fifteen seconds. While a document replaces another, nothing can be asked. */
async function waitFor(isSo: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + TIMEOUT_MS;
  while (performance.now() < end && !(await isSo().catch(() => false))) await delay(100);
}

/** Starts a browser on the app's profile, with the connection and the processor of the condition. */
async function openApp<Result>(
  { profile, url }: App,
  condition: Condition,
  { browser, links }: Device,
  work: (context: BrowserContext, page: Page, open: () => Promise<unknown>) => Promise<Result>,
): Promise<Result> {
  const link = condition === 'weak' ? links.weak : links.phone;
  const isGone = condition === 'gone' || condition === 'full speed' || condition === 'slow';
  await link.set(isGone ? 'gone' : condition === 'stalled' ? 'stalled' : 'open');
  return inProfile({ profile, browser, proxy: link.proxy }, async (context, page) => {
    const cdp = await context.newCDPSession(page);
    if (condition !== 'full speed') {
      await cdp.send('Emulation.setCPUThrottlingRate', {
        rate: condition === 'slow' ? SLOWEST : CPU_SLOWDOWN,
      });
    }
    if (isGone) await context.setOffline(true);
    return work(context, page, () =>
      page.goto(url, { waitUntil: 'commit', timeout: TIMEOUT_MS }).catch(() => null),
    );
  });
}

/** A separate browser process with a persistent profile. */
async function inProfile<Result>(
  { profile, browser, proxy }: { profile: string; browser: string; proxy?: string },
  work: (context: BrowserContext, page: Page) => Promise<Result>,
): Promise<Result> {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: browser,
    args: BROWSER_FLAGS,
    ...PHONE,
    ...(proxy === undefined ? {} : { proxy: { server: proxy } }),
  });
  try {
    return await work(context, context.pages()[0] ?? (await context.newPage()));
  } finally {
    await context.close();
  }
}

function judge(starts: Starts, runs: number): Goal[] {
  const figure = (name: AppName, condition: Condition, field: keyof StartAndTap = 'readable') =>
    figureOf(starts[name][condition].map((start) => start[field] ?? Number.POSITIVE_INFINITY));
  const median = (name: AppName, condition: Condition) => figure(name, condition).median;
  const both = (mine: [AppName, Condition], other: [AppName, Condition]) =>
    `${showFigure(figure(...mine))} / ${showFigure(figure(...other))} ms`;
  const ratio = (
    name: string,
    mine: [AppName, Condition],
    other: [AppName, Condition],
    limits: { must: number; aim: number },
  ) => atMost(name, median(...mine) / median(...other), limits, { note: both(mine, other) });
  const ms = { unit: 'ms', digits: 0 };
  const tail = starts.orders.gone.map(({ readable }) => readable ?? Number.POSITIVE_INFINITY);
  const late = quantile(
    tail.toSorted((a, b) => a - b),
    0.95,
  );
  const unopened = (['balance', 'orders', 'code'] as const).flatMap((name) =>
    starts[name].stalled.filter(({ readable }) => readable === null),
  ).length;
  const saved = (['balance', 'orders', 'code'] as const).flatMap((name) =>
    (['warm', 'gone', 'stalled', 'slow'] as const).flatMap((condition) => starts[name][condition]),
  );
  const painted = saved.filter(({ paintedMs }) => paintedMs !== null).length;
  const toF = { must: 1.3, aim: 1.3 };
  const owned = (
    title: string,
    { name, condition, field }: { name: AppName; condition: Condition; field: 'ownedMs' | 'answeredMs' },
    limits: { must: number; aim: number },
  ) => {
    const [ours, bare] = [figure(name, condition, field), figure('persist', condition, field)];
    return atMost(title, ours.median / bare.median, limits, {
      note: `${showFigure(ours)} / ${showFigure(bare)} ms`,
    });
  };
  return [
    ratio('1 offline start → balance / persist floor', ['balance', 'gone'], ['persist', 'gone'], toF),
    ratio('1 offline start → balance / snapshot floor (aim)', ['balance', 'gone'], ['snapshot', 'gone'], {
      must: Number.POSITIVE_INFINITY,
      aim: 1.3,
    }),
    ratio('1 offline start → ticket code / persist floor', ['code', 'gone'], ['persist', 'gone'], toF),
    atMost(
      '2 stalled starts that never opened',
      unopened,
      { must: 0, aim: 0 },
      { unit: '', digits: 0, note: `of ${3 * runs}` },
    ),
    ratio('2 stalled start → balance / our offline start', ['balance', 'stalled'], ['balance', 'gone'], {
      must: 1.15,
      aim: 1,
    }),
    atLeast(
      '3 starts painted from the snapshot: warm, offline, stalled, and at half the speed',
      painted,
      { must: saved.length, aim: saved.length },
      { unit: '', digits: 0 },
    ),
    ratio('3 warm start → balance / persist floor', ['balance', 'warm'], ['persist', 'warm'], toF),
    ...(['balance', 'orders'] as const).flatMap((name) =>
      (['warm', 'gone'] as const).flatMap((condition) => [
        owned(
          `React owns the screen, ${name} ${condition} / persist floor`,
          { name, condition, field: 'ownedMs' },
          { must: 2.2, aim: 1.3 },
        ),
        owned(
          `a tap at once is answered, ${name} ${condition} / persist floor`,
          { name, condition, field: 'answeredMs' },
          { must: 1.6, aim: 1.3 },
        ),
      ]),
    ),
    atMost('requests of a warm start, orders', figure('orders', 'warm', 'requests').median, REQUESTS, {
      unit: '',
      digits: 0,
      note: showFigure(figure('orders', 'warm', 'requests')),
    }),
    ratio(
      'offline at half the speed → balance / persist floor',
      ['balance', 'slow'],
      ['persist', 'slow'],
      toF,
    ),
    ratio('offline at half the speed → orders / persist floor', ['orders', 'slow'], ['persist', 'slow'], toF),
    ratio('3 warm start → balance / our offline start', ['balance', 'warm'], ['balance', 'gone'], {
      must: 1.15,
      aim: 1,
    }),
    ratio('11 weak signal, warm → balance / our warm start', ['balance', 'weak'], ['balance', 'warm'], {
      must: 1.15,
      aim: 1,
    }),
    atMost(
      'G3 offline start → first saved order, median',
      figureOf(tail).median,
      { must: 1200, aim: 900 },
      { ...ms, note: showFigure(figureOf(tail)) },
    ),
    atMost('G3 offline start → first saved order, p95 of 20', late, { must: 1800, aim: 1300 }, ms),
    atMost(
      'G4 the same at full speed',
      median('orders', 'full speed'),
      { must: 500, aim: 350 },
      { ...ms, note: showFigure(figure('orders', 'full speed')) },
    ),
    atMost(
      'G5 warm start → largest paint',
      figure('orders', 'warm', 'largestPaint').median,
      { must: 1200, aim: 800 },
      { ...ms, note: showFigure(figure('orders', 'warm', 'largestPaint')) },
    ),
    atMost(
      'G7 restore of 50 orders and 20 cards',
      figure('balance', 'gone', 'restoredMs').median,
      { must: 150, aim: 100 },
      { ...ms, note: showFigure(figure('balance', 'gone', 'restoredMs')) },
    ),
  ];
}
