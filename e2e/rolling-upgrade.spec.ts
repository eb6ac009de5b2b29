import { expect, type Page } from '@playwright/test';
import { buildNextRelease, type NextRelease } from '#tests/process/next-release.ts';
import type { ServerProcess } from '#tests/process/server-process.ts';
import { CARDS, PurchasePage } from './pages/purchase-page.ts';
import { newAddress, testOfOwnServer as test } from './support/fixtures.ts';
import { openPostgresOffice, type PostgresOffice } from './support/postgres-office.ts';
import { countLoads, lookAtAgain, openFollowing, putBehind, runningRelease } from './support/releases.ts';

test.use({ serviceWorkers: 'allow' });

const FRESH_VISITS = 5;
const READY = 'A new version is ready. Reload when you have finished.';

let office: PostgresOffice;
let next: NextRelease;
let old: ServerProcess;
test.beforeAll(async () => {
  test.setTimeout(300_000);
  [office, next] = await Promise.all([openPostgresOffice(), buildNextRelease()]);
  old = await office.startProcess();
  office.balancer.sendTo(old.port);
});
test.afterAll(async () => {
  await office.stop();
  next.remove();
});

async function expectRunning(page: Page, release: string): Promise<void> {
  // The page may be navigating at this moment.
  await expect.poll(() => runningRelease(page).catch(() => null), { timeout: 30_000 }).toBe(release);
}

test('an upgrade process by process breaks no visit, reloads each open tab once and loses nothing typed', {
  tag: '@more',
}, async ({ page: idle, openBrowser }) => {
  test.setTimeout(240_000);
  const { origins, balancer } = office;
  await openFollowing(idle, `${origins.portal}/sign_in`);
  const typing = await openBrowser();
  await openFollowing(typing, `${origins.portal}/sign_up`);
  await typing.getByLabel('Name').fill('Tessa Typing');
  // Without a worker every part of a screen comes from the network, whichever process answers.
  const buying = await openBrowser({ serviceWorkers: 'block' });
  const purchase = new PurchasePage(buying);
  await purchase.open(origins.tickets);
  await purchase.showSailings();
  const oldRelease = await runningRelease(idle);
  const tabs = [idle, typing, buying];
  const loads = tabs.map(countLoads);

  const newer = await office.startProcess(next.root);
  balancer.sendTo(old.port, newer.port);
  const before = balancer.answers.length;

  let newRelease = '';
  for (let visit = 0; visit < FRESH_VISITS; visit += 1) {
    const page = await openBrowser();
    const fresh = new PurchasePage(page);
    await fresh.open(origins.tickets);
    await fresh.showSailings(0);
    newRelease = await runningRelease(page);
    expect(newRelease).not.toBe(oldRelease);
    await page.context().close();
  }

  for (const tab of tabs) await lookAtAgain(tab);
  await expectRunning(idle, newRelease);
  await expect(typing.getByText(READY)).toBeVisible();
  await purchase.chooseSailing(1);
  await purchase.keepPlaces();
  await purchase.fillContact({ name: 'Bea Buying', email: newAddress('bea') });
  await purchase.continueToPayment();
  expect(await runningRelease(buying)).toBe(oldRelease);

  expect(await old.signal('SIGTERM')).toBe(0);
  balancer.sendTo(newer.port);
  await typing.getByRole('button', { name: 'Reload', exact: true }).click();
  await expectRunning(typing, newRelease);
  await expect(typing.getByLabel('Name')).toHaveValue('Tessa Typing');
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();
  await putBehind(buying);
  await expectRunning(buying, newRelease);
  await purchase.expectTickets();

  for (const tab of tabs) await lookAtAgain(tab);
  await expect
    .poll(() => balancer.answers.filter(({ path }) => path.startsWith('/version.txt')).length)
    .toBeGreaterThan(3);
  for (const tab of tabs) expect(await runningRelease(tab)).toBe(newRelease);
  expect(loads.map(({ count }) => count)).toEqual([1, 1, 1]);
  const assets = balancer.answers.slice(before).filter(({ path }) => path.startsWith('/assets/'));
  expect(assets.filter(({ status }) => status !== 200 && status !== 304)).toEqual([]);
  expect(new Set(assets.map(({ port }) => port))).toEqual(new Set([old.port, newer.port]));
});
