import { type CDPSession, chromium, type Page } from 'playwright';
import { portalPages } from '#contract/paths.ts';
import { BROWSER_FLAGS } from '../../e2e/support/find-browser.ts';
import { holdSession, readBelongings, signIn } from './customer.ts';
import type { Floor } from './floor-server.ts';
import { atMost, type Goal } from './goal.ts';
import type { Product } from './product.ts';
import { CPU_SLOWDOWN } from './shaped-link.ts';
import { figureOf, showFigure } from './stats.ts';
import { PHONE } from './visit.ts';

/** A tap and where its answer shows. */
type Tap = { name: string; button: string; answer: { css: string; pattern: string } };
type Opened = { page: Page; cdp: CDPSession };
type Tapped = { answeredMs: number; longestEventMs: number };

const TIMEOUT_MS = 10_000;

/** How soon known screens and controls answer, on a phone that computes four times slower. */
export async function measureTaps(
  { product, floor, browser }: { product: Product; floor: Floor; browser: string },
  { runs, report }: { runs: number; report: (line: string) => void },
): Promise<Goal[]> {
  const customer = await signIn(product);
  const { reference } = await readBelongings(product, customer);
  const chrome = await chromium.launch({ executablePath: browser, args: BROWSER_FLAGS });
  try {
    const open = async (url: string, readable: string) => {
      const context = await chrome.newContext(PHONE);
      await holdSession(context, customer);
      const page = await context.newPage();
      const cdp = await context.newCDPSession(page);
      await page.goto(url);
      await page.locator(readable).first().waitFor();
      await page.evaluate(installTapProbe);
      return { page, cdp };
    };
    const bare = await open(floor.stack, '#balance');
    const portal = await open(product.origin('my') + portalPages.orders, 'main [data-order]');
    const tickets = await open(product.origin('tickets'), '[data-sticky-bar] p');
    const bareRoutes: Tap[] = [
      { name: 'orders', button: 'a[href="/orders"]', answer: { css: 'main', pattern: 'Order 1001' } },
      { name: 'cards', button: 'a[href="/"]', answer: { css: '#balance', pattern: '\\$' } },
    ];
    const routes: Tap[] = [
      {
        name: 'cards',
        button: 'nav a[href="/trip_cards"]',
        answer: { css: 'main [data-age=balance]', pattern: '\\w' },
      },
      {
        name: 'orders',
        button: 'nav a[href="/orders"]',
        answer: { css: 'main [data-order]', pattern: reference },
      },
    ];
    const ticket: Tap = {
      name: 'ticket',
      button: 'main [data-order] a:has-text("Show tickets")',
      answer: { css: 'dialog[open] [data-gate-code]', pattern: '' },
    };
    const controls: [Opened, Tap, (opened: Opened) => Promise<unknown>][] = [
      [
        tickets,
        { name: 'counter', button: '[aria-label="More: Adult"]', answer: { css: 'body', pattern: '' } },
        idle,
      ],
      [
        tickets,
        {
          name: 'date picker',
          button: 'button[aria-label^="Change date"], button[aria-label="Choose a date"]',
          answer: { css: '[role=grid]', pattern: '\\d' },
        },
        pressEscape,
      ],
      [
        portal,
        {
          name: 'dialog',
          button: 'button:has-text("Get a new card")',
          answer: { css: 'dialog[open]', pattern: '\\w' },
        },
        pressEscape,
      ],
    ];
    const answered = { bare: [] as number[], ours: [] as number[], ticket: [] as number[] };
    const bareEvents: number[] = [];
    const events: { name: string; ms: number }[] = [];
    for (let run = 0; run <= runs; run += 1) {
      // The first time brings the bundle along.
      const counts = run > 0;
      for (const route of bareRoutes) {
        const tapped = await tapOnce(bare, route);
        if (counts) answered.bare.push(tapped.answeredMs);
        if (counts) bareEvents.push(tapped.longestEventMs);
      }
      for (const route of routes) {
        const tapped = await tapOnce(portal, route);
        if (counts) answered.ours.push(tapped.answeredMs);
        if (counts) events.push({ name: route.name, ms: tapped.longestEventMs });
      }
      const opened = await tapOnce(portal, ticket);
      if (counts) answered.ticket.push(opened.answeredMs);
      if (counts) events.push({ name: ticket.name, ms: opened.longestEventMs });
      report(
        `run ${run}  ticket       answered ${opened.answeredMs.toFixed(0)} ms, longest event ${opened.longestEventMs} ms`,
      );
      await pressEscape(portal);
      await portal.page.locator('nav a[href="/trip_cards"]').tap();
      for (const [opened, tap, undo] of controls) {
        const tapped = await tapOnce(opened, tap);
        if (counts) events.push({ name: tap.name, ms: tapped.longestEventMs });
        report(
          `run ${run}  ${tap.name.padEnd(12)} answered ${tapped.answeredMs.toFixed(0)} ms, longest event ${tapped.longestEventMs} ms`,
        );
        await undo(opened);
      }
      await portal.page.locator('nav a[href="/orders"]').tap();
      await portal.page.locator('main [data-order]').first().waitFor();
    }
    const ours = figureOf(answered.ours);
    const floorAnswered = figureOf(answered.bare);
    const shown = figureOf(answered.ticket);
    const controlsByTime = Object.entries(Object.groupBy(events, ({ name }) => name))
      .map(([name, list = []]) => ({ name, figure: figureOf(list.map(({ ms }) => ms)) }))
      .toSorted((a, b) => b.figure.median - a.figure.median);
    return [
      atMost(
        '8 change of screen, data known / stack floor',
        ours.median / floorAnswered.median,
        { must: 3, aim: 1.3 },
        { note: `${showFigure(ours)} / ${showFigure(floorAnswered)} ms` },
      ),
      atMost(
        '8 "Show tickets" to the code / stack floor',
        shown.median / floorAnswered.median,
        { must: 3.5, aim: 1.3 },
        { note: `${showFigure(shown)} / ${showFigure(floorAnswered)} ms` },
      ),
      atMost(
        '9 longest event of a tap, the slowest control',
        controlsByTime[0]?.figure.median ?? Number.NaN,
        { must: 120, aim: 40 },
        {
          unit: 'ms',
          digits: 0,
          note: [...controlsByTime, { name: 'bare page', figure: figureOf(bareEvents) }]
            .map(({ name, figure }) => `${name} ${showFigure(figure)}`)
            .join('; '),
        },
      ),
    ];
  } finally {
    await chrome.close();
  }
}

