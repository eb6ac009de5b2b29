import { portalPages } from '#contract/paths.ts';
import { signIn } from './customer.ts';
import type { Floor } from './floor-server.ts';
import { atMost, type Goal } from './goal.ts';
import type { Wanted } from './probe.ts';
import type { Product } from './product.ts';
import { openShapedLink } from './shaped-link.ts';
import { figureOf, showFigure } from './stats.ts';
import { type Target, type Visit, visitCold } from './visit.ts';

/** Kilobytes are 1024 bytes here, as in every table of the browser's own tools. */
const KB = 1024;

/**
 * The purchase page is visited twice in every run: by a visitor who reads, and by a visitor who taps from the moment it
 * can be read on, for whom React does at once what it otherwise does in slices.
 */
type Name = 'static' | 'stack' | 'persist' | 'purchase' | 'tapped' | 'signIn' | 'orders' | 'tripCards';
type Visits = Record<Name, Visit[]>;

/** First visits over the shaped link, each page's turn coming round in every run. */
export async function measurePages(
  { product, floor, browser }: { product: Product; floor: Floor; browser: string },
  { runs, report }: { runs: number; report: (line: string) => void },
): Promise<Goal[]> {
  const targets = await listTargets(product, floor);
  const visits: Visits = {
    static: [],
    stack: [],
    persist: [],
    purchase: [],
    tapped: [],
    signIn: [],
    orders: [],
    tripCards: [],
  };
  const link = await openShapedLink();
  try {
    for (let run = 0; run < runs; run += 1) {
      const order = targets.map((_, index) => targets[(index + run) % targets.length] as (typeof targets)[0]);
      for (const target of order) {
        const visit = await visitCold(target, link, browser);
        visits[target.name].push(visit);
        report(
          `run ${run + 1}  ${target.name.padEnd(9)} readable ${visit.readableMs.toFixed(0)} ms, usable ${visit.usableMs.toFixed(0)} ms, blocked ${visit.blockedMs.toFixed(0)} ms, scripts ${(visit.scriptBytes / KB).toFixed(1)} KB, heap ${visit.heapMb.toFixed(2)} MB`,
        );
      }
    }
  } finally {
    link.close();
  }
  return judge(visits);
}

async function listTargets(product: Product, floor: Floor): Promise<(Target & { name: Name })[]> {
  const floorWanted: Wanted = {
    readable: [{ css: '#balance', pattern: '\\$42\\.50' }],
    tap: { button: '#more', answer: '#rides' },
  };
  const signedIn = await signIn(product);
  const purchase = {
    url: product.origin('tickets'),
    readable: readableParts(['#trip-to', '#trip-out-date', '[data-sticky-bar] p']),
  };
  return [
    {
      name: 'static',
      url: floor.static,
      wanted: { readable: readableParts(['#route', '#date', '#price']), tap: null },
    },
    { name: 'stack', url: floor.stack, wanted: floorWanted },
    { name: 'persist', url: floor.persist, wanted: floorWanted },
    { name: 'purchase', url: purchase.url, wanted: { readable: purchase.readable, tap: null } },
    {
      name: 'tapped',
      url: purchase.url,
      wanted: {
        readable: purchase.readable,
        tap: { button: '[aria-label="More: Adult"]', answer: '#trip-passengers-adult' },
      },
    },
    {
      name: 'signIn',
      url: `${product.origin('my')}${portalPages.signIn}`,
      wanted: {
        readable: [
          { css: 'h1', pattern: '\\w' },
          { css: 'input[type=email]', pattern: '' },
        ],
        tap: { button: SHOW_PASSWORD, answer: SHOW_PASSWORD },
      },
    },
    ...(['orders', 'tripCards'] as const).map((name) => ({
      name,
      url: `${product.origin('my')}${portalPages[name]}`,
      wanted: {
        readable: [
          { css: 'h1', pattern: '\\w' },
          { css: 'main', pattern: '\\$\\d' },
        ],
        tap: { button: ACCOUNT_MENU, answer: ACCOUNT_MENU },
      },
      state: signedIn,
    })),
  ];
}

const SHOW_PASSWORD = 'main [aria-label="Show password"]';
const ACCOUNT_MENU = 'header [aria-haspopup]';

/** Heading, route, date and price, wherever a page has them. */
function readableParts([route = '', date = '', price = '']: string[]): Wanted['readable'] {
  return [
    { css: 'h1', pattern: 'Purchase tickets' },
    { css: route, pattern: '\\w' },
    { css: date, pattern: '\\d\\d/\\d\\d/\\d{4}' },
    { css: price, pattern: '\\$\\d' },
  ];
}

function judge(visits: Visits): Goal[] {
  const of = (name: Name, field: keyof Visit) => figureOf(visits[name].map((visit) => visit[field]));
  const ratio = (name: Name, floor: Name, field: keyof Visit) =>
    of(name, field).median / of(floor, field).median;
  const both = (name: Name, floor: Name, field: keyof Visit, digits = 0) =>
    `${showFigure(of(name, field), digits)} / ${showFigure(of(floor, field), digits)}`;
  const scripts = (name: Name) => of(name, 'scriptBytes').median / KB;
  const inKb = { unit: 'KB', digits: 1 };
  return [
    atMost(
      '4 cold purchase page readable / static page',
      ratio('purchase', 'static', 'readableMs'),
      { must: 2, aim: 1.6 },
      { note: `${both('purchase', 'static', 'readableMs')} ms` },
    ),
    atMost(
      '5 cold purchase page usable / stack floor',
      ratio('tapped', 'stack', 'usableMs'),
      { must: 1.35, aim: 1.15 },
      {
        note: `${both('tapped', 'stack', 'usableMs')} ms, and blocked ${showFigure(of('tapped', 'blockedMs'))} ms`,
      },
    ),
    atMost('6 scripts before usable: purchase', scripts('tapped'), { must: 125, aim: 110 }, inKb),
    ...(['signIn', 'orders', 'tripCards'] as const).map((name) =>
      atMost(`6 scripts before usable: portal, ${name}`, scripts(name), { must: 145, aim: 115 }, inKb),
    ),
    atMost(
      'G6 first visit → largest paint: purchase',
      of('purchase', 'largestPaintMs').median,
      { must: 2500, aim: 2000 },
      { unit: 'ms', digits: 0, note: showFigure(of('purchase', 'largestPaintMs')) },
    ),
    ...(['purchase', 'signIn', 'orders', 'tripCards'] as const).flatMap((name) => [
      atMost(
        `10 main thread blocked: ${name}`,
        of(name, 'blockedMs').median,
        { must: 150, aim: 0 },
        {
          unit: 'ms',
          digits: 0,
          // The floors paint only when their scripts have run, so theirs is all before the first paint.
          note: `${showFigure(of(name, 'blockedMs'))}; from the start ${both(name, 'stack', 'blockedInAllMs')}`,
        },
      ),
      atMost(
        `10 layout shift: ${name}`,
        of(name, 'layoutShift').median,
        { must: 0.02, aim: 0 },
        { unit: '', digits: 3 },
      ),
      atMost(
        `10 heap / persist floor: ${name}`,
        ratio(name, 'persist', 'heapMb'),
        { must: 2.5, aim: 2 },
        { note: `${both(name, 'persist', 'heapMb', 1)} MB` },
      ),
    ]),
  ];
}
