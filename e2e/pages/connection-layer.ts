import { type BrowserContext, expect, type Locator, type Page } from '@playwright/test';
import { ORIGINS } from '../support/addresses.ts';
import { DEMO_CUSTOMER } from '../support/fixtures.ts';
import { signInQuietly } from '../support/people.ts';
import { expectSettled } from '../support/saved.ts';
import type { ScriptableApi } from '../support/scriptable-api.ts';

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

  /** Opens the card where it starts as one line. */
  async open(): Promise<void> {
    const more = this.page.getByRole('button', { name: 'Show more' });
    if (await more.isVisible()) await more.click();
  }

  /** The customer goes on without a reload. */
  async dismiss(): Promise<void> {
    await this.open();
    await this.keepWorking.click();
    await expect(this.dock).toHaveCount(0);
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

  /** What this page has sent by now has come to where a test counts it. */
  async arrivals(): Promise<void> {
    await this.page.evaluate(() => fetch('/api/catalogue').catch(() => undefined));
  }

  /** The API answers again, and so long passes in this browser as lies between two pings. */
  async restoreAtNextPing(api: ScriptableApi): Promise<void> {
    api.up();
    await this.page.clock.runFor(1000);
    await expect(this.restored).toBeVisible();
  }
}

/** The demo customer's portal, with what watches over the connection in place. */
export async function openPortal(page: Page, path: string): Promise<ConnectionLayer> {
  await page.goto(`${ORIGINS.portal}/sign_in`);
  await signInQuietly(page, { name: '', ...DEMO_CUSTOMER });
  return openAgain(page, path);
}

/** The same in a browser in which time stands still from now on, and passes only when the test says so. */
export async function openHeld(page: Page, path: string): Promise<ConnectionLayer> {
  await page.clock.install();
  const layer = await openPortal(page, path);
  // A request that is under way while the clock is set forward would have less than its whole limit left.
  await expectSettled(page);
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

async function openAgain(page: Page, path: string): Promise<ConnectionLayer> {
  // It comes when the page has nothing better to do.
  const watched = page.waitForResponse(/\/assets\/relay-[^/]*\.js$/);
  await page.goto(ORIGINS.portal + path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await (await watched).finished();
  await expect(page.getByText(/^Loading/)).toHaveCount(0);
  return new ConnectionLayer(page);
}
