import { expect, type Page } from '@playwright/test';
import { SignInPage } from './pages/portal-pages.ts';
import { ORIGINS, PORT } from './support/addresses.ts';
import { expectAccessible, test } from './support/fixtures.ts';
import {
  ask,
  codeIn,
  linkIn,
  mailAbout,
  OTHER_PASSWORD,
  openAccount,
  signInQuietly,
} from './support/people.ts';
import { signInAsDemo } from './support/saved.ts';

const SESSION_ENDED = 'Your session has ended. Please sign in again.';

/** The text spacing of WCAG 1.4.12. */
const SPREAD_TEXT = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-block-end: 2em !important }`;

const SIGNED_OUT_ONLY = [
  ['/sign_up', 'You cannot signup when you are already signed in.'],
  ['/sign_in', 'You are already signed in'],
  [`/account/verify/${'x'.repeat(43)}`, 'You cannot complete a new signup when you are already signed in'],
  ['/password/reset', 'Use the Password & Security page to reset your password when already signed in'],
  [
    `/password/new#token=${'x'.repeat(43)}`,
    'Use the Password & Security page to reset your password when already signed in',
  ],
  [`/sessions/magic_link/verify#token=${'x'.repeat(43)}`, 'Cannot use a magic link when already signed in'],
] as const;

test('pages for signed-out visitors redirect signed-in customers to their orders and explain why', async ({
  page,
}) => {
  await signInQuietly(page, await openAccount('Gil'));
  for (const [path, warning] of SIGNED_OUT_ONLY) {
    await page.goto(ORIGINS.portal + path);
    await expect(page, path).toHaveURL(`${ORIGINS.portal}/orders`);
    await expect(page.getByText(warning, { exact: true }), path).toBeVisible();
  }
});

test('pages for signed-out visitors have titles, and orders ask to sign in without an error', async ({
  page,
}) => {
  await page.goto(ORIGINS.portal);
  await expect(page).toHaveURL(`${ORIGINS.portal}/sign_in`);
  await expect(page.getByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  await expect(page.getByText(SESSION_ENDED)).toBeHidden();
  for (const [path, title] of [
    ['/sign_up', 'Create an account | Harbor Line'],
    ['/password/reset', 'Reset Password | Harbor Line'],
    ['/password/new', 'Reset Password | Harbor Line'],
    ['/sessions/magic_link/verify', 'Sign in | Harbor Line'],
    ['/account/verify_email', 'Confirm your new email address | Harbor Line'],
    ['/account/undo_email', 'Keep your old email address | Harbor Line'],
  ] as const) {
    await page.goto(ORIGINS.portal + path);
    await expect(page, path).toHaveTitle(title);
    await expect(page.getByRole('heading', { level: 1 }), path).toBeVisible();
    await expectAccessible(page);
  }
});

test('no data of one customer remains for the next one on the same device', async ({ page, complaints }) => {
  complaints.expected.push(/status of 401/);
  const [first, second] = await Promise.all([openAccount('Anouk'), openAccount('Benedikt')]);
  const screen = new SignInPage(page);
  await page.goto(`${ORIGINS.portal}/account`);
  await screen.signInWith(first);
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(first.name);
  await page.getByRole('button', { name: /account menu/i }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByText('You are signed out.')).toBeVisible();
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('my-session');
  await page.goBack();
  await expect(screen.heading('Sign in')).toBeVisible();
  await screen.signInWith(second);
  await expect(page.getByRole('button', { name: `${second.name}, account menu` })).toBeVisible();
  await page.getByRole('link', { name: 'Account', exact: true }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(second.name);
  expect(await page.content()).not.toContain(first.email);

  // Ended elsewhere, the ticket office leads to the sign-in page too, and says why.
  await ask('POST', '/api/customers/password/reset_instructions', { body: { email: second.email } });
  const link = linkIn(await mailAbout(second.email, /Set a new password/));
  const body = { token: new URL(link).hash.slice('#token='.length), password: OTHER_PASSWORD };
  await ask('POST', '/api/customers/password/reset', { body });
  await page.goto(ORIGINS.tickets);
  await expect(page).toHaveURL(`${ORIGINS.portal}/sign_in`);
  await expect(page.getByText(SESSION_ENDED)).toBeVisible();
});

test.describe(() => {
  test.use({ serviceWorkers: 'allow' });

  test('one sign-in serves both hosts, each visit renews it for a year, and each host has its own worker', async ({
    page,
    purchase,
  }) => {
    await signInQuietly(page, await openAccount('Yara'));
    const context = page.context();
    const findSession = async () => (await context.cookies()).find(({ name }) => name === 'my-session');
    const daysLeft = async () => ((await findSession())?.expires ?? 0) / 86_400 - Date.now() / 86_400_000;
    const expectRenewedBy = async (visit: () => Promise<void>, origin: string) => {
      const session = await findSession();
      if (session === undefined) throw new Error('There is no session.');
      await context.addCookies([{ ...session, expires: Date.now() / 1000 + 5 * 86_400 }]);
      await visit();
      await expect.poll(daysLeft).toBeGreaterThan(364);
      const scope = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
      expect(scope).toBe(`${origin}/`);
    };
    await expectRenewedBy(async () => {
      await page.goto(`${ORIGINS.portal}/orders`);
    }, ORIGINS.portal);
    await expectRenewedBy(async () => {
      await purchase.open();
      await expect(page.getByRole('link', { name: 'My account' })).toBeVisible();
    }, ORIGINS.tickets);
  });
});

test('the screens fit the smallest phones', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  const person = await openAccount('Bartholomea-Wilhelmina');
  const expectFit = async () => {
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const tooWide = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(await tooWide(), `${page.url()} scrolls sideways`).toBeLessThanOrEqual(0);
    await page.evaluate((css) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      document.adoptedStyleSheets = [sheet];
    }, SPREAD_TEXT);
    expect(await tooWide(), `${page.url()} scrolls sideways with its text spread`).toBeLessThanOrEqual(0);
    await page.evaluate(() => {
      document.adoptedStyleSheets = [];
    });
  };
  for (const path of [
    '/sign_in',
    '/sign_up',
    '/password/reset',
    `/account/undo_email#token=${'x'.repeat(43)}`,
  ]) {
    await page.goto(ORIGINS.portal + path);
    await expectFit();
  }
  await signInQuietly(page, person);
  for (const path of ['/account', '/security']) {
    await page.goto(ORIGINS.portal + path);
    await expect(page.getByRole('button', { name: /change email|change password/i })).toBeVisible();
    await expectFit();
    for (const tab of await page.getByRole('navigation', { name: 'Account' }).getByRole('link').all()) {
      await expect(tab).toBeInViewport({ ratio: 1 });
    }
  }
  for (const path of ['/orders', '/trip_cards', '/payment_methods']) {
    await page.goto(ORIGINS.portal + path);
    await expect(page.getByText(/^No (orders yet|trip cards yet|saved cards)$/)).toBeVisible();
    await expectFit();
  }
});

