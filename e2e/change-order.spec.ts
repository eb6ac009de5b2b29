import { expect, type Locator, type Page } from '@playwright/test';
import { CARDS, type PurchasePage } from './pages/purchase-page.ts';
import { expectFitsLargeText } from './pages/text-overflow.ts';
import { expectAccessibleInBothSchemes, mailsTo, newAddress, test } from './support/fixtures.ts';
import { codeIn, mailAbout } from './support/people.ts';

/** Buys tickets for one adult. */
async function buy(purchase: PurchasePage, email: string, choose: () => Promise<void>): Promise<void> {
  await purchase.open();
  await choose();
  await purchase.keepPlaces();
  await purchase.fillContact({ name: 'Ana Ferry', email });
  await purchase.continueToPayment();
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();
}

/** Opens the change of an order, and chooses what is changed. */
async function openChange(page: Page, what: string): Promise<void> {
  await page.getByRole('link', { name: 'Change order' }).click();
  await expect(page.getByRole('heading', { name: 'Change your order' })).toBeVisible();
  await page.getByRole('radio', { name: what }).check();
}

/** The first sailing that a list offers. @returns its time */
async function chooseFirst(list: Locator): Promise<string> {
  const button = list.getByRole('button', { name: /^Choose the / }).first();
  const time = /\d+:\d\d [AP]M/.exec((await button.getAttribute('aria-label')) ?? '')?.[0] ?? 'no time';
  await button.click();
  return time;
}

async function enterCode(page: Page, email: string): Promise<void> {
  const earlier = (await mailsTo(email)).filter(({ subject }) => /code/i.test(subject));
  await page.getByRole('button', { name: 'Email me a code' }).click();
  const mail = await mailAbout(email, /code/i, earlier);
  await page.getByLabel('Code from the email').fill(codeIn(mail));
}

const ticketsOn = (page: Page) => page.getByRole('heading', { level: 1, name: / → / });
const sailingsOn = (page: Page) => page.getByRole('list', { name: /^Sailings on/ });

test('a guest gives up an interrupted change, then adds a person and pays the difference by 3-D Secure', async ({
  purchase,
  page,
}) => {
  test.slow();
  const email = newAddress('change');
  await buy(purchase, email, async () => {
    await purchase.showSailings();
    await purchase.chooseSailing(1);
  });
  const confirmation = page.url();
  await openChange(page, 'Your trip');
  await page.getByRole('button', { name: 'More: Adult' }).click();
  await expectAccessibleInBothSchemes(page);
  await chooseFirst(sailingsOn(page));
  await expect(page.getByText('Already paid for your earlier tickets')).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await expectFitsLargeText(page);
  await enterCode(page, email);
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await expect(page.getByText('Your tickets stay valid until this is paid.')).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await purchase.payWith(CARDS.asksForAuthentication);
  await expect(purchase.bankPage.getByRole('button', { name: 'Complete authentication' })).toBeVisible();
  await page.reload();
  await page.getByRole('button', { name: 'Do not pay' }).click();
  await expect(purchase.cardForm.getByLabel('Card number')).toBeVisible();
  await page.getByRole('button', { name: 'Keep my order as it is' }).click();
  await expect(page.getByRole('radio', { name: 'Your trip' })).toBeVisible();
  await page.goto(confirmation);
  await expect(ticketsOn(page)).toBeVisible();
  await expect(page.getByText('This order was changed.')).toBeHidden();

  await openChange(page, 'Your trip');
  await page.getByRole('button', { name: 'More: Adult' }).click();
  await chooseFirst(sailingsOn(page));
  await enterCode(page, email);
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await purchase.payWith(CARDS.asksForAuthentication);
  await purchase.answerBank('Complete authentication');
  await expect(ticketsOn(page)).toBeVisible();
  await expect(page.getByText('This order was changed.')).toBeVisible();
  await mailAbout(email, /Your order is changed/);
});

test('a guest moves both journeys of a return in one change', async ({ purchase, page }) => {
  test.slow();
  const email = newAddress('change');
  await buy(purchase, email, async () => {
    await page.getByRole('radio', { name: 'Return' }).check();
    await purchase.showSailings();
    await purchase.chooseSailing(1);
    const back = page.getByRole('region', { name: /^Return/ });
    await back
      .getByRole('button', { name: /^Choose the / })
      .last()
      .click();
    await page.getByRole('radio', { name: 'Flexible' }).check();
  });
  await openChange(page, 'Both ways');
  const out = await chooseFirst(sailingsOn(page).first());
  const wayBack = page.getByRole('region', { name: /^Return/ });
  const back = await chooseFirst(wayBack.getByRole('list', { name: /^Sailings on/ }));
  await expect(page.getByText('Already paid for your earlier tickets')).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await expectFitsLargeText(page);
  await enterCode(page, email);
  await page.getByRole('button', { name: 'Change order' }).click();
  await expect(ticketsOn(page)).toBeVisible();
  await expect(page.getByText('This order was changed.')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Outbound tickets' })).toContainText(out);
  await expect(page.getByRole('region', { name: 'Return tickets' })).toContainText(back);
  await mailAbout(email, /Your order is changed/);
});
