import { type BrowserContext, expect, type Locator, type Page, type Request } from '@playwright/test';
import { ORIGINS } from '../support/addresses.ts';
import { DEMO_CUSTOMER } from '../support/fixtures.ts';
import { signInQuietly } from '../support/people.ts';
import { expectSettled } from '../support/saved.ts';
import type { Passage, ScriptableApi } from '../support/scriptable-api.ts';

/** Console messages of the browser about requests that a test breaks. */
export const BROKEN_REQUEST = /Failed to load resource/;

/** The layer over the screens during and just after a lost connection, in both presentations. */
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

  /**
   * Makes the API unavailable; an offline event makes the page check the connection. It is repeated, because a page that
   * is still starting does not listen yet.
   */
  async lose(api: ScriptableApi): Promise<void> {
    api.down();
    await expect(async () => {
      await this.hint();
      await expect(this.lost).toBeVisible({ timeout: 4000 });
    }).toPass({ timeout: 12_000 });
  }

  async restore(api: ScriptableApi): Promise<void> {
    api.up();
    await expect(this.restored).toBeVisible();
  }

  /** Expands the card where it starts as one line. */
  async open(): Promise<void> {
    const more = this.page.getByRole('button', { name: 'Show more' });
    if (await more.isVisible()) await more.click();
  }

  /** The customer continues without a reload. */
  async dismiss(): Promise<void> {
    await this.open();
    await this.keepWorking.click();
    await expect(this.dock).toHaveCount(0);
  }

  /** Simulates a change of networks, which makes the page check the connection. */
  async hint(): Promise<void> {
    await this.page.evaluate(() => window.dispatchEvent(new Event('offline')));
  }

  /** Simulates that another tab or app is in front. */
  async setVisibility(state: 'visible' | 'hidden'): Promise<void> {
    await this.page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => value });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  }

  /** Waits until all requests sent so far have reached the proxy that counts them. */
  async arrivals(): Promise<void> {
    await this.page.evaluate(() => fetch('/api/catalogue').catch(() => undefined));
  }

  /**
   * Waits until the page has the answers to all requests since then: one under way would lose part of its time limit
   * when the clock is advanced.
   */
  async expectAnswered(api: ScriptableApi, since: number): Promise<void> {
    await this.arrivals();
    const isUnderWay = ({ endedAt }: Passage) => endedAt === undefined;
    await expect.poll(() => api.passages('/api/', since).filter(isUnderWay)).toEqual([]);
    await this.arrivals();
  }

  /** Makes the API available again, and advances the browser's clock by one ping interval. */
  async restoreAtNextPing(api: ScriptableApi): Promise<void> {
    api.up();
    await this.page.clock.runFor(1000);
    await expect(this.restored).toBeVisible();
  }
}

/** Opens the demo customer's portal and waits until the connection is monitored. */
export async function openPortal(page: Page, path: string): Promise<ConnectionLayer> {
  await page.goto(`${ORIGINS.portal}/sign_in`);
  await signInQuietly(page, { name: '', ...DEMO_CUSTOMER });
  return openAgain(page, path);
}

/** The same in a browser with a stopped clock that only the test advances. */
export async function openHeld(page: Page, path: string, api: ScriptableApi): Promise<ConnectionLayer> {
  await page.clock.install();
  const layer = await openPortal(page, path);
  await expectSettled(page, { api });
  await holdTime(page);
  await layer.arrivals();
  return layer;
}

/** In all pages of its browser, whose clock is installed; what waits for a page to be idle comes first. */
export async function holdTime(page: Page): Promise<void> {
  await page.clock.pauseAt(Date.now() + 5000);
}

/** The same in another tab of a browser that is signed in. */
export async function openTab(context: BrowserContext, path: string): Promise<ConnectionLayer> {
  return openAgain(await context.newPage(), path);
}

/** Until the page that is opened next monitors the connection: what does that is loaded when the page is idle. */
export async function whenWatched(page: Page): Promise<void> {
  const parts = [/\/assets\/watch-connection-[^/]*\.js$/, /\/assets\/connection-overlay-[^/]*\.js$/];
  // Those of a page that is left meanwhile fail instead.
  const isPart = (part: RegExp) => (request: Request) => part.test(request.url());
  await Promise.all(parts.map((part) => page.waitForEvent('requestfinished', isPart(part))));
}

async function openAgain(page: Page, path: string): Promise<ConnectionLayer> {
  const watched = whenWatched(page);
  await page.goto(ORIGINS.portal + path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await watched;
  await expect(page.getByText(/^Loading/)).toHaveCount(0);
  return new ConnectionLayer(page);
}
