import { spawnSync } from 'node:child_process';
import { expect, type Locator, type Page } from '@playwright/test';
import { textsIn } from '#server/core/texts.ts';
import type { TestCall } from '#tests/factories/island-line.ts';
import { CARDS, PurchasePage } from './pages/purchase-page.ts';
import { dayAhead } from './support/day-ahead.ts';
import {
  expectAccessibleInBothSchemes,
  type Mail,
  newAddress,
  testOfOwnServer as test,
} from './support/fixtures.ts';
import { type IslandOffice, openIslandOffice } from './support/island-office.ts';
import { NO_NETWORK, workerReady } from './support/saved.ts';
import { expectNoEnglish } from './support/untranslated.ts';

test.use({ serviceWorkers: 'allow' });

const TRIPS = Object.fromEntries(
  [9, 12].map((hour): [string, TestCall[]] => [
    `trip-${hour}`,
    [
      ['lopez', `${hour}:00:00`, `${hour}:00:00`],
      ['orcas', `${hour}:30:00`, `${hour}:30:00`],
    ],
  ]),
);
/** The pages of routes show today and tomorrow. */
const DAYS_AHEAD = 1;
const hasPdfReader = !spawnSync('pdftotext', ['-v']).error;
const PLANNED = ['9:00 AM', '9:30 AM'];

let office: IslandOffice;
test.describe.configure({ mode: 'default' });
test.beforeAll(async () => {
  test.setTimeout(240_000);
  office = await openIslandOffice(TRIPS);
});
test.afterAll(() => office.stop());

/** What a surface says: the text that holds, and the text that it strikes or names as replaced. */
type Said = { text: string; replaced: string };
type Surface = () => Promise<Said>;

async function readElement(element: Locator): Promise<Said> {
  return element.evaluate((node) => {
    const copy = node.cloneNode(true) as HTMLElement;
    const struck = [...copy.querySelectorAll('s')];
    for (const each of struck) each.remove();
    const toText = (text: string | null) => (text ?? '').replace(/\s+/g, ' ');
    return {
      text: toText(copy.textContent),
      replaced: struck.map((each) => toText(each.textContent)).join(),
    };
  });
}

/** Of a page or mail as HTML. */
function readHtml(html: string): Said {
  const body = html.replace(/<(style|script)\b.*?<\/\1>/gs, '');
  const clean = (part: string) => part.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  const struck = body.match(/<s\b.*?<\/s>/gs) ?? [];
  return { text: clean(body.replace(/<s\b.*?<\/s>/gs, '')), replaced: struck.map(clean).join() };
}

/** Of text without markup: "9:20 AM PDT instead of 9:00 AM PDT". */
function readText(text: string): Said {
  const replaced = /instead\s+of\s+\d+:\d\d [AP]M(?:\s+P[DS]T)?/g;
  return { text: text.replace(replaced, ''), replaced: (text.match(replaced) ?? []).join() };
}

async function get(path: string): Promise<string> {
  return (await office.server.send(path, { host: 'tickets' })).text;
}

async function listMails(email: string): Promise<Mail[]> {
  const path = `/api/messages?to=${encodeURIComponent(email)}`;
  return (await office.server.send(path, { host: 'mail' })).json().data as Mail[];
}

/** Buys the 9:00 boat for two, and sends the second ticket to a companion. */
async function buy(page: Page, email: string): Promise<{ path: string; id: string; shared: string }> {
  const purchase = new PurchasePage(page);
  await purchase.open(office.origin);
  await page.getByRole('button', { name: 'More: Adult' }).click();
  await chooseRoute(page);
  await purchase.showSailings(DAYS_AHEAD);
  await page.getByRole('button', { name: 'Choose the 9:00 AM sailing' }).click();
  await purchase.keepPlaces();
  await purchase.fillContact({ name: 'Isla Islander', email });
  await purchase.continueToPayment();
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();
  await page.getByText('Send a ticket to someone').click();
  await page.getByRole('checkbox', { name: 'Adult, 2 of 2' }).check();
  await page.getByLabel('Their name').fill('Grace');
  await page.getByRole('button', { name: 'Create a link' }).click();
  const link = await page.getByText(/\/shared_tickets\/[0-9a-z]{26}$/).innerText();
  const path = new URL(page.url()).pathname;
  return { path, id: path.split('/')[2] ?? '', shared: new URL(link).pathname };
}

