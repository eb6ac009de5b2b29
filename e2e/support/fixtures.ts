import { readFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { fileURLToPath } from 'node:url';
import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Locator,
  type Page,
} from '@playwright/test';
import type { RunOnly, run } from 'axe-core';
import { newNetworkAddress } from '#tests/process/http-client.ts';
import { PurchasePage } from '../pages/purchase-page.ts';
import { ORIGINS, PORT } from './addresses.ts';
import { openProxy, type VisitorProxy } from './proxy.ts';

/** The customer that an empty installation begins with, as printed at start. */
export const DEMO_CUSTOMER = { email: 'demo@harborline.example', password: 'by ferry across the sound' };

type Fixtures = {
  purchase: PurchasePage;
  /** The proxy between the test's browsers and the product; each test has a separate network address. */
  visitor: VisitorProxy;
  /** Opens another, separate browser that is closed at the end of the test. */
  openBrowser: (options?: BrowserContextOptions) => Promise<Page>;
  /** Errors and warnings of the page. A test fails if there are any that it did not announce. */
  complaints: Complaints;
};

/** Errors and warnings of the browser, and the patterns of those that a test expects. */
export type Complaints = { expected: RegExp[]; seen: string[] };

export const test = base.extend<Fixtures>({
  complaints: [
    async ({ context }, use) => {
      const complaints: Complaints = { expected: [], seen: [] };
      await watch(context, complaints);
      await use(complaints);
      const unexpected = complaints.seen.filter(
        (text) => !complaints.expected.some((pattern) => pattern.test(text)),
      );
      expect(unexpected, 'the browser console stays free of errors').toEqual([]);
    },
    { auto: true },
  ],
  visitor: async ({ browserName: _ }, use) => {
    const proxy = await openProxy();
    await use(proxy);
    await proxy.close();
    const sent = proxy.requests.flatMap(({ url, headers }) => [url, String(headers.referer ?? '')]);
    const leaks = sent.filter((address) => SECRET_IN_ADDRESS.test(address));
    expect(leaks, 'no secret is in the address of a request, nor where it came from').toEqual([]);
  },
  proxy: async ({ visitor }, use) => {
    await use({ server: visitor.url });
  },
  openBrowser: async ({ browser, complaints }, use) => {
    const opened: BrowserContext[] = [];
    await use(async (options = {}) => {
      const context = await browser.newContext(options);
      opened.push(context);
      await watch(context, complaints);
      return context.newPage();
    });
    await Promise.all(opened.map((context) => context.close()));
  },
  purchase: async ({ page, locale }, use) => {
    await use(new PurchasePage(page, locale));
  },
});

/** For tests with a server of their own: without the shared proxy, which leads to another one. */
export const testOfOwnServer = test.extend({
  proxy: async ({ browserName: _ }, use) => {
    await use(undefined);
  },
});

/** Session tokens, secrets of mailed links, handles of sign-ins, and codes: where logs and histories would keep them. */
const SECRET_IN_ADDRESS = /\bgw_[\w-]{8}|token=|[?&](temp|code)=/;

/**
 * Records a browser’s errors: in the console of pages, frames and workers, uncaught errors, and
 * whatever a page's policy forbade. For contexts that a test opens by itself.
 */