test('the focus order of the header matches its layout, and nothing moves when the name arrives', async ({
  page,
  visitor,
}) => {
  await page.goto(`${ORIGINS.portal}/sign_in`);
  const person = await openAccount('Bartholomea-Wilhelmina');
  await signInQuietly(page, person);
  for (const width of [1024, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    visitor.api.on('/api/customers/details', 'hang');
    await page.goto(`${ORIGINS.portal}/trip_cards`);
    await expect(page.getByRole('button', { name: 'Account menu' })).toBeVisible();
    const before = await standingInHeader(page);
    visitor.api.clear();
    await page.reload();
    await expect(page.getByRole('button', { name: `${person.name}, account menu` })).toBeVisible();
    expect(await standingInHeader(page), `at ${width} pixels`).toEqual(before);
    const stops = await headerStops(page);
    expect(stops).toHaveLength(10);
    const inOrder = stops.toSorted((a, b) => (Math.abs(a.y - b.y) > 20 ? a.y - b.y : a.x - b.x));
    expect(stops, `at ${width} pixels`).toEqual(inOrder);
  }
});

test('nothing on a screen moves when its data arrives', async ({ page, visitor }) => {
  await page.addInitScript(() => {
    const seen = window as { shifted?: number };
    seen.shifted = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) {
        seen.shifted = (seen.shifted ?? 0) + entry.value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(`${ORIGINS.portal}/sign_in`);
  await signInAsDemo(page);
  visitor.api.on('/api/', { delayMs: 300 });
  for (const path of ['/orders', '/account', '/security', '/trip_cards', '/payment_methods']) {
    await page.goto(ORIGINS.portal + path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(/^Loading /)).toHaveCount(0);
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))));
    const shifted = await page.evaluate(() => (window as { shifted?: number }).shifted);
    expect(shifted, path).toBeLessThan(0.02);
  }
});

test('signing in never redirects to another site', async ({ page, complaints }) => {
  complaints.expected.push(/status of 404/);
  const person = await openAccount('Zoe');
  const screen = new SignInPage(page);
  for (const crafted of [
    '/sign_in?redirect=//evil.example&next=https://evil.example&returnTo=//evil.example&return_to=%2f%2fevil.example',
    '//evil.example/security',
    '/%2f%2fevil.example',
    '/\\evil.example',
    '/orders@evil.example',
    '/security?redirect=javascript:alert(1)#//evil.example',
    '/javascript:alert(1)',
  ]) {
    await page.goto(ORIGINS.portal + crafted);
    await expect(page.getByRole('heading', { level: 1 }), crafted).toBeVisible();
    if (new URL(page.url()).pathname !== '/sign_in') await screen.open();
    await screen.signInWith(person);
    await expect(page, crafted).toHaveURL(/\/(orders|security\?redirect=javascript:alert\(1\).*)$/);
    expect(new URL(page.url()).origin, crafted).toBe(ORIGINS.portal);
    await page.goto('about:blank');
    await page.context().clearCookies();
  }
});

