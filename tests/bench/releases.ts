import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright';
import { api } from '#contract/api.ts';
import { portalPages } from '#contract/paths.ts';
import type { VisitorProxy } from '../../e2e/support/proxy.ts';
import type { Releases } from '../../e2e/support/releases.ts';
import { type Customer, readBelongings, signIn } from './customer.ts';
import { atMost, exactly, type Goal } from './goal.ts';
import type { Product } from './product.ts';
import { openScriptedConnection } from './scripted-connection.ts';
import { figureOf, showFigure, showLast } from './stats.ts';

type Seen = {
  resumeMs: number[];
  /** From a look for a release to the next one and on to the new code, by the page's clock. */
  idleMs: number[];
  /** Of it, what comes after that look. */
  lookMs: number[];
  /** Documents each tab loaded for each release, and those of a busy one and the one beside it. */
  loads: number[];
  busyLoads: number[];
  lostLetters: number[];
  /** How often private text is readable in the storage. */
  readable: number[];
};
type Helpers = typeof import('../../e2e/support/releases.ts') & typeof import('../../e2e/support/saved.ts');
type Tools = Helpers & {
  product: Product;
  proxy: VisitorProxy;
  releases: Releases;
  /** Opens a signed-in browser with separate storage. */
  openContext: () => Promise<BrowserContext>;
  secrets: string[];
};
type Loads = { count: number; lastAt: number };

const VERSION_FILE = /^GET .*\/version\.txt/;
const TIMEOUT_MS = 20_000;
/** How often a visible tab looks for a release, and how long a release may take to arrive in it. */
const LOOK_EVERY_MS = 300_000;
const ARRIVES_WITHIN_MS = 310_000;
const STEP_MS = 1000;
const NEXT = 'next';
const READY = 'A new version is ready. Reload when you have finished.';
const TYPED = 'Robin Half-Typed';
/** Long enough for all that a page does after it was loaded. */
const SETTLE_MS = 3500;
/** Longer than tabs vote and than a page waits before it reloads, so that a second reload would have come. */
const REST_MS = 2500;

/** How soon a tab runs a new release, that it comes with one reload, and that what is kept stays unreadable. */
export async function measureReleases(
  { product, browser }: { product: Product; browser: string },
  { runs, report }: { runs: number; report: (line: string) => void },
): Promise<Goal[]> {
  const direction = await openScriptedConnection(product, browser);
  const { proxy, browser: opened } = direction;
  const helpers = {
    ...(await import('../../e2e/support/releases.ts')),
    ...(await import('../../e2e/support/saved.ts')),
  };
  const seen: Seen = {
    resumeMs: [],
    idleMs: [],
    lookMs: [],
    loads: [],
    busyLoads: [],
    lostLetters: [],
    readable: [],
  };
  const rejections: string[] = [];
  try {
    const customer = await signIn(product);
    const tools: Tools = {
      ...helpers,
      product,
      proxy,
      releases: await helpers.openReleases(proxy),
      openContext: () => openContext(opened, customer, rejections),
      secrets: await findSecrets(product, customer),
    };
    for (let run = 0; run < runs; run += 1) {
      for (const measure of [measureResume, measureIdle, measureBusy]) {
        // Each begins with the release the server really has.
        proxy.api.up();
        await measure(tools, seen);
      }
      report(`run ${run + 1}  ${showLast(seen)}`);
    }
  } finally {
    await direction.close();
  }
  for (const reason of rejections) report(`Uncaught: ${reason}`);
  return judge(seen, rejections);
}

/** A release comes out while another tab is in front. */
async function measureResume(tools: Tools, seen: Seen): Promise<void> {
  const { product, releases, openContext, openFollowing, putBehind, putInFront } = tools;
  const context = await openContext();
  const page = await context.newPage();
  await openFollowing(page, product.origin('my') + portalPages.orders);
  // The browser's own look for a worker after the page was loaded would hold up the page's.
  await delay(SETTLE_MS);
  await putBehind(page);
  const loads = watchLoads(page);
  releases.publish(NEXT);
  const resumedAt = performance.now();
  await putInFront(page);
  seen.resumeMs.push((await runsAt(page, loads, tools)) - resumedAt);
  await restAndLookAgain([page], tools);
  seen.loads.push(loads.count);
  await context.close();
}

