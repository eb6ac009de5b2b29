import { expect, type Page } from '@playwright/test';
import { ORIGINS } from './support/addresses.ts';
import { DEMO_CUSTOMER, expectAccessible, test } from './support/fixtures.ts';
import { withOwnBrowser } from './support/own-browser.ts';
import { giveTripCard, openAccount, signInQuietly } from './support/people.ts';
import { readOrders } from './support/saved.ts';

test.use({ serviceWorkers: 'allow' });

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const DEMO = { name: 'Robin', ...DEMO_CUSTOMER };

test.describe('installing', () => {
  for (const { name, origin, appName, shortcuts } of [
    {
      name: 'portal',
      origin: ORIGINS.portal,
      appName: 'Harbor Line account',
      shortcuts: ['Show tickets', 'Show trip card', 'My Orders', 'Trip Cards'],
    },
    {
      name: 'ticket host',
      origin: ORIGINS.tickets,
      appName: 'Harbor Line tickets',
      shortcuts: ['Show tickets', 'Buy tickets', 'Find my tickets'],
    },
    { name: 'staff host', origin: ORIGINS.staff, appName: 'Harbor Line staff', shortcuts: [] },
  ]) {
    test(`is possible for the ${name} as a separate app`, async ({ visitor, complaints }) => {
      await withOwnBrowser(visitor.url, complaints, async ({ page }) => {
        await page.goto(origin);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        const browser = await page.context().newCDPSession(page);
        const { errors, data } = await browser.send('Page.getAppManifest');
        expect(errors).toEqual([]);
        const manifest = JSON.parse(data ?? '') as { name: string; shortcuts: { name: string }[] };
        expect(manifest.name).toBe(appName);
        expect(manifest.shortcuts.map((shortcut) => shortcut.name)).toEqual(shortcuts);
        const { appId } = await browser.send('Page.getAppId');
        expect(appId).toBe(`${origin}/`);
        const { installabilityErrors } = await browser.send('Page.getInstallabilityErrors');
        expect(installabilityErrors).toEqual([]);
      });
    });
  }

  test('is offered after a first success, and can be declined permanently', async ({ page }) => {
    await offerInstall(page);
    await page.goto(`${ORIGINS.portal}/sign_in`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(invitation(page)).toBeHidden();
    await signInQuietly(page, DEMO);
    await page.goto(`${ORIGINS.portal}/orders`);
    await expect(invitation(page)).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'No thanks' }).click();
    await expect(invitation(page)).toBeHidden();
    await expect(page.getByRole('main')).toBeFocused();
    await page.goto(`${ORIGINS.portal}/orders?view=all`);
    await expect(page.getByRole('button', { name: 'Refresh' })).toBeEnabled();
    await expect(invitation(page)).toBeHidden();
  });

  test('uses the browser’s own prompt', async ({ page }) => {
    await offerInstall(page);
    await signInWithCard(page);
    await page.goto(`${ORIGINS.portal}/trip_cards`);
    await page.getByRole('button', { name: 'Install', exact: true }).click();
    await expect.poll(() => page.evaluate(() => Reflect.get(window, 'installPrompts'))).toBe(1);
    await expect(invitation(page)).toBeHidden();
  });

  test('on an iPhone is shown step by step, in pictures and words', async ({ openBrowser }) => {
    const page = await openBrowser({ userAgent: IPHONE, viewport: { width: 390, height: 844 } });
    await signInWithCard(page);
    await page.goto(`${ORIGINS.portal}/trip_cards`);
    const steps = invitation(page).locator('..').locator('..').getByRole('listitem');
    await expect(steps).toHaveCount(3);
    await expect(steps.nth(0)).toContainText('Share');
    await expect(steps.nth(1)).toContainText('Add to Home Screen');
    await expect(steps.nth(2)).toContainText('6-digit code');
    await expect(steps.locator('svg, img')).toHaveCount(3);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Do not show this again' }).click();
    await page.reload();
    await expect(page.getByRole('link', { name: /Show code/ }).first()).toBeVisible();
    await expect(invitation(page)).toBeHidden();
  });
});

test.describe('the splash screen of the installed app', () => {
  const splashes = (page: Page) =>
    page.evaluate(async () => {
      const links = document.querySelectorAll<HTMLLinkElement>('link[rel="apple-touch-startup-image"]');
      return Promise.all(
        [...links].map(async ({ media, href }) => {
          const picture = new Image();
          picture.src = href;
          await picture.decode();
          return `${media} ${picture.naturalWidth} x ${picture.naturalHeight}`;
        }),
      );
    });

  for (const origin of [ORIGINS.portal, ORIGINS.tickets]) {
    test(`on an iPhone is made to the size of its screen: ${origin}`, async ({ openBrowser }) => {
      const size = { width: 390, height: 844 };
      const page = await openBrowser({
        userAgent: IPHONE,
        viewport: size,
        screen: size,
        deviceScaleFactor: 3,
      });
      await page.addInitScript(() => Object.assign(navigator, { standalone: false }));
      await page.goto(origin);
      await expect
        .poll(() => splashes(page))
        .toEqual(['(orientation: portrait) 1170 x 2532', '(orientation: landscape) 2532 x 1170']);
    });
  }

  test('is created nowhere else', async ({ page }) => {
    await page.goto(`${ORIGINS.portal}/sign_in`);
    await page.evaluate(() => navigator.serviceWorker.ready);
    expect(await splashes(page)).toEqual([]);
  });
});

