import { Secret, TOTP } from 'otpauth';
import { type Browser, chromium, type Locator, type Page } from 'playwright';
import { BROWSER_FLAGS } from '../../e2e/support/find-browser.ts';
import { atMost, type Goal } from './goal.ts';
import type { Product } from './product.ts';
import { figureOf, showFigure } from './stats.ts';

/** The desk of the demo, whose password and authenticator every empty installation on test payments prints. */
const DEMO = {
  email: 'desk@harborline.example',
  password: 'by ferry across the sound',
  authenticator: 'HARBORLINEFERRYDEMO23456',
};
const KEYS_PER_SECOND = 5;
const MOST_STOPS = 40;

type Sale = { keys: number; seconds: number };

/**
 * How many keys the desk presses for one adult who pays in cash, and how long that takes a typist with the answers of the
 * product: from the board by "/", and by the links and buttons of the page.
 */
export async function measureDeskSale(
  { product, browser }: { product: Product; browser: string },
  { runs, report }: { runs: number; report: (line: string) => void },
): Promise<Goal[]> {
  const chrome = await chromium.launch({ executablePath: browser, args: BROWSER_FLAGS });
  try {
    const page = await signIn(chrome, product.origin('staff'));
    const goals: Goal[] = [];
    for (const [name, begin] of [
      ['by “/”', beginByPalette],
      ['by the page', beginByPage],
    ] as const) {
      const sales: Sale[] = [];
      for (let run = 0; run < runs; run += 1) {
        await page.goto(`${product.origin('staff')}/boats?port=MAD&day=${inTwoDays()}`);
        await page.getByRole('link', { name: /^Sell for / }).waitFor();
        sales.push(await sell(page, begin));
      }
      const keys = Math.max(...sales.map((sale) => sale.keys));
      const seconds = figureOf(sales.map((sale) => sale.seconds));
      report(
        `desk-sale, ${name}: ${keys} keys, ${showFigure(seconds, 1)} s with ${KEYS_PER_SECOND} keys a second`,
      );
      goals.push(
        atMost(`keys of a sale, ${name}`, keys, { must: 15, aim: 8 }, { unit: 'keys', digits: 0 }),
        atMost(`seconds of a sale, ${name}`, seconds.median, { must: 20, aim: 5 }, { unit: 's', digits: 1 }),
      );
    }
    return goals;
  } finally {
    await chrome.close();
  }
}

/** When tickets for every boat are sold online at any hour. */
function inTwoDays(): string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' });
  return format.format(new Date(Date.now() + 48 * 3_600_000));
}

async function signIn(chrome: Browser, origin: string): Promise<Page> {
  const page = await chrome.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(origin);
  await page.getByLabel('Email').fill(DEMO.email);
  await page.getByLabel('Password', { exact: true }).fill(DEMO.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const secret = Secret.fromBase32(DEMO.authenticator);
  const code = new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 }).generate();
  await page.getByLabel('Code from your authenticator').fill(code);
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  return page;
}

class Typist {
  readonly page: Page;
  keys = 0;
  waitedMs = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      this.keys += 1;
      await this.page.keyboard.press(key);
    }
  }

  async waitFor(control: Locator): Promise<void> {
    const started = performance.now();
    await control.waitFor();
    this.waitedMs += performance.now() - started;
  }

  async tabTo(control: Locator): Promise<void> {
    await this.waitFor(control);
    for (let stop = 0; stop < MOST_STOPS; stop += 1) {
      if (await control.evaluate((element) => element === document.activeElement)) return;
      await this.press('Tab');
    }
    throw new Error(`${control} does not get the focus.`);
  }
}

async function sell(page: Page, begin: (typist: Typist) => Promise<void>): Promise<Sale> {
  const typist = new Typist(page);
  await begin(typist);
  await typist.waitFor(page.getByRole('spinbutton', { name: 'Adult' }));
  await typist.press('Enter');
  await typist.tabTo(page.getByRole('radio', { name: 'Cash' }));
  await typist.press('Enter');
  await typist.waitFor(page.getByRole('dialog', { name: 'Sold: Adult' }));
  return { keys: typist.keys, seconds: typist.keys / KEYS_PER_SECOND + typist.waitedMs / 1000 };
}

async function beginByPalette(typist: Typist): Promise<void> {
  await typist.press('/');
  await typist.waitFor(typist.page.getByRole('combobox', { name: 'Order or page' }));
  await typist.press('s', 'e');
  await typist.waitFor(typist.page.getByRole('option', { name: /^Sell for /, selected: true }));
  await typist.press('Enter');
}

async function beginByPage(typist: Typist): Promise<void> {
  await typist.press('Tab', 'Enter');
  await typist.tabTo(typist.page.getByRole('link', { name: /^Sell for / }));
  await typist.press('Enter');
}
