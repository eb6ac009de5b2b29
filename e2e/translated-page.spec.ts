import { expect } from '@playwright/test';
import { CARDS } from './pages/purchase-page.ts';
import { ORIGINS } from './support/addresses.ts';
import { newAddress, test } from './support/fixtures.ts';
import { expectSameAsFresh, expectTrue, installTranslator, translate } from './support/page-translator.ts';
import { codeIn, giveTripCard, mailAbout, openAccount, signInQuietly } from './support/people.ts';

test('a visitor buys and cancels tickets on a page that the browser translates', async ({
  purchase,
  page,
}) => {
  test.slow();
  const email = newAddress('translated');
  await installTranslator(page);
  await purchase.open();
  await translate(page);
  await page.getByLabel('Vehicle').selectOption({ label: 'Car, SUV or pickup' });
  await page.getByRole('radio', { name: 'Exact length' }).check();
  const length = page.getByLabel('Exact length').last();
  for (const typed of ['1', '17', '17 ft', 'x', '18 ft']) {
    await length.fill(typed);
    await expectTrue(page);
  }
  await expect(page.getByText(/^That is 18 ft/)).toContainText('5.4');
  await page.getByLabel('Vehicle').selectOption({ index: 0 });
  await page.getByRole('radio', { name: 'Return' }).check();
  await page.getByRole('radio', { name: 'One way' }).check();
  await purchase.showSailings();
  await purchase.chooseSailing(2);
  await page.getByRole('radio', { name: 'Saver' }).check();
  await expectTrue(page);
  await purchase.keepPlaces();
  await purchase.fillContact({ name: 'Tara Lated', email });
  await purchase.continueToPayment();
  await expectTrue(page);
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();
  await expect(page.locator('article').getByText('Valid', { exact: true })).toBeVisible();
  await expectTrue(page);

  await page.getByRole('button', { name: 'Cancel tickets' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'See your refund' }).click();
  await dialog.getByRole('button', { name: 'Email me a code' }).click();
  await dialog.getByLabel('Code from the email').fill(codeIn(await mailAbout(email, /code/i)));
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('heading', { name: /canceled$/ })).toBeVisible();
  await expectTrue(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.locator('article').getByText('Canceled', { exact: true }).first()).toBeVisible();
  await expect(page.locator('article').getByText('Valid', { exact: true })).toHaveCount(0);
  await expectSameAsFresh(page, 'article');
});

test('a customer tops up and freezes a trip card on a page that the browser translates', async ({
  purchase,
  page,
  complaints,
}) => {
  // A code that is fetched for offline use while the card is being frozen is refused.
  complaints.expected.push(/422 .*\/offline_code/);
  const person = await openAccount('Tilde');
  await giveTripCard(person, 'Work');
  await installTranslator(page);
  await page.goto(`${ORIGINS.portal}/sign_in`);
  await signInQuietly(page, person);
  await page.goto(`${ORIGINS.portal}/trip_cards`);
  await expect(page.getByRole('heading', { level: 1, name: 'Trip Cards' })).toBeVisible();
  await translate(page);
  await page.getByRole('link', { name: 'Top up Work' }).click();
  await page.getByRole('radio', { name: '$50' }).check();
  await page.getByRole('button', { name: 'Enter card details' }).click();
  await purchase.fillCard(CARDS.asksForAuthentication);
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await purchase.answerBank('Complete authentication');
  await expect(page.getByRole('status').filter({ hasText: '$50.00 is on Work' })).toBeVisible();
  const topUps = page.getByRole('list', { name: 'Top-ups, newest first' });
  await expect(topUps.getByText('Paid', { exact: true })).toBeVisible();
  await expect(topUps.getByText('Not confirmed')).toHaveCount(0);
  await expectSameAsFresh(page, '[aria-label="Top-ups, newest first"]');

  await page.getByRole('link', { name: 'Trip Cards' }).first().click();
  const card = page.getByRole('article', { name: 'Work' });
  await expect(card.getByText('Ready to use')).toBeVisible();
  await page.getByRole('button', { name: 'More for Work' }).click();
  await page.getByRole('menuitem', { name: 'Freeze' }).click();
  await expect(card.getByText('Frozen', { exact: true })).toBeVisible();
  await expectTrue(page);
  await card.getByRole('button', { name: 'Unfreeze' }).click();
  await expect(card.getByText('Ready to use')).toBeVisible();
  await expectSameAsFresh(page, 'article');
});
