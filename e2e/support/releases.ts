import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { expect, type Page } from '@playwright/test';
import { ORIGINS, PORT } from './addresses.ts';
import { send } from './fixtures.ts';
import type { VisitorProxy } from './proxy.ts';

export type Releases = {
  /** The release the server really has, which every test begins with. */
  first: string;
  /** From now on the hosts of the product answer as with this release. */
  publish: (release: string) => void;
  /** Only the version file is there yet, as while a release is on its way to the servers. */
  announce: (release: string) => void;
};

/** Pages, worker and version file of both hosts, by the address the worker or the browser asks for. */
const OF_A_RELEASE =
  /^GET http:\/\/(my|tickets)\.[^/]+\/(?!api\/|assets\/|\.well-known\/)[^.]*(sw\.js|version\.txt)?(\?.*)?$/;

/**
 * Further releases of the product without building it again: a release differs from the next in the name it has in its
 * pages, its worker and its version file, so that is what is changed on the way to the browser.
 */
export async function openReleases({ api, address }: VisitorProxy): Promise<Releases> {
  const { body } = await send(ORIGINS.portal, 'GET', '/version.txt');
  const first = String(body.text).trim();
  const answer = (release: string) => (incoming: IncomingMessage, outgoing: ServerResponse) =>
    passRenamed(incoming, outgoing, { address, first, release });
  return {
    first,
    publish: (release) => {
      api.clear('/version.txt');
      api.on(OF_A_RELEASE, answer(release));
    },
    announce: (release) => api.on('/version.txt', { status: 200, body: release }),
  };
}

type Renaming = { address: string; first: string; release: string };

function passRenamed(incoming: IncomingMessage, outgoing: ServerResponse, renaming: Renaming): void {
  const { address, first, release } = renaming;
  const { pathname, search } = new URL(incoming.url ?? '');
  const { 'if-none-match': _, 'accept-encoding': __, ...headers } = incoming.headers;
  const passedOn = httpRequest(
    {
      host: '127.0.0.1',
      port: PORT,
      method: incoming.method,
      path: pathname + search,
      headers: { ...headers, 'x-forwarded-for': address },
    },
    (answered) => {
      const parts: Buffer[] = [];
      answered.on('data', (part: Buffer) => parts.push(part));
      answered.on('end', () => {
        const { etag: ___, 'content-length': ____, ...kept } = answered.headers;
        const text = Buffer.concat(parts).toString('utf8').replaceAll(first, release);
        outgoing.writeHead(answered.statusCode ?? 502, kept).end(text);
      });
    },
  );
  passedOn.on('error', () => outgoing.destroy());
  passedOn.end();
}

/** The release a page runs. */
export function runningRelease(page: Page): Promise<string> {
  return page.evaluate(() => {
    const text = document.getElementById('page-config')?.textContent ?? '{}';
    return (JSON.parse(text) as { version: string }).version;
  });
}

/** Opens a page that its worker answers for, which follows releases from here on. */
export async function openFollowing(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.goto(url);
  await waitUntilFollowing(page);
}

/** Until the first look at the version file is over. */
export async function waitUntilFollowing(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem('version-production')))
    .toBe(await runningRelease(page));
  await expect
    .poll(() =>
      page.evaluate(() =>
        performance.getEntriesByType('resource').some(({ name }) => name.includes('/version.txt?t=')),
      ),
    )
    .toBe(true);
}

/** What a tab that is looked at again does. */
export function lookAtAgain(page: Page): Promise<void> {
  return page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));
}

/**
 * The same, until what the version file says was judged, and with it whether a new worker is looked for. It is repeated,
 * because a page does not look while another tab does.
 */
export async function lookAndJudge(page: Page): Promise<void> {
  await expect(async () => {
    const answered = page.waitForResponse(/\/version\.txt\?t=/, { timeout: 2000 });
    await lookAtAgain(page);
    await answered;
  }).toPass();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('version-lock-production'))).toBeNull();
}

/**
 * Some seconds after a page that a worker answers for was opened, the browser looks for a new worker by itself. From
 * here on only the page does.
 */
export async function expectBrowserLooked({ api }: VisitorProxy): Promise<void> {
  await expect.poll(() => api.passages('/sw.js').length, { timeout: 20_000 }).toBe(2);
}

/** How often a page has begun and ended to look for a new worker, and has asked the other tabs whether it may start. */
type Steps = { searches: number; searchesEnded: number; votes: number };

/** Counted from now on, in this document. */
export function countSteps(page: Page): Promise<void> {
  return page.evaluate(() => {
    const steps: Steps = { searches: 0, searchesEnded: 0, votes: 0 };
    Object.assign(window, { steps });
    const { update } = ServiceWorkerRegistration.prototype;
    ServiceWorkerRegistration.prototype.update = function () {
      steps.searches += 1;
      return update.call(this).finally(() => {
        steps.searchesEnded += 1;
      });
    };
    const { postMessage } = BroadcastChannel.prototype;
    BroadcastChannel.prototype.postMessage = function (message) {
      if (message.type === 'UPDATE_VOTE') steps.votes += 1;
      postMessage.call(this, message);
    };
  });
}

export function stepsOf(page: Page): Promise<Steps> {
  return page.evaluate(() => (window as unknown as { steps: Steps }).steps);
}

/** Whether a worker is being installed. */
export function doesWorkerInstall(page: Page): Promise<boolean> {
  return page.evaluate(
    async () => ((await navigator.serviceWorker.getRegistration())?.installing ?? null) !== null,
  );
}

/** Whether a worker is installed and has not taken over yet. */
export function doesWorkerWait(page: Page): Promise<boolean> {
  return page.evaluate(
    async () => ((await navigator.serviceWorker.getRegistration())?.waiting ?? null) !== null,
  );
}

/** As if another tab were in front from now on. */
export function putBehind(page: Page): Promise<void> {
  return page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  });
}

/** As if a tab that was put behind were looked at again. */
export function putInFront(page: Page): Promise<void> {
  return page.evaluate(() => {
    Reflect.deleteProperty(document, 'visibilityState');
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  });
}

/** Counts the documents a page loads from now on. */
export function countLoads(page: Page): { count: number } {
  const loads = { count: 0 };
  page.on('domcontentloaded', () => {
    loads.count += 1;
  });
  return loads;
}
