import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright';
import { portalPages } from '#contract/paths.ts';
import type { VisitorProxy } from '../../e2e/support/proxy.ts';
import { type Customer, readBelongings, signIn } from './customer.ts';
import { atMost, type Goal } from './goal.ts';
import type { Product } from './product.ts';
import { openScriptedConnection } from './scripted-connection.ts';
import { figureOf, showFigure, showLast } from './stats.ts';

type Seen = {
  lostMs: number[];
  otherTabMs: number[];
  savedMs: number[];
  stalledMs: number[];
  restoredMs: number[];
  wipedMs: number[];
  deadShellMs: number[];
  deadDataMs: number[];
  pings: number[];
};
type Tools = {
  product: Product;
  proxy: VisitorProxy;
  opened: Browser;
  customer: Customer;
  reference: string;
};

const TIMEOUT_MS = 20_000;
const PING = /^GET .*\/api\/ping(\?|$)/;
/** Long enough for saved data to be written and for the worker to be at work. */
const SETTLE_MS = 3500;

/** How soon customers see the state of the connection, and how long their saved data stays readable. */
export async function measureConnection(
  { product, browser }: { product: Product; browser: string },
  { runs, report }: { runs: number; report: (line: string) => void },
): Promise<Goal[]> {
  const direction = await openScriptedConnection(product, browser);
  const { proxy, browser: opened } = direction;
  const seen: Seen = {
    lostMs: [],
    otherTabMs: [],
    savedMs: [],
    stalledMs: [],
    restoredMs: [],
    wipedMs: [],
    deadShellMs: [],
    deadDataMs: [],
    pings: [],
  };
  try {
    const customer = await signIn(product);
    const { reference } = await readBelongings(product, customer);
    for (let run = 0; run < runs; run += 1) {
      // Signing out is part of the run, so each run has a separate session.
      const tools = { product, proxy, opened, customer: await signIn(product), reference };
      await measureStall(tools, seen);
      await measureDeadDatabase(tools, seen);
      await measureLossAndSignOut(tools, seen);
      report(`run ${run + 1}  ${showLast(seen)}`);
    }
  } finally {
    await direction.close();
  }
  return judge(seen);
}

async function measureLossAndSignOut(
  { product, proxy, opened, customer, reference }: Tools,
  seen: Seen,
): Promise<void> {
  const context = await openContext(opened, customer);
  const orders = product.origin('my') + portalPages.orders;
  const page = await openSettled(context, orders, reference);
  const other = await openSettled(context, orders, reference);
  for (const each of [page, other])
    await each.evaluate(watchTexts, ['Connection Lost', 'Connection Restored']);
  const since = performance.now();
  proxy.api.down();
  await page.getByRole('button', { name: 'Refresh' }).click();
  const lost = await textAt(page, 'Connection Lost');
  const failed = await page.evaluate(() => globalThis.__failedAt ?? Number.NaN);
  seen.lostMs.push(lost - failed);
  seen.otherTabMs.push((await textAt(other, 'Connection Lost')) - failed);
  await delay(3000);
  seen.pings.push(proxy.api.mostAtOnce(PING, since));
  proxy.api.up();
  const back = Date.now();
  seen.restoredMs.push((await textAt(page, 'Connection Restored')) - back);
  for (const each of [page, other]) await each.getByRole('button', { name: 'Keep working' }).click();
  seen.wipedMs.push(await signOutOf(page, other, reference));
  await context.close();
}

/** From the press until neither tab shows nor keeps anything readable. */
async function signOutOf(page: Page, other: Page, reference: string): Promise<number> {
  await page.bringToFront();
  await page.getByRole('button', { name: /account menu/ }).click();
  // Not from the command: that waits until the menu stands still.
  await page.evaluate(() =>
    document.addEventListener('click', () => Reflect.set(globalThis, '__pressedAt', Date.now()), {
      capture: true,
      once: true,
    }),
  );
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const pressedAt = await page.evaluate(() => Number(Reflect.get(globalThis, '__pressedAt')));
  const isClean = async (each: Page) =>
    each
      .evaluate(async (text) => {
        if (document.body.textContent?.includes(text)) return false;
        for (const { name } of await indexedDB.databases()) {
          if (name === undefined || !/account-data|first-paint/.test(name)) continue;
          const database = await new Promise<IDBDatabase>((resolve, reject) => {
            const request = indexedDB.open(name);
            request.onsuccess = () => resolve(request.result);
            request.onerror = () => reject(request.error);
          });
          const counts = await Promise.all(
            [...database.objectStoreNames].map(
              (store) =>
                new Promise<number>((resolve, reject) => {
                  const request = database.transaction(store).objectStore(store).count();
                  request.onsuccess = () => resolve(request.result);
                  request.onerror = () => reject(request.error);
                }),
            ),
          );
          database.close();
          if (counts.some((count) => count > 0)) return false;
        }
        return document.cookie.includes('my-session=') === false;
      }, reference)
      // Between two documents there is no page to query.
      .catch(() => false);
  const end = Date.now() + TIMEOUT_MS;
  while (Date.now() < end) {
    if ((await isClean(page)) && (await isClean(other))) return Date.now() - pressedAt;
    await delay(20);
  }
  return Number.POSITIVE_INFINITY;
}

