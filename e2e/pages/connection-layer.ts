import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test';
import { ORIGINS } from '../addresses.ts';
import { DEMO_CUSTOMER } from '../fixtures.ts';
import { signInQuietly } from '../people.ts';
import type { ScriptableApi } from '../scriptable-api.ts';

/** What the browser itself says of requests that a test breaks. */
export const BROKEN_REQUEST = /Failed to load resource/;

/** What lies over the screens while the API is away, and just after, in either presentation. */
export class ConnectionLayer {
  readonly page: Page;
  readonly cover: Locator;
  readonly dock: Locator;
  readonly lost: Locator;
  readonly restored: Locator;
  readonly spinner: Locator;
  readonly reload: Locator;
  readonly keepWorking: Locator;

  constructor(page: Page) {
    this.page = page;
    this.cover = page.getByRole('alertdialog', { name: /^Connection/ });
    this.dock = page.getByRole('region', { name: /^Connection/ });
    this.lost = page.getByRole('heading', { name: 'Connection Lost', exact: true });
    this.restored = page.getByRole('heading', { name: 'Connection Restored', exact: true });
    this.spinner = page.getByText('Attempting to reconnect to the server…', { exact: true });
    this.reload = page.getByRole('button', { name: 'Reload Page', exact: true });
    this.keepWorking = page.getByRole('button', { name: 'Keep working', exact: true });
  }

  /** The API goes, and the page finds it out because the device hints at it. */
  async lose(api: ScriptableApi): Promise<void> {
    api.down();
    await this.hint();
    await expect(this.lost).toBeVisible();
  }

  async restore(api: ScriptableApi): Promise<void> {
    api.up();
    await expect(this.restored).toBeVisible();
  }

  /** As when the device changes networks: never a verdict, but a reason to look. */
  async hint(): Promise<void> {
    await this.page.evaluate(() => window.dispatchEvent(new Event('offline')));
  }

  /** As when another tab or another app is in front. */
  async setVisibility(state: 'visible' | 'hidden'): Promise<void> {
    await this.page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => value });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  }

  /** What `noteTimes` noted, in milliseconds since the epoch. */
  readTimes(): Promise<Times> {
    return this.page.evaluate(() => {
      const { timeOrigin } = performance;
      const { failedAt, paintedAt, seenAt, pingedAt } = (window as unknown as { times: Times }).times;
      return {
        failedAt: timeOrigin + failedAt,
        paintedAt: timeOrigin + paintedAt,
        seenAt: timeOrigin + seenAt,
        pingedAt: timeOrigin + pingedAt,
      };
    });
  }
}

export type Times = { failedAt: number; paintedAt: number; seenAt: number; pingedAt: number };

/**
 * In a page, from its start: when the first call failed, when the layer was painted, when the page was last shown or
 * hidden, and when it pinged after that. Measured here, a busy machine between test and page does not count.
 */
export function noteTimes(): void {
  const times: Times = { failedAt: 0, paintedAt: 0, seenAt: 0, pingedAt: 0 };
  Object.assign(window, { times });
  const send = window.fetch.bind(window);
  window.fetch = (...args) => {
    if (args[0] === '/api/ping' && times.pingedAt <= times.seenAt) times.pingedAt = performance.now();
    return send(...args).catch((error: unknown) => {
      times.failedAt ||= performance.now();
      throw error;
    });
  };
  window.addEventListener('visibilitychange', () => (times.seenAt = performance.now()), true);
  const observer = new MutationObserver(() => {
    if (document.querySelector('[role=alertdialog], section[popover]') === null) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => (times.paintedAt = performance.now())));
  });
  observer.observe(document, { childList: true, subtree: true });
}

/** The demo customer's portal, with what watches over the connection in place. */
export async function openPortal(page: Page, path: string): Promise<ConnectionLayer> {
  await page.goto(`${ORIGINS.portal}/sign_in`);
  await signInQuietly(page, { name: '', ...DEMO_CUSTOMER });
  return openAgain(page, path);
}

/** The same in another tab of a browser that is signed in. */
export async function openTab(context: BrowserContext, path: string): Promise<ConnectionLayer> {
  return openAgain(await context.newPage(), path);
}

async function openAgain(page: Page, path: string): Promise<ConnectionLayer> {
  // It comes when the page has nothing better to do.
  const watched = page.waitForResponse(/\/assets\/relay-[^/]*\.js$/);
  await page.goto(ORIGINS.portal + path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await (await watched).finished();
  await expect(page.getByText(/^Loading/)).toHaveCount(0);
  return new ConnectionLayer(page);
}