export async function watch(context: BrowserContext, complaints: Complaints): Promise<void> {
  context.on('console', (message) => {
    // A refused request's text alone does not say which request it was.
    if (message.type() === 'error') complaints.seen.push(`${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => complaints.seen.push(error.error().message));
  context.on('serviceworker', (worker) =>
    worker.on('console', (message) => {
      if (message.type() === 'error') complaints.seen.push(`worker: ${message.text()}`);
    }),
  );
  await context.exposeBinding('reportComplaint', (_, text: string) => complaints.seen.push(text));
  await context.addInitScript(() => {
    type Reporting = { reportComplaint?: (text: string) => void };
    document.addEventListener(
      'securitypolicyviolation',
      ({ effectiveDirective, blockedURI, documentURI }) => {
        const text = `Content Security Policy: ${effectiveDirective} forbids ${blockedURI} in ${documentURI}`;
        (globalThis as Reporting).reportComplaint?.(text);
      },
    );
    // The app reports rejections itself and then keeps the browser quiet about them.
    window.addEventListener('unhandledrejection', ({ reason }) => {
      (globalThis as Reporting).reportComplaint?.(`Unhandled rejection: ${reason}`);
    });
  });
}

/** WCAG 2.2 A and AA, and what axe recommends beyond it. */
const ALL_RULES: RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
/** The rules whose result depends on colors. */
const COLOR_RULES: RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** The minified build: `axe.source` is twice as long, and every checked document parses it again. */
const AXE_SOURCE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** No rule of WCAG 2.2 A and AA is broken on the page as it stands. */
export function expectAccessible(page: Page): Promise<void> {
  return expectNoViolations(page, ALL_RULES);
}

/** The same in light and in dark, where only colors can differ. */
export async function expectAccessibleInBothSchemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' });
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolations(page, COLOR_RULES);
  await page.emulateMedia({ colorScheme: null });
}

async function expectNoViolations(page: Page, runOnly: RunOnly): Promise<void> {
  // Tall enough for the whole page, because the rule for target sizes counts covered controls as too small.
  const size = page.viewportSize() ?? { width: 390, height: 844 };
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: size.width, height: Math.max(size.height, height + 200) });
  await standStill(page);
  // Loading it takes as long as running it, and a document may be checked several times.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE_SOURCE);
  const broken = await page.evaluate(findViolations, runOnly);
  await page.setViewportSize(size);
  expect(broken, `accessible: ${page.url()}`).toEqual([]);
}

/** Runs in the page. */
async function findViolations(runOnly: RunOnly): Promise<string[]> {
  const { violations } = await (window as unknown as { axe: { run: typeof run } }).axe.run(
    // The card form is a separate document of another origin.
    { exclude: ['iframe'] },
    {
      runOnly,
      resultTypes: ['violations'],
      iframes: false,
      // Stylesheets are not fetched again to be read, which the page's policy would forbid: no rule asked for needs it.
      preload: { assets: ['media'] },
    },
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

/**
 * Opens a popover and checks the page in light and dark. By key, because one opened by the pointer closes when the
 * window grows for the check and the button moves away from under it.
 */
export async function expectAccessiblePopover(button: Locator, text: string | RegExp): Promise<void> {
  const page = button.page();
  await button.press('Enter');
  await expectAccessibleInBothSchemes(page);
  await expect(page.locator('[popover]').getByText(text)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(button).toHaveAttribute('aria-expanded', 'false');
}

/** Waits for animations, because elements that fade in have less contrast. */
async function standStill(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
}

export type Reply = { status: number; body: Record<string, unknown>; headers: IncomingHttpHeaders };

/** Sends a request to a host of the product as any client may; Node cannot resolve `*.localhost`, so by address. */
export function send(
  origin: string,
  method: string,
  path: string,
  options: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Reply> {
  const payload = options.body === undefined ? undefined : JSON.stringify(options.body);
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      {
        host: '127.0.0.1',
        port: PORT,
        method,
        path,
        headers: {
          host: new URL(origin).host,
          'x-forwarded-for': newNetworkAddress(),
          ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
          ...options.headers,
        },
      },
      (incoming) => {
        let text = '';
        incoming.setEncoding('utf8');
        incoming.on('data', (chunk: string) => {
          text += chunk;
        });
        incoming.on('end', () => {
          const { headers, statusCode = 0 } = incoming;
          const isJson = (headers['content-type'] ?? '').includes('json');
          resolve({ status: statusCode, body: isJson && text ? JSON.parse(text) : { text }, headers });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(payload);
  });
}

/** The mails an address got, newest first, once there are at least `count`. */
export async function mailsTo(address: string, count = 1): Promise<Mail[]> {
  let mails: Mail[] = [];
  await expect
    .poll(
      async () => {
        const reply = await send(ORIGINS.mail, 'GET', `/api/messages?to=${encodeURIComponent(address)}`);
        mails = reply.body.data as Mail[];
        return mails.length;
      },
      { message: `mail arrives at ${address}`, timeout: 20_000, intervals: [100] },
    )
    .toBeGreaterThanOrEqual(count);
  return mails;
}

export type Mail = {
  id: string;
  subject: string;
  text: string;
  html: string;
  attachments: { filename: string }[];
};

/** An address that is unique in the run. */
export function newAddress(name: string): string {
  return `${name}-${crypto.randomUUID().slice(0, 8)}@example.com`;
}