/** Bars, and no data: another screen with saved data is opened while every call hangs. */
async function measureStall(
  { product, proxy, opened, customer, reference }: Tools,
  seen: Seen,
): Promise<void> {
  const context = await openContext(opened, customer);
  const origin = product.origin('my');
  const page = await openSettled(context, origin + portalPages.orders, reference);
  await page.goto(origin + portalPages.tripCards);
  await page.locator('main').getByText(/\$\d/).first().waitFor();
  await delay(SETTLE_MS);
  await page.evaluate(watchTexts, ['Connection Lost', reference]);
  proxy.api.down('hang');
  const pressedAt = Date.now();
  await page.locator('nav a[href="/orders"]').click();
  seen.savedMs.push((await textAt(page, reference)) - pressedAt);
  seen.stalledMs.push((await textAt(page, 'Connection Lost')) - pressedAt);
  proxy.api.up();
  await context.close();
}

/** A database that neither opens nor fails, beside the same page with one that works. */
async function measureDeadDatabase(
  { product, opened, customer, reference }: Tools,
  seen: Seen,
): Promise<void> {
  const open = async (isDead: boolean) => {
    const context = await openContext(opened, customer);
    if (isDead) {
      await context.addInitScript(() => {
        IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest;
      });
    }
    const page = await context.newPage();
    await context.addInitScript(watchTexts, ['My Orders', reference]);
    await page.goto(product.origin('my') + portalPages.orders);
    const startedAt = await page.evaluate(() => performance.timeOrigin);
    const times = [
      (await textAt(page, 'My Orders')) - startedAt,
      (await textAt(page, reference)) - startedAt,
    ];
    await context.close();
    return times as [number, number];
  };
  const [shell, data] = await open(false);
  const [deadShell, deadData] = await open(true);
  seen.deadShellMs.push(deadShell - shell);
  seen.deadDataMs.push(deadData - data);
}

async function openContext(opened: Browser, customer: Customer): Promise<BrowserContext> {
  const context = await opened.newContext({ viewport: { width: 1024, height: 768 } });
  // Held once: a script that runs in every document would sign in again after signing out.
  await context.addCookies(customer.cookies);
  await context.addInitScript(noteFailures);
  return context;
}

async function openSettled(context: BrowserContext, url: string, text: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(url);
  await page.getByText(text).first().waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await delay(SETTLE_MS);
  await page.reload();
  await page.getByText(text).first().waitFor();
  await delay(SETTLE_MS);
  return page;
}

async function textAt(page: Page, text: string): Promise<number> {
  await page.waitForFunction((wanted) => globalThis.__textsAt?.[wanted] !== undefined, text, {
    timeout: TIMEOUT_MS,
  });
  return page.evaluate((wanted) => globalThis.__textsAt?.[wanted] ?? Number.NaN, text);
}

declare global {
  /** Epoch milliseconds of the frame that first showed each text. */
  var __textsAt: Record<string, number> | undefined;
  /** Epoch milliseconds when a call of the API last failed. */
  var __failedAt: number | undefined;
}

/** Runs in the page. Self-contained, because it travels as text. */
function watchTexts(texts: string[]): void {
  const found: Record<string, number> = {};
  globalThis.__textsAt = found;
  const look = () => {
    for (const text of texts) {
      const isThere = [...document.querySelectorAll('h1, h2, main, [role=status]')].some(
        (element) => element.textContent?.includes(text) && element.checkVisibility(),
      );
      if (isThere) found[text] ??= performance.timeOrigin + performance.now();
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Runs in the page, before its own scripts. */
function noteFailures(): void {
  const { fetch } = window;
  window.fetch = async (...request) => {
    try {
      return await fetch(...request);
    } catch (error) {
      globalThis.__failedAt ??= performance.timeOrigin + performance.now();
      throw error;
    }
  };
}

function judge(seen: Seen): Goal[] {
  const within = (name: string, values: number[], limits: { must: number; aim: number }) => {
    const figure = figureOf(values);
    return atMost(name, figure.median, limits, { unit: 'ms', digits: 0, note: showFigure(figure) });
  };
  return [
    within('G8 hanging database: longer to the shell', seen.deadShellMs, { must: 100, aim: 0 }),
    within('G8 hanging database: longer to the data', seen.deadDataMs, { must: 1500, aim: 1500 }),
    within('G9 failed call → overlay', seen.lostMs, { must: 200, aim: 100 }),
    within('G10 failed call → overlay of the other tab', seen.otherTabMs, { must: 500, aim: 200 }),
    within('G11 no answers: saved data on screen', seen.savedMs, { must: 300, aim: 300 }),
    within('G11 no answers: overlay', seen.stalledMs, { must: 8200, aim: 8200 }),
    within('G12 API back → restored shown', seen.restoredMs, { must: 1300, aim: 1100 }),
    within('G16 sign-out → nothing readable in either tab', seen.wipedMs, { must: 1000, aim: 300 }),
    atMost(
      'G20 pings under way at once, two tabs',
      Math.max(...seen.pings),
      { must: 1, aim: 1 },
      { unit: '', digits: 0 },
    ),
  ];
}
