import { expect, type Locator, type Page } from '@playwright/test';
import { CARDS } from './pages/purchase-page.ts';
import { expectFitsLargeText } from './pages/text-overflow.ts';
import { ORIGINS } from './support/addresses.ts';
import { DEMO_CUSTOMER, expectAccessible, newAddress, test } from './support/fixtures.ts';
import { signInQuietly } from './support/people.ts';

const DESKTOPS = [
  { width: 1024, height: 768 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];

test('on a desktop the account’s navigation stands beside its screens, all between the header’s edges', async ({
  page,
}) => {
  await page.goto(`${ORIGINS.portal}/sign_in`);
  await signInQuietly(page, { name: '', ...DEMO_CUSTOMER });
  for (const path of ['/orders', '/trip_cards', '/account', '/security', '/payment_methods']) {
    await page.goto(ORIGINS.portal + path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    await expectDesktopLayout(page);
  }
  await page.goto(`${ORIGINS.portal}/orders`);
  await page.getByRole('link', { name: 'Order details' }).click();
  await expect(page.getByRole('img', { name: /^Ticket code/ }).first()).toBeVisible();
  await expectDesktopLayout(page);
});

test('on a desktop the summary of a purchase stands beside its steps, and what can be done beside tickets', async ({
  page,
  purchase,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await purchase.open();
  await page.getByRole('button', { name: 'More: Adult' }).click();
  await expectBeside(
    page,
    page.getByRole('button', { name: 'Show sailings' }),
    page.getByLabel('From', { exact: true }),
  );
  await purchase.showSailings();
  await purchase.chooseSailing(1);
  const trip = page.getByRole('heading', { name: 'Your trip' });
  await expectBeside(page, trip, page.getByRole('radio', { name: 'Saver' }));
  await purchase.keepPlaces();
  await expectBeside(page, trip, page.getByLabel('Email'));
  await purchase.fillContact({ name: 'Ana Ferry', email: newAddress('ana') });
  await purchase.continueToPayment();
  await expectBeside(page, page.getByRole('heading', { name: /^Order / }), purchase.payButton);
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();
  await expectBeside(
    page,
    page.getByRole('heading', { name: 'Crossing', exact: true }),
    page.getByRole('img', { name: 'Ticket code for 2 travelers' }),
  );
  await expectPrintableTickets(page);
});

test('on a laptop the button that goes on is in view at each step of buying a return', async ({
  page,
  purchase,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  const expectInView = async (name: string | RegExp) =>
    await expect(page.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 });
  await purchase.open();
  await page.getByText('Return', { exact: true }).click();
  await expectInView('Show sailings');
  await purchase.showSailings();
  await purchase.chooseSailing(1);
  await page
    .getByRole('region', { name: /^Return/ })
    .getByRole('button', { name: /^Choose the / })
    .last()
    .click();
  await expectInView('Continue');
  await purchase.keepPlaces();
  await expectInView('Go to payment');
  await purchase.fillContact({ name: 'Ana Ferry', email: newAddress('ana') });
  await purchase.continueToPayment();
  await expectInView(/^Pay \$/);
});

test('the calendar with its prices covers neither the label nor the field that it belongs to', async ({
  page,
  purchase,
}) => {
  await purchase.open();
  for (const [width, height] of [
    [1280, 800],
    [1280, 560],
    [320, 640],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.getByRole('button', { name: /^Change date/ }).click();
    const calendar = page.getByRole('dialog', { name: 'Choose a date' });
    await expect(calendar.getByRole('gridcell', { name: /, from \$/ }).last()).toBeVisible();
    await expectAccessible(page);
    expect(await calendar.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    // On phones it repeats the label, because it takes the lower half of the screen.
    if (width === 320) await expect(calendar.getByText('Leave on')).toBeVisible();
    else expect(await overlap(calendar, page.locator('label', { hasText: 'Leave on' }))).toBe(false);
    await page.keyboard.press('Escape');
    await expect(calendar).toBeHidden();
  }
});

async function overlap(one: Locator, other: Locator): Promise<boolean> {
  const [a, b] = await Promise.all([one.boundingBox(), other.boundingBox()]);
  if (!a || !b) throw new Error('One of them is not shown.');
  const isApart =
    a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
  return !isApart;
}

test('with text twice as large the bars along the lower edge take at most a quarter of the screen', async ({
  page,
  purchase,
}) => {
  await purchase.open();
  expect(await fixedBars(page)).toEqual(['sticky']);
  await page.goto(`${ORIGINS.portal}/sign_in`);
  await signInQuietly(page, { name: '', ...DEMO_CUSTOMER });
  await page.goto(`${ORIGINS.portal}/trip_cards`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await fixedBars(page)).toEqual(['fixed']);
  for (const address of [page.url(), ORIGINS.tickets]) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    for (const [width, height] of [
      [390, 844],
      [320, 568],
      [844, 390],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect
        .poll(() => heightOfBars(page), { message: `${address} at ${width} by ${height} pixels` })
        .toBeLessThanOrEqual(height / 4);
    }
  }
});

test('with text twice as large at 320 pixels no step of a purchase scrolls sideways or cuts text', async ({
  page,
  purchase,
  complaints,
}) => {
  test.slow();
  complaints.expected.push(/status of 40[24]/);
  await purchase.open();
  await page.getByRole('radio', { name: 'Return' }).check();
  await page.getByRole('button', { name: 'More: Adult' }).click();
  await expectFitsLargeText(page);
  await purchase.showSailings(1);
  await expectFitsLargeText(page);
  await purchase.chooseSailing(1);
  const wayBack = page.getByRole('region', { name: /^Return/ });
  await wayBack
    .getByRole('button', { name: /^Choose the / })
    .last()
    .click();
  await expect(page.getByRole('radio', { name: 'Saver' })).toBeVisible();
  await expectFitsLargeText(page);
  await purchase.keepPlaces();
  await page.getByRole('button', { name: 'Go to payment' }).click();
  await page.getByText(/travelers.? names/i).click();
  await expect(page.getByText('Please check your details')).toBeVisible();
  await expectFitsLargeText(page);
  const email = newAddress('maria-of-a-long-name');
  await purchase.fillContact({ name: 'Maria Wolfeschlegelstein-Hausenbergerdorff', email });
  await purchase.continueToPayment();
  await purchase.payWith(CARDS.declined);
  await expect(page.getByText(/declined/).first()).toBeVisible();
  await expectFitsLargeText(page);
  await page.getByRole('button', { name: 'terms', exact: true }).first().click();
  await expectFitsLargeText(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();
  await page.getByText('Wrong address?').click();
  await expectFitsLargeText(page);
  await page.getByRole('link', { name: 'Show full screen' }).first().click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectFitsLargeText(page);
  await page.goto(ORIGINS.tickets);
  await page.getByRole('button', { name: 'Remove from this device' }).click();
  await page.getByText('Already have an order?').click();
  await expectFitsLargeText(page);
  await page.goto(`${ORIGINS.tickets}/unknown`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectFitsLargeText(page);
});

test('with text twice as large at 320 pixels no page before sign-in scrolls sideways or cuts text', async ({
  page,
  complaints,
}) => {
  complaints.expected.push(/status of 404/);
  for (const path of ['/account/verify/unknown', '/password/new', '/unknown']) {
    await page.goto(ORIGINS.portal + path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectFitsLargeText(page);
  }
  for (const path of ['/sign_in', '/sign_up', '/password/reset']) {
    await page.goto(ORIGINS.portal + path);
    await page
      .locator('main')
      .getByRole('button', { name: /^(Sign in|Create|Email me a link)/ })
      .click();
    await expect(page.getByText(/^Enter/).first()).toBeVisible();
    await expectFitsLargeText(page);
  }
  await page.getByLabel('Email').fill(newAddress('customer-with-a-long-address'));
  await page.getByRole('button', { name: 'Email me a link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await expectFitsLargeText(page);
});

test('with text twice as large at 320 pixels no page of the account scrolls sideways or cuts text', async ({
  page,
}) => {
  test.slow();
  await page.goto(`${ORIGINS.portal}/sign_in`);
  await signInQuietly(page, { name: '', ...DEMO_CUSTOMER });
  const visit = async (path: string) => {
    await page.goto(ORIGINS.portal + path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
  };
  for (const path of ['/orders?view=all', '/account', '/payment_methods', '/security']) {
    await visit(path);
    await expectFitsLargeText(page);
  }
  await visit('/orders');
  await page.getByRole('link', { name: 'Order details' }).click();
  await expect(page.getByRole('img', { name: /^Ticket code/ }).first()).toBeVisible();
  await expectFitsLargeText(page);
  await visit('/trip_cards');
  await expectFitsLargeText(page);
  const screens = page.locator('main').getByRole('link', { name: /^(Balance history|Top-ups)/ });
  await expect(screens.first()).toBeVisible();
  const addresses = await screens.evaluateAll((links) =>
    links.map((link) => (link as HTMLAnchorElement).pathname),
  );
  // Those of one card: all have the same screens, and other tests give the customer more.
  for (const address of addresses.slice(0, 2)) {
    await visit(address);
    await expectFitsLargeText(page);
  }
});

test('with text twice as large at 320 pixels no dialog of the account scrolls sideways or cuts text', async ({
  page,
}) => {
  test.slow();
  await page.goto(`${ORIGINS.portal}/sign_in`);
  await signInQuietly(page, { name: '', ...DEMO_CUSTOMER });
  const checkDialog = async (open: () => Promise<void>) => {
    await open();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectFitsLargeText(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  };
  await page.goto(`${ORIGINS.portal}/trip_cards`);
  const menu = page.getByRole('button', { name: /^More for/ }).first();
  await menu.click();
  const items = (await page.getByRole('menuitem').allInnerTexts()).filter((item) => !/freeze/i.test(item));
  await expectFitsLargeText(page);
  await page.keyboard.press('Escape');
  for (const item of items) {
    await checkDialog(async () => {
      await menu.click();
      await page.getByRole('menuitem', { name: item }).click();
    });
  }
  for (const button of ['Get a new card', 'Add a plastic card']) {
    await checkDialog(() => page.getByRole('button', { name: button }).click());
  }
  await page
    .getByRole('link', { name: /^Show code/ })
    .first()
    .click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectFitsLargeText(page);
  for (const [path, button] of [
    ['/account', 'Delete my account'],
    ['/security', 'Set up an authenticator'],
  ] as const) {
    await page.goto(ORIGINS.portal + path);
    await checkDialog(() => page.getByRole('button', { name: button }).click());
  }
});

/** In print: light colors, codes of at least 4 cm, tickets not split over pages, and no controls. */
async function expectPrintableTickets(page: Page): Promise<void> {
  const codes = page.getByRole('img', { name: /^Ticket code (?!for)/ });
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  // The width of a sheet between its margins.
  await page.setViewportSize({ width: 703, height: 1000 });
  await expect(codes).toHaveCount(2);
  const widths = await codes
    .locator('path')
    .evaluateAll((all) => all.map((code) => code.getBoundingClientRect().width));
  expect(Math.min(...widths) / PIXELS_PER_CM).toBeGreaterThanOrEqual(4);
  await expect(page.getByRole('button')).toHaveCount(0);
  const paper = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  expect(paper).toBe('rgb(255, 255, 255)');
}

const PIXELS_PER_CM = 96 / 2.54;

/** How the bars that do not scroll along with the page are kept in place. */
function fixedBars(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('[data-tab-bar], [data-sticky-bar]')]
      .map((bar) => getComputedStyle(bar).position)
      .filter((position) => position !== 'static'),
  );
}

function heightOfBars(page: Page): Promise<number> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('[data-tab-bar], [data-sticky-bar]')]
      .filter((bar) => getComputedStyle(bar).position !== 'static')
      .reduce((sum, { offsetHeight }) => sum + offsetHeight, 0),
  );
}

async function expectBeside(page: Page, summary: Locator, content: Locator): Promise<void> {
  await expect(content).toBeVisible();
  await expectDesktopLayout(page);
  const left = (await content.boundingBox())!;
  const right = (await summary.boundingBox())!;
  expect(right.x, 'the summary begins where the content ends').toBeGreaterThan(left.x + left.width);
}

/** At every desktop size: the same edges from the header to the footer, and nothing cut or beyond them. */
async function expectDesktopLayout(page: Page): Promise<void> {
  for (const size of DESKTOPS) {
    await page.setViewportSize(size);
    const { header, content, outside, overhang } = await measureLayout(page);
    const where = `${page.url()} at ${size.width} pixels`;
    expect(content, where).toEqual(header);
    expect(outside, where).toEqual([]);
    expect(overhang, where).toBe(0);
  }
}

function measureLayout(page: Page) {
  return page.evaluate(() => {
    const edges = (...elements: (Element | null)[]) => {
      const boxes = elements.flatMap((element) => {
        if (element === null) return [];
        const { left, right } = element.getBoundingClientRect();
        const { paddingLeft, paddingRight } = getComputedStyle(element);
        return [
          { left: left + Number.parseFloat(paddingLeft), right: right - Number.parseFloat(paddingRight) },
        ];
      });
      return {
        left: Math.round(Math.min(...boxes.map(({ left }) => left))),
        right: Math.round(Math.max(...boxes.map(({ right }) => right))),
      };
    };
    const main = document.querySelector('main');
    const content = edges(document.querySelector('nav'), main);
    // Buttons are excluded, because one without a border is wider than its text, which is aligned.
    const outside = [...(main?.querySelectorAll(':not(button)') ?? [])]
      .filter((element) => element.checkVisibility() && !element.closest('.visually-hidden, svg *'))
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect();
        return width > 0 && (left < content.left - 1 || right > content.right + 1);
      })
      .map((element) => `${element.tagName} ${element.textContent?.slice(0, 40)}`);
    return {
      header: edges(document.querySelector('header > :last-child')),
      content,
      outside,
      overhang: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    };
  });
}