test('no secret of a sign-in is in an address, a title, a referrer or the console', async ({
  page,
  visitor,
}) => {
  const person = await openAccount('Ivo');
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  const screen = new SignInPage(page);
  await screen.open();
  const started = page.waitForResponse(/sessions\/sign_in$/);
  await screen.askForCode(person.email);
  const { data } = (await (await started).json()) as { data: { temp: string } };
  const mail = await mailAbout(person.email, /sign-in code/);
  const link = linkIn(mail);
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in on this device' }).click();
  await screen.expectSignedIn();
  await page.goto(`${ORIGINS.portal}/security`);
  await expect(screen.heading('Password & Security')).toBeVisible();
  const cookies = await page.context().cookies();
  const token = cookies.find(({ name }) => name === 'my-session')?.value ?? '';
  const proof = cookies.find(({ name }) => name === 'my-session-proof');
  expect(proof).toMatchObject({ httpOnly: true, sameSite: 'Lax' });

  const secrets = [new URL(link).hash.slice('#token='.length), data.temp, codeIn(mail), token];
  for (const secret of [...secrets, proof?.value ?? '']) expect(secret.length).toBeGreaterThanOrEqual(6);
  const traces = [
    ...visitor.requests.flatMap(({ url, headers }) => [url, String(headers.referer ?? '')]),
    ...said,
    page.url(),
    await page.title(),
    await page.evaluate(() => JSON.stringify([document.referrer, { ...sessionStorage }, history.state])),
  ];
  for (const secret of secrets) expect(traces.filter((trace) => trace.includes(secret))).toEqual([]);
  await page.goBack();
  expect(page.url()).not.toContain('token');

  // A script that reads the token has no session: the browser's own cookie is missing.
  const headers = { authorization: `Bearer ${token}` };
  const stolen = await ask('GET', '/api/customers/details', { headers });
  expect(stolen.status).toBe(401);
  const whole = { ...headers, cookie: `my-session-proof=${proof?.value}` };
  expect((await ask('GET', '/api/customers/details', { headers: whole })).status).toBe(200);
});

test('no other site can frame these pages', async ({ page, complaints }) => {
  // The second is what that site's icon gets.
  complaints.expected.push(/frame-ancestors/, /status of 421/);
  const evil = `http://evil.localhost:${PORT}/`;
  for (const framed of [
    `${ORIGINS.portal}/security`,
    `${ORIGINS.portal}/account`,
    `${ORIGINS.portal}/sign_in`,
    `${ORIGINS.tickets}/`,
    `${ORIGINS.tickets}/orders/new`,
  ]) {
    const answer = page.waitForResponse(framed);
    await page.route(evil, (route) =>
      route.fulfill({ contentType: 'text/html', body: `<!doctype html><iframe src="${framed}"></iframe>` }),
    );
    await page.goto(evil);
    const headers = await (await answer).allHeaders();
    expect(headers['content-security-policy'], framed).toContain("frame-ancestors 'none'");
    await expect.poll(() => page.frames()[1]?.url(), { message: framed }).toMatch(/^chrome-error:/);
    await page.unroute(evil);
  }
});

test('the header’s controls come in the document in the order they have on screen, on phones and desktops', async ({
  page,
}) => {
  await page.goto(`${ORIGINS.portal}/sign_in`);
  await signInQuietly(page, await openAccount('Ines'));
  for (const address of [`${ORIGINS.portal}/orders`, ORIGINS.tickets]) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    for (const width of [390, 800, 1024, 1280, 1680]) {
      await page.setViewportSize({ width, height: 844 });
      const places = await page.evaluate(() =>
        [...document.querySelectorAll(':is(header, nav) :is(a, button)')]
          .filter((control) => control.checkVisibility())
          .map((control) => {
            const { left, top, width, height } = control.getBoundingClientRect();
            return { name: control.textContent, x: left + width / 2, y: top + height / 2 };
          }),
      );
      expect(places.length).toBeGreaterThanOrEqual(2);
      const onScreen = places.toSorted((a, b) => (Math.abs(a.y - b.y) > 20 ? a.y - b.y : a.x - b.x));
      expect(places, `${address} at ${width} pixels`).toEqual(onScreen);
    }
  }
});

/** Where the focus comes by from the top of the page to its first control: the middle of each stop. */
async function headerStops(page: Page): Promise<{ x: number; y: number }[]> {
  const stops: { x: number; y: number }[] = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(() => {
      const element = document.activeElement;
      const box = element?.getBoundingClientRect();
      const isAbove = element?.closest('main, footer') === null && element !== document.body;
      return box && isAbove ? { x: box.left + box.width / 2, y: box.top + box.height / 2 } : null;
    });
    if (stop === null) return stops;
    stops.push(stop);
  }
}

/** Where the header's links and the screen below it stand. */
function standingInHeader(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('header a, main')].map((element) => {
      const { x, y } = element.getBoundingClientRect();
      return `${element.tagName} ${x} ${y}`;
    }),
  );
}