async function chooseRoute(page: Page): Promise<void> {
  await page.getByLabel('From', { exact: true }).selectOption({ label: 'Lopez' });
  await page.getByLabel('To', { exact: true }).selectOption({ label: 'Orcas' });
}

/** Every place where passengers read when their boat leaves. */
function listSurfaces(
  page: Page,
  { path, id, shared, email }: { path: string; id: string; shared: string; email: string },
): Record<string, Surface> {
  const open = async (address: string, element: () => Locator) => {
    await page.goto(office.origin + address);
    await expect(element()).toBeVisible();
    return readElement(element());
  };
  return {
    'the order with its tickets': async () => {
      await page.goto(office.origin + path);
      await expect(page.getByRole('article').first()).toBeVisible();
      return readElement(page.locator('main'));
    },
    'the code full screen': () => open(`${path}?show=tickets`, () => page.getByRole('dialog')),
    'the tickets sent to a companion': async () => {
      await page.goto(office.origin + shared);
      await expect(page.getByRole('article').first()).toBeVisible();
      return readElement(page.locator('main'));
    },
    'the tickets saved in the browser': () =>
      open('/', () => page.getByRole('article').filter({ hasText: 'Lopez' }).first()),
    'the list of sailings': async () => {
      // The link names the day, because the purchase of this tab keeps the day that it showed last.
      const { sailings } = new PurchasePage(page);
      return open(`/?from=LOP&to=ORC&date=${dayAhead(DAYS_AHEAD)}`, () => sailings.first());
    },
    'the page of the route': async () => readHtml((await get('/routes/LOP-ORC')).replace(/^.*Tomorrow/s, '')),
    'the page of the order without scripts': async () => readHtml(await get(path)),
    'the calendar file': async () => readCalendar(await get(`/api/orders/${id}/calendar.ics`)),
    ...(hasPdfReader ? { 'the tickets as PDF': () => readPdf(`/api/orders/${id}/tickets.pdf`) } : {}),
    'the last mail': async () => {
      const [mail] = (await listMails(email)).filter(({ subject }) => !/code/i.test(subject));
      return readText(mail?.text ?? '');
    },
  };
}

function readCalendar(file: string): Said {
  return readText(file.replaceAll('\r\n ', '').replaceAll('\\n', ' '));
}

async function readPdf(path: string): Promise<Said> {
  const { bytes } = await office.server.send(path, { host: 'tickets' });
  const { stdout } = spawnSync('pdftotext', ['-layout', '-', '-'], { input: bytes, encoding: 'utf8' });
  return readText(stdout);
}

/** Waits until a surface holds the expected times, which servers may cache for seconds. */
async function expectOn(name: string, surface: Surface, check: (said: Said) => void): Promise<void> {
  await test.step(name, () => expect(async () => check(await surface())).toPass({ timeout: 60_000 }));
}

function expectTimes({ text, replaced }: Said, minutes: number): void {
  const later = (hour: number, minute: number) =>
    `${hour + Math.floor((minute + minutes) / 60)}:${String((minute + minutes) % 60).padStart(2, '0')} AM`;
  expect(text).toContain(later(9, 0));
  if (minutes === 0) {
    expect(text).not.toMatch(/min late/);
    expect(replaced).toBe('');
    return;
  }
  expect(text).toContain(`${minutes} min late`);
  for (const planned of PLANNED.filter((time) => time !== later(9, 0))) expect(text).not.toContain(planned);
  expect(replaced).toContain('9:00 AM');
}