/** A visible tab without input. It looks for a release now and then: the worst is one just after a look. */
async function measureIdle(tools: Tools, seen: Seen): Promise<void> {
  const { product, proxy, releases, openContext, openFollowing } = tools;
  const context = await openContext();
  const page = await context.newPage();
  await openFollowing(page, product.origin('my') + portalPages.orders);
  // From the page's start on, for what the page repeats is then a matter of this clock.
  await page.clock.install();
  const since = performance.now();
  const looks = () => proxy.api.passages(VERSION_FILE, since);
  await page.reload();
  await until(() => looks()[0]?.endedAt !== undefined);
  // What is still under way when the clock jumps would be given up as too late.
  await delay(SETTLE_MS);
  const loads = watchLoads(page);
  releases.publish(NEXT);
  // Nearly there at once, and then in small steps, which tell when it was.
  let skipped = LOOK_EVERY_MS - TIMEOUT_MS;
  await page.clock.fastForward(skipped);
  while (looks().length < 2 && skipped < ARRIVES_WITHIN_MS) {
    await page.clock.fastForward(STEP_MS);
    skipped += STEP_MS;
    await delay(50);
  }
  const ranAt = await runsAt(page, loads, tools);
  const [last, next] = looks();
  seen.idleMs.push(skipped + ranAt - (last?.endedAt ?? Number.NEGATIVE_INFINITY));
  seen.lookMs.push(ranAt - (next?.startedAt ?? Number.NEGATIVE_INFINITY));
  await restAndLookAgain([page], tools);
  seen.loads.push(loads.count);
  await context.close();
}

/** Something is being typed in one tab while another is read, and later it is not any more. */
async function measureBusy(tools: Tools, seen: Seen): Promise<void> {
  const { product, releases, openContext, openFollowing, lookAtAgain, readOrder, expectRecords } = tools;
  const context = await openContext();
  const origin = product.origin('my');
  const reader = await context.newPage();
  // So that there is something to be kept.
  await readOrder(reader);
  await openFollowing(reader, origin + portalPages.tripCards);
  await openFollowing(reader, origin + portalPages.orders);
  for (const database of ['account-data', 'first-paint']) await expectRecords(reader, database);
  const typist = await context.newPage();
  await openFollowing(typist, origin + portalPages.account);
  const field = typist.getByLabel('Name', { exact: true });
  await field.fill(TYPED);
  const tabs = [reader, typist];
  const before = tabs.map(watchLoads);
  releases.publish(NEXT);
  for (const tab of tabs) await lookAtAgain(tab);
  // Where it is not said, the counts tell what came instead.
  const isSaid = typist.getByText(READY).waitFor({ timeout: TIMEOUT_MS });
  await isSaid.catch(() => null);
  await delay(REST_MS);
  seen.busyLoads.push(...before.map(({ count }) => count));
  seen.readable.push(await countReadable(context, tabs, tools));
  seen.lostLetters.push(TYPED.length - lengthOfSame(TYPED, await field.inputValue()));
  const after = tabs.map(watchLoads);
  await typist.locator(`nav a[href="${portalPages.orders}"]`).click();
  for (const [index, tab] of tabs.entries()) await runsAt(tab, after[index] as Loads, tools);
  await restAndLookAgain(tabs, tools);
  seen.loads.push(...after.map(({ count }) => count));
  const tickets = await context.newPage();
  await openFollowing(tickets, product.origin('tickets'));
  seen.readable.push(await countReadable(context, [...tabs, tickets], tools));
  await context.close();
}

async function openContext(
  opened: Browser,
  { cookies }: Customer,
  rejections: string[],
): Promise<BrowserContext> {
  const context = await opened.newContext({ viewport: { width: 1024, height: 768 } });
  await context.addCookies(cookies);
  await context.exposeBinding('tellRejection', (_, reason: string) => void rejections.push(reason));
  await context.addInitScript(tellRejections);
  return context;
}

/** Runs in the page, before its own scripts. */
function tellRejections(): void {
  type Telling = { tellRejection?: (reason: string) => void };
  window.addEventListener('unhandledrejection', ({ reason }) =>
    (globalThis as Telling).tellRejection?.(`${reason} at ${location.pathname}`),
  );
}