async function idle(): Promise<void> {}

function pressEscape({ page }: Opened): Promise<void> {
  return page.keyboard.press('Escape');
}

/** Only while it is tapped is a page slowed down: the slowing itself keeps a core of this machine busy. */
async function tapOnce(opened: Opened, tap: Tap): Promise<Tapped> {
  const { cdp } = opened;
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  try {
    return await tapSlowed(opened, tap);
  } finally {
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  }
}

async function tapSlowed({ page }: Opened, { button, answer }: Tap): Promise<Tapped> {
  await page.evaluate((wanted) => globalThis.__taps?.expect(wanted), answer);
  await page.locator(button).first().tap({ timeout: TIMEOUT_MS });
  await page.waitForFunction(() => globalThis.__taps?.answeredMs() !== null, undefined, {
    timeout: TIMEOUT_MS,
  });
  // Event Timing reports some frames later.
  await page.waitForTimeout(300);
  return page.evaluate(() => ({
    answeredMs: globalThis.__taps?.answeredMs() ?? Number.NaN,
    longestEventMs: globalThis.__taps?.longestEventMs() ?? Number.NaN,
  }));
}

type TapProbe = {
  expect(answer: { css: string; pattern: string }): void;
  answeredMs(): number | null;
  longestEventMs(): number;
};

declare global {
  var __taps: TapProbe | undefined;
}

/** Runs in the page. Self-contained, because it travels as text. */
function installTapProbe(): void {
  let answered: number | null = null;
  let longest = 0;
  let wanted = { css: 'body', pattern: '' };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
  const isShown = () =>
    [...document.querySelectorAll(wanted.css)].some(
      (element) =>
        new RegExp(wanted.pattern).test(element.textContent ?? '') &&
        element.checkVisibility() &&
        element.getBoundingClientRect().height > 1,
    );
  document.addEventListener(
    'click',
    ({ timeStamp }) => {
      const look = () => {
        if (!isShown()) {
          requestAnimationFrame(look);
          return;
        }
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          answered = performance.now() - timeStamp;
        };
        port2.postMessage(null);
      };
      requestAnimationFrame(look);
    },
    { capture: true },
  );
  globalThis.__taps = {
    expect(answer) {
      wanted = answer;
      answered = null;
      longest = 0;
    },
    answeredMs: () => answered,
    longestEventMs: () => longest,
  };
}