test('no surface shows the planned departure of a late sailing as if it were true, nor a canceled one', async ({
  page,
  complaints,
}) => {
  test.setTimeout(600_000);
  complaints.expected.push(NO_NETWORK);
  const email = newAddress('late');
  const order = await buy(page, email);
  const surfaces = Object.entries(listSurfaces(page, { ...order, email }));
  const day = dayAhead(DAYS_AHEAD);
  const delay = (minutes: number) => office.run('sailings', 'delay', day, 'LOP', '9:00', String(minutes));

  for (const minutes of [20, 50, 0]) {
    expect(await delay(minutes)).toContain('Orders written to: 1.');
    for (const [name, surface] of surfaces) {
      await expectOn(`${name}, ${minutes} min late`, surface, (said) => expectTimes(said, minutes));
    }
    if (minutes !== 50) continue;
    await page.goto(office.origin + order.path);
    await expect(page.getByText('50 min late').first()).toBeVisible();
    await expectAccessibleInBothSchemes(page);
    await workerReady(page);
    await page.context().setOffline(true);
    await page.reload();
    await expect(page.getByText(/^Saved /).first()).toBeVisible();
    expectTimes(await readElement(page.locator('main')), 50);
    await page.context().setOffline(false);
  }
  const subjects = (await listMails(email)).map(({ subject }) => subject.replace(/ · .*/, ''));
  expect(subjects.filter((subject) => /late|on time/.test(subject)).toSorted()).toEqual([
    'Your sailing is late',
    'Your sailing is late',
    'Your sailing is on time again',
  ]);

  await delay(50);
  await office.run('sailings', 'cancel', day, 'LOP', '9:00', '--reason', 'weather');
  for (const [name, surface] of surfaces) {
    await expectOn(`${name}, canceled`, surface, ({ text }) => {
      expect(text).toMatch(/cancel/i);
      expect(text).not.toMatch(/min late/);
    });
  }
  await page.goto(`${office.origin}${order.path}?show=tickets`);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Canceled because of the weather.').first()).toBeVisible();
  await expect(dialog.getByRole('img')).toHaveCount(0);
});

test('an order bought in French is in French on every surface when its boat is late', async ({
  openBrowser,
}) => {
  test.setTimeout(240_000);
  const page = await openBrowser({ locale: 'fr-FR' });
  const t = textsIn('fr');
  const purchase = new PurchasePage(page, 'fr');
  const email = newAddress('claire');
  await purchase.open(office.origin);
  await page.getByLabel(t('From'), { exact: true }).selectOption({ label: 'Lopez' });
  await page.getByLabel(t('To'), { exact: true }).selectOption({ label: 'Orcas' });
  await purchase.showSailings(DAYS_AHEAD);
  await page
    .getByRole('button', { name: t('Choose the {departure} sailing', { departure: '12:00' }) })
    .click();
  await purchase.keepPlaces();
  await purchase.fillContact({ name: 'Claire Marée', email });
  await purchase.continueToPayment();
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();
  const path = new URL(page.url()).pathname;

  await office.run('sailings', 'delay', dayAhead(DAYS_AHEAD), 'LOP', '12:00', '35');
  const late = t('{minutes} min late', { minutes: 35 });
  const surfaces: Record<string, () => Promise<string>> = {
    'the order with its tickets': async () => {
      await page.goto(office.origin + path);
      await expect(page.getByRole('article').first()).toBeVisible();
      return page.locator('main').innerText();
    },
    'the calendar file': async () =>
      (await get(`/api/orders/${purchase.orderId()}/calendar.ics`)).replaceAll('\r\n ', ''),
    ...(hasPdfReader
      ? {
          'the tickets as PDF': async () =>
            (await readPdf(`/api/orders/${purchase.orderId()}/tickets.pdf`)).text,
        }
      : {}),
    'the last mail': async () => {
      const [mail] = await listMails(email);
      return `${mail?.subject} ${mail?.text}`;
    },
  };
  for (const [name, read] of Object.entries(surfaces)) {
    await test.step(name, () =>
      expect(async () => {
        const text = await read();
        expect(text).toContain(late);
        expectNoEnglish(text, 'fr');
      }).toPass({ timeout: 60_000 }),
    );
  }
});