/** Counts the documents a page loads from now on; one counts when its scripts have run. */
function watchLoads(page: Page): Loads {
  const loads: Loads = { count: 0, lastAt: Number.POSITIVE_INFINITY };
  page.on('domcontentloaded', () => {
    loads.count += 1;
    loads.lastAt = performance.now();
  });
  return loads;
}

/** When the next release's document had run its scripts; infinite when it did not come. */
async function runsAt(page: Page, loads: Loads, { runningRelease }: Helpers): Promise<number> {
  const runsNext = async () =>
    // Between two documents there is no page to query.
    loads.count > 0 && (await runningRelease(page).catch(() => null)) === NEXT;
  return (await until(runsNext)) ? loads.lastAt : Number.POSITIVE_INFINITY;
}

/** As long as a second reload would take, after what could cause one. */
async function restAndLookAgain(pages: readonly Page[], { lookAtAgain }: Helpers): Promise<void> {
  await delay(REST_MS);
  for (const page of pages) await lookAtAgain(page);
  await delay(REST_MS);
}

async function until(isThere: () => boolean | Promise<boolean>): Promise<boolean> {
  const end = performance.now() + TIMEOUT_MS;
  while (performance.now() < end) {
    if (await isThere()) return true;
    await delay(20);
  }
  return false;
}

function lengthOfSame(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** Data on the device that only the customer may read. */
async function findSecrets(product: Product, customer: Customer): Promise<string[]> {
  const { orders, tripCards } = await readBelongings(product, customer);
  const { data } = await product.call('GET', api.getDetails.path, { headers: customer.headers });
  const { name, email, phone } = data as { name: string; email: string; phone: string };
  const of = (items: unknown[], ...fields: string[]) =>
    (items as Record<string, string>[]).flatMap((item) => fields.map((field) => item[field] ?? ''));
  return [
    ...[
      TYPED,
      name,
      name.split(' ').at(-1) ?? '',
      email,
      phone,
      ...customer.cookies.map(({ value }) => value),
    ],
    ...of(orders, 'id', 'reference'),
    ...of(tripCards, 'id', 'number'),
  ].filter((text) => text !== '');
}

/**
 * In every storage of these pages and in all cookies but the session's own. No tab is out of sight meanwhile: such a
 * tab writes down what is half typed in it, for itself alone, until it is looked at again.
 */
async function countReadable(
  context: BrowserContext,
  pages: readonly Page[],
  { dumpStorage, secrets }: Tools,
): Promise<number> {
  const kept = await Promise.all(pages.map(dumpStorage));
  for (const { name, value } of await context.cookies()) if (name !== 'my-session') kept.push(value);
  const text = kept.join('\n');
  return secrets.reduce((count, secret) => count + text.split(secret).length - 1, 0);
}

function judge(seen: Seen, rejections: readonly string[]): Goal[] {
  const resume = figureOf(seen.resumeMs);
  const idle = figureOf(seen.idleMs.map((value) => value / 1000));
  const plain = { unit: '', digits: 0 };
  const none = { must: 0, aim: 0 };
  return [
    atMost(
      'G13 release → idle visible tab on new code',
      idle.median,
      { must: 310, aim: 310 },
      {
        unit: 's',
        digits: 1,
        note: `by the page’s clock, published just after a look; from the next look ${showFigure(figureOf(seen.lookMs))} ms`,
      },
    ),
    atMost(
      'G13 tab in front again → new code',
      resume.median,
      { must: 5000, aim: 3000 },
      { unit: 'ms', digits: 0, note: showFigure(resume) },
    ),
    exactly('G14 automatic reloads per release and tab', seen.loads, 1),
    exactly('G14 automatic reloads while one tab is busy', seen.busyLoads, 0, { note: 'either tab' }),
    atMost('G15 characters lost in the busy tab', Math.max(...seen.lostLetters), none, {
      ...plain,
      note: 'the hour of `npm run soak` tells more',
    }),
    atMost('G17 private strings readable in what is kept', Math.max(...seen.readable), none, plain),
    atMost('G18 uncaught rejections', rejections.length, none, plain),
  ];
}
