import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { BrowserContext, Page } from 'playwright';
import { portalPages } from '#contract/paths.ts';
import { findBrowser } from '../../e2e/support/find-browser.ts';
import type { Releases } from '../../e2e/support/releases.ts';
import type { ScriptableApi } from '../../e2e/support/scriptable-api.ts';
import { holdSession, readBelongings, signIn } from './customer.ts';
import { atMost, type Goal, tableOf } from './goal.ts';
import { startProduct } from './product.ts';
import { openScriptedConnection } from './scripted-connection.ts';
import { seeded } from './seeded.ts';

/*
 * `npm run soak`: an hour at a terminal with a bad network. One tab types into a form for minutes at a time, another
 * is read; releases come out every few minutes, and the network goes away for up to a minute and a half, in every way
 * a network can. Nothing typed may be lost, no release may reload a tab twice, both tabs end on the last release, and
 * neither grows.
 *
 *   --minutes 60         how long
 *   --release-every 5    minutes between releases
 *   --seed 1             of the accidents; the same seed has the same ones
 *   --skip-build         use dist/ as it is
 */

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    'release-every': { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    'skip-build': { type: 'boolean', default: false },
  },
});
const MINUTE = 60_000;
const endsAt = performance.now() + Number(values.minutes) * MINUTE;
const random = seeded(Number(values.seed));

/** Longest time without a network, and between two of them. */
const AWAY_MS: [number, number] = [1_000, 90_000];
const BACK_MS: [number, number] = [20_000, 90_000];
const WAYS_TO_FAIL = ['drop', 'hang', 'portal', 'cut'] as const;
/** A slow typist, so that a form is open over several releases and losses. */
const KEY_MS: [number, number] = [300, 4_000];
/** How long both tabs are left alone after a form: updates wait until the page has had no input for a while. */
const REST_MS = 45_000;
const FINISH_WITHIN_MS = 5 * MINUTE;
const MB = 2 ** 20;
const OVERLAY = /^Connection (Lost|Restored)$/;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

const tally = { losses: 0, releases: 0, forms: 0, typed: 0, lost: 0, crashes: [] as string[] };
let isOver = false;

if (!values['skip-build']) build();
const product = await startProduct({ TRUST_PROXY: '1' });
try {
  const goals = await soak();
  say(`\n${tableOf(goals)}`);
  say(
    `\n${values.minutes} minutes, seed ${values.seed}: ${tally.releases} releases, ${tally.losses} losses of the network, ${tally.forms} forms and ${tally.typed} characters typed.`,
  );
  for (const crash of tally.crashes) say(`A page complained: ${crash}`);
  process.exitCode = goals.every(({ holds }) => holds) ? 0 : 1;
} finally {
  await product.stop();
}

