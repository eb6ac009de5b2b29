import { expect } from '@playwright/test';
import { CARDS, PurchasePage } from './pages/purchase-page.ts';
import { ORIGINS } from './support/addresses.ts';
import { expectAccessibleInBothSchemes, mailsTo, newAddress, send, test } from './support/fixtures.ts';
import { acceptWithPassword, invite } from './support/staff-people.ts';

/** A boat of the day after tomorrow, so that tickets for it are sold online at any hour. */
async function findBoat(): Promise<string> {
  const routes = (await send(ORIGINS.tickets, 'GET', '/api/routes')).body.data as {
    id: string;
    code: string;
  }[];
  const route = routes.find(({ code }) => code === 'MAD-HER');
  const inTwoDays = new Date(Date.now() + 48 * 3_600_000);
  const date = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' }).format(inTwoDays);
  const path = `/api/sailings?route_id=${route?.id}&date=${date}&passengers[adult]=1`;
  const [sailing] = (await send(ORIGINS.tickets, 'GET', path)).body.data as { id: string }[];
  return sailing?.id ?? '';
}

test('a telephone sale: the desk mails a payment link, and the buyer pays for the held places', async ({
  page,
  openBrowser,
}) => {
  test.setTimeout(180_000);
  const email = newAddress('phone');
  await acceptWithPassword(page, (await invite('desk', 'Grace Hopper')).link);
  await page.goto(`${ORIGINS.staff}/boats/${await findBoat()}`);
  await page.getByRole('button', { name: 'Sell tickets' }).click();
  await page.getByRole('button', { name: 'Show the price' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Payment link by email').click();
  await dialog.getByRole('button', { name: 'Hold the places and mail the link' }).click();
  await expect(dialog.getByText('Enter the buyer’s name.').first()).toBeVisible();
  await dialog.getByLabel('The buyer’s name').fill('Beatrix Halvorsen');
  await dialog.getByLabel('The buyer’s email').fill(email);
  await expectAccessibleInBothSchemes(page);
  await dialog.getByRole('button', { name: 'Hold the places and mail the link' }).click();
  const sent = page.getByRole('dialog', { name: 'The payment link is mailed' });
  await expect(sent).toContainText(email);
  await expectAccessibleInBothSchemes(page);
  await sent.getByRole('link').click();
  const waiting = page.getByText(`${email} has a link to pay by card.`);
  await expect(waiting).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await page.getByRole('button', { name: 'Mail the link again' }).click();
  await expect(page.getByRole('list', { name: 'History' })).toContainText('Mailed the payment link again');

  const [mail] = await mailsTo(email, 2);
  expect(mail?.subject).toMatch(/^Pay for your ferry tickets · /);
  const link = /https?:\S+\/orders\/ord_\w+\/confirmation/.exec(mail?.text ?? '')?.[0] ?? '';
  const buyer = await openBrowser();
  await buyer.goto(link);
  await expect(buyer.getByText(/^Your places are kept for you until /)).toBeVisible();
  await expectAccessibleInBothSchemes(buyer);
  const purchase = new PurchasePage(buyer);
  await purchase.payButton.click();
  await expect(buyer.getByRole('timer')).toHaveText(/^1:5\d:\d\d$/);
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();
  expect((await mailsTo(email, 3))[0]?.subject).toMatch(/^Your ferry tickets · /);

  await page.reload();
  await expect(page.getByRole('list', { name: 'History' })).toContainText('Paid $9.25');
  await expect(waiting).toBeHidden();
});