test.describe('the installed app', () => {
  test('has persistent storage, counts today’s crossings on its icon, and shows no invitation', async ({
    page,
    visitor,
  }) => {
    await offerInstall(page);
    const calls = await noteCalls(page);
    await openInstalled(page, `${ORIGINS.portal}/sign_in`);
    await signInQuietly(page, DEMO);
    // In the evening the demo has no more trips today, so a boat of the customer has just left.
    const orders = await readOrders(page);
    for (const leg of orders.data.flatMap(({ legs }) => legs)) {
      leg.departs_at = new Date().toISOString();
      leg.arrives_at = new Date(Date.now() + 3_600_000).toISOString();
    }
    visitor.api.on(/^GET .*\/api\/customers\/orders(\?|$)/, { status: 200, body: orders });
    await page.goto(`${ORIGINS.portal}/orders?source=pwa`);
    await expect(page.getByRole('heading', { level: 1, name: 'My Orders' })).toBeVisible();
    await expect.poll(calls).toEqual([expect.stringMatching(/^badge [1-9]/), 'persist']);
    await expect(invitation(page)).toBeHidden();
  });

  test('has persistent storage on the ticket host for visitors without an account', async ({ page }) => {
    const calls = await noteCalls(page);
    await openInstalled(page, ORIGINS.tickets);
    await expect.poll(calls).toEqual(['persist']);
  });

  test('explains that the mailed code signs it in', async ({ page }) => {
    await openInstalled(page, `${ORIGINS.portal}/sign_in`);
    await page.getByLabel('Email').fill('somebody@example.com');
    await page.getByRole('button', { name: /mail/i }).first().click();
    await expect(page.getByText('The link may open your browser instead of this app.')).toBeVisible();
  });
});

test('the screen stays on while a code is shown at the gate, and no longer', async ({ page }) => {
  await page.addInitScript(() => {
    Object.assign(window, { locks: 0 });
    const count = (change: number) =>
      Object.assign(window, { locks: Number(Reflect.get(window, 'locks')) + change });
    Object.defineProperty(navigator, 'wakeLock', {
      value: {
        request: async () => {
          count(1);
          return { release: async () => count(-1) };
        },
      },
    });
  });
  await signInWithCard(page);
  await page.goto(`${ORIGINS.portal}/trip_cards`);
  const locks = () => page.evaluate(() => Reflect.get(window, 'locks'));
  await page
    .getByRole('link', { name: /Show code/ })
    .first()
    .click();
  await expect(page.getByRole('img', { name: /^Code of/ })).toBeVisible();
  await expect.poll(locks).toBe(1);
  await page.keyboard.press('Escape');
  await expect.poll(locks).toBe(0);
});

test.describe('settings', () => {
  const stored = (page: Page) =>
    page.evaluate(() => JSON.parse(localStorage.getItem('app-settings') ?? 'null'));

  test('come from the API when the object storage is down, and are cached', async ({ page, complaints }) => {
    complaints.expected.push(/net::ERR_|Failed to load resource/);
    await page.context().route(`${ORIGINS.storage}/**`, (route) => route.abort());
    await page.goto(`${ORIGINS.portal}/sign_in`);
    await expect.poll(async () => (await stored(page))?.brand?.name).toBe('Harbor Line');
  });

  test('are the last valid ones when cached by the worker', async ({ page, visitor, complaints }) => {
    complaints.expected.push(/Failed to load resource|net::ERR_|JSON/);
    await page.goto(`${ORIGINS.portal}/sign_in`);
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await page.reload();
    const read = () =>
      page.evaluate(async (url) => {
        const answer = await fetch(`${url}?t=${Date.now()}`).catch(() => null);
        return answer?.json().catch(() => null);
      }, `${ORIGINS.storage}/public/settings/web.json`);
    expect(await read()).toMatchObject({ brand: { name: 'Harbor Line' } });
    const cors = { 'access-control-allow-origin': '*', 'content-type': 'application/json' };
    const settings = /\/public\/settings\/web\.json/;
    for (const body of [[{ brand: { name: 'Nobody' } }], {}]) {
      visitor.api.on(settings, { status: 200, body, headers: cors });
      await read();
    }
    visitor.api.on(settings, 'portal');
    await read();
    visitor.api.on(settings, 'drop');
    expect(await read()).toMatchObject({ brand: { name: 'Harbor Line' } });
  });
});

/** Simulates the install prompt, which headless browsers never show. */
async function offerInstall(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.assign(window, { installPrompts: 0 });
    window.addEventListener('load', () => {
      const prompt = async () => {
        Object.assign(window, { installPrompts: Number(Reflect.get(window, 'installPrompts')) + 1 });
      };
      window.dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt }));
    });
  });
}

function invitation(page: Page) {
  return page.getByRole('heading', { name: 'Keep Harbor Line at hand' });
}

/** Records the device functions that the page calls from now on, in alphabetical order. */
async function noteCalls(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const calls: string[] = [];
    Object.assign(window, { calls });
    Object.assign(navigator, { setAppBadge: async (count: number) => void calls.push(`badge ${count}`) });
    navigator.storage.persisted = async () => false;
    navigator.storage.persist = async () => {
      calls.push('persist');
      return true;
    };
  });
  return () => page.evaluate(() => (Reflect.get(window, 'calls') as string[]).toSorted());
}

/** As on a phone's home screen: what is emulated by the media query does not outlive a change of site. */
async function openInstalled(page: Page, url: string): Promise<void> {
  await page.addInitScript(() => Object.defineProperty(navigator, 'standalone', { value: true }));
  await page.goto(url);
}

/** A signed-in customer of this browser with a trip card. */
async function signInWithCard(page: Page): Promise<void> {
  const person = await openAccount('Dagny');
  await giveTripCard(person, 'Commute');
  await page.goto(ORIGINS.portal);
  await signInQuietly(page, person);
}