async function soak(): Promise<Goal[]> {
  const direction = await openScriptedConnection(product, findBrowser());
  const { proxy, browser } = direction;
  const { lookAtAgain, openReleases, runningRelease, waitUntilFollowing } = await import(
    '../../e2e/support/releases.ts'
  );
  try {
    const context = await browser.newContext({ viewport: { width: 1024, height: 768 } });
    const customer = await signIn(product);
    await readBelongings(product, customer);
    await holdSession(context, customer);
    const origin = product.origin('my');
    const typist = await openTab(context, origin + portalPages.account);
    const reader = await openTab(context, origin + portalPages.orders);
    for (const page of [typist, reader]) {
      await page.evaluate(async () => void (await navigator.serviceWorker.ready));
      await page.reload();
      await waitUntilFollowing(page);
    }
    const tabs = { typist: watch(typist, runningRelease), reader: watch(reader, runningRelease) };
    const before = { typist: await heapOf(typist), reader: await heapOf(reader) };
    const releases = await openReleases(proxy);
    const everyMs = Number(values['release-every']) * MINUTE;
    const running = [
      publishAll(releases, everyMs),
      breakTheNetwork(proxy.api),
      typeForms(typist),
      readAbout(reader),
      tellEachMinute({ typist, reader }, runningRelease),
    ];
    await delay(endsAt - performance.now());
    isOver = true;
    await Promise.all(running);
    say('the network stays, and both tabs are left alone');
    const last = tally.releases === 0 ? releases.first : nameOf(tally.releases);
    for (const page of [typist, reader]) await lookAtAgain(page);
    const arrived = await untilBothRun(last, [typist, reader], runningRelease);
    const growth = {
      typist: (await heapOf(typist)) - before.typist,
      reader: (await heapOf(reader)) - before.reader,
    };
    const plain = { unit: '', digits: 0 };
    const once = { must: 1, aim: 1 };
    return [
      atMost('G15 characters lost', tally.lost, { must: 0, aim: 0 }, { ...plain, note: `of ${tally.typed}` }),
      atMost('G14 most loads for one release: typing tab', tabs.typist.most(), once, plain),
      atMost('G14 most loads for one release: reading tab', tabs.reader.most(), once, plain),
      atMost('tabs not on the last release in the end', 2 - arrived, { must: 0, aim: 0 }, plain),
      atMost('heap growth: typing tab', growth.typist / MB, { must: 10, aim: 5 }, { unit: 'MB', digits: 1 }),
      atMost('heap growth: reading tab', growth.reader / MB, { must: 10, aim: 5 }, { unit: 'MB', digits: 1 }),
      atMost('G18 uncaught errors', tally.crashes.length, { must: 0, aim: 0 }, plain),
    ];
  } finally {
    await direction.close();
  }
}

async function openTab(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  page.on('pageerror', (error) => tally.crashes.push(error.message));
  await page.goto(url);
  return page;
}

/** Counts how often a tab loads each release from here on; the first it has already. */
function watch(page: Page, running: (page: Page) => Promise<string>): { most(): number } {
  const loads = new Map<string, number>();
  page.on('domcontentloaded', () => {
    running(page).then(
      (release) => {
        loads.set(release, (loads.get(release) ?? 0) + 1);
        say(`a tab loaded ${new URL(page.url()).pathname} of ${release}`);
      },
      () => say('a tab loaded and went on'),
    );
  });
  return { most: () => Math.max(0, ...loads.values()) };
}

async function tellEachMinute(
  tabs: Record<string, Page>,
  running: (page: Page) => Promise<string>,
): Promise<void> {
  while (await passed(MINUTE)) {
    for (const [name, page] of Object.entries(tabs)) {
      const release = await running(page).catch(() => 'being loaded');
      const overlay = await page
        .getByRole('heading', { name: OVERLAY })
        .textContent({ timeout: 500 })
        .catch(() => null);
      say(`the ${name} is at ${new URL(page.url()).pathname} of ${release}${overlay ? `: ${overlay}` : ''}`);
    }
  }
}

async function publishAll(releases: Releases, everyMs: number): Promise<void> {
  while (await passed(everyMs)) {
    tally.releases += 1;
    releases.publish(nameOf(tally.releases));
    say(`release ${tally.releases} is out`);
  }
}

function nameOf(release: number): string {
  return `soak-${release}`;
}

async function breakTheNetwork(api: ScriptableApi): Promise<void> {
  while (await passed(between(BACK_MS))) {
    const direction = WAYS_TO_FAIL[Math.floor(random() * WAYS_TO_FAIL.length)] ?? 'drop';
    // Now and then the API alone, else all of the product.
    const where = random() < 0.3 ? '/api/' : '/';
    const away = between(AWAY_MS);
    tally.losses += 1;
    say(`the network is gone (${direction} ${where}) for ${Math.round(away / 1000)} s`);
    api.on(where, direction);
    await passed(away);
    api.clear(where);
    // A browser that goes on waiting for its worker's script looks for no other, and nothing in a page can change that.
    api.breakHanging();
  }
}

/** Types a name slowly, looks at every character, saves it, goes elsewhere for a while, and begins again. */
async function typeForms(page: Page): Promise<void> {
  const field = page.getByLabel('Name', { exact: true });
  while (!isOver) {
    const text = `Robin ${Array.from({ length: 30 }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join('')}`;
    await whenConnected(page);
    await field.fill('');
    let there = '';
    for (const letter of text) {
      if (isOver) break;
      await delay(between(KEY_MS));
      await whenConnected(page);
      const found = await field.inputValue();
      if (found !== there) {
        tally.lost += Math.max(1, there.length - found.length);
        say(`lost: “${there}” has become “${found}”`);
        await field.fill(there);
      }
      await field.focus();
      await page.keyboard.press('End');
      await page.keyboard.type(letter);
      there = await field.inputValue();
      tally.typed += 1;
    }
    await saveForm(page);
    tally.forms += 1;
    await goTo(page, 'My Orders');
    if (!(await rest(page, REST_MS))) return;
    await goTo(page, 'Account');
    await field.waitFor();
  }
}

/** As often as the network needs it. */
async function saveForm(page: Page): Promise<void> {
  const end = performance.now() + FINISH_WITHIN_MS;
  const isSaved = page.getByText('Your details are saved.');
  while (performance.now() < end) {
    await whenConnected(page);
    await page
      .getByRole('button', { name: 'Save', exact: true })
      .click({ timeout: 2000 })
      .catch(() => null);
    if (await isSaved.waitFor({ timeout: 5000 }).then(yes, no)) return;
  }
  throw new Error('The form could not be saved, though the network came back.');
}

/** A customer who reads orders and cards, and reports every loss. */
async function readAbout(page: Page): Promise<void> {
  const places = ['Trip Cards', 'My Orders'];
  for (let turn = 0; !isOver; turn += 1) {
    await goTo(page, places[turn % places.length] ?? 'My Orders');
    // Every third time the page is left alone, as updates need it.
    if (!(await rest(page, turn % 3 === 2 ? REST_MS : between([3_000, 15_000])))) return;
  }
}

async function goTo(page: Page, place: string): Promise<void> {
  await keepWorking(page);
  await page
    .getByRole('navigation', { name: 'Account' })
    .getByRole('link', { name: place })
    .click({ timeout: 5000 })
    // Covered while the connection is lost, or just being loaded: it is tried again the next time.
    .catch(() => null);
}

/** Waits until the app offers to continue, and presses that button. */
async function whenConnected(page: Page): Promise<void> {
  const overlay = page.getByRole('heading', { name: OVERLAY });
  while (await overlay.isVisible().catch(no)) {
    await keepWorking(page);
    await delay(200);
  }
}

/** Leaves the page alone, except for pressing the layer's button when it offers to continue. */
async function rest(page: Page, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds;
  while (performance.now() < end && (await passed(1000))) await keepWorking(page);
  return !isOver;
}

async function keepWorking(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Keep working' });
  if (!(await button.isVisible().catch(no))) return;
  // A tab behind another draws too seldom to be pressed in.
  await page.bringToFront();
  await button.click({ timeout: 1000 }).catch(() => null);
}

/** Left alone, each tab gets there by itself. */
async function untilBothRun(
  release: string,
  pages: readonly Page[],
  runningRelease: (page: Page) => Promise<string>,
): Promise<number> {
  const end = performance.now() + FINISH_WITHIN_MS + MINUTE;
  const runs = async (page: Page) => (await runningRelease(page).catch(() => '')) === release;
  while (performance.now() < end) {
    for (const page of pages) await keepWorking(page);
    if ((await Promise.all(pages.map(runs))).every(Boolean)) return pages.length;
    await delay(1000);
  }
  return (await Promise.all(pages.map(runs))).filter(Boolean).length;
}

async function heapOf(page: Page): Promise<number> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  await cdp.detach();
  return usedSize;
}

/** Waits, and answers whether there is more to come. */
async function passed(milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds;
  while (!isOver && performance.now() < end) await delay(Math.min(500, end - performance.now()));
  return !isOver;
}

function between([least, most]: [number, number]): number {
  return least + random() * (most - least);
}

function yes(): boolean {
  return true;
}

function no(): boolean {
  return false;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function build(): void {
  const { status } = spawnSync('npm', ['run', 'build', '--silent'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error('The build failed.');
}
