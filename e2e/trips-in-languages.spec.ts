import { spawnSync } from 'node:child_process';
import { expect, type Page } from '@playwright/test';
import { textsIn } from '#server/core/texts.ts';
import { request } from '#tests/process/http-client.ts';
import { CARDS } from './pages/purchase-page.ts';
import { expectFitsLargeText } from './pages/text-overflow.ts';
import { PORT } from './support/addresses.ts';
import { type Mail, newAddress, test } from './support/fixtures.ts';
import { ANY, named } from './support/named.ts';
import { codeIn, mailAbout } from './support/people.ts';
import { expectNoEnglish } from './support/untranslated.ts';

const t = textsIn('de');
const hasPdfReader = !spawnSync('pdftotext', ['-v']).error;

async function expectGerman(page: Page): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  expectNoEnglish(await page.locator('main').innerText(), 'de');
  await expectFitsLargeText(page);
}

function expectGermanMail({ subject, text }: Mail): void {
  expectNoEnglish(`${subject} ${text}`, 'de');
}

test.describe('in a German browser', () => {
  test.use({ locale: 'de-DE' });

  test('a trip is bought, carried and refunded in German, from the search to the mails, the PDF and the calendar', async ({
    page,
    purchase,
  }) => {
    test.slow();
    const email = newAddress('gerda');
    await purchase.open();
    await expectGerman(page);
    await purchase.showSailings();
    await expectGerman(page);
    await purchase.chooseSailing(1);
    await purchase.keepPlaces();
    await expectGerman(page);
    await purchase.fillContact({ name: 'Gerda Fähr', email });
    await purchase.continueToPayment();
    await expectGerman(page);
    await purchase.payWith(CARDS.pays);
    await purchase.expectTickets();
    await expect(page.getByRole('article').first()).toBeVisible();
    await expectGerman(page);

    const bought = await mailAbout(email, named(`${t('Your ferry tickets')}${ANY}`));
    expect(bought.text).toContain(t('Reference'));
    expectGermanMail(bought);
    const id = purchase.orderId();
    const calendar = await request(PORT, `/api/orders/${id}/calendar.ics`);
    const events = calendar.text.replaceAll('\r\n ', '');
    expect(events).toContain(
      t('Ferry {origin} to {destination}', { origin: 'Port Madrona', destination: 'Heron Island' }),
    );
    expectNoEnglish(events, 'de');
    await expectGermanPdf(id);

    await page.getByRole('button', { name: t('Cancel tickets') }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: t('See your refund') }).click();
    await expect(dialog.getByRole('heading', { name: t('Your refund') })).toBeVisible();
    expectNoEnglish(await dialog.innerText(), 'de');
    await dialog.getByRole('button', { name: t('Email me a code') }).click();
    await dialog.getByLabel(t('Code from the email')).fill(codeIn(await mailAbout(email, /\d{6}/)));
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('heading', { name: t('Your order is canceled') })).toBeVisible();
    expectNoEnglish(await dialog.innerText(), 'de');
    await dialog.getByRole('button', { name: t('Done') }).click();
    await expectGerman(page);
    expectGermanMail(await mailAbout(email, named(`${t('Your tickets are canceled')}${ANY}`)));
  });
});

async function expectGermanPdf(id: string): Promise<void> {
  if (!hasPdfReader) return;
  const { bytes } = await request(PORT, `/api/orders/${id}/tickets.pdf`);
  const { stdout } = spawnSync('pdftotext', ['-layout', '-', '-'], { input: bytes, encoding: 'utf8' });
  expect(stdout).toContain(t('Check in by').toLocaleUpperCase('de'));
  expectNoEnglish(stdout, 'de');
}

test('a companion reads a ticket that was bought in English in the language of their own browser', async ({
  page,
  purchase,
  openBrowser,
  visitor,
}) => {
  await purchase.goToPayment({ name: 'Ana Buyer', email: newAddress('ana') }, 1);
  await purchase.payWith(CARDS.pays);
  await purchase.expectTickets();
  await page.getByText('Send a ticket to someone').click();
  await page.getByLabel('Their name').fill('Grete');
  await page.getByRole('button', { name: 'Create a link' }).click();
  const link = await page.getByText(/\/shared_tickets\/[0-9a-z]{26}$/).innerText();

  const companion = await openBrowser({ locale: 'nb-NO', proxy: { server: visitor.url } });
  await companion.goto(link);
  const norwegian = textsIn('nb');
  await expect(companion.locator('html')).toHaveAttribute('lang', 'nb');
  await expect(companion.getByText(norwegian('Check in by')).first()).toBeVisible();
  expectNoEnglish(await companion.locator('main').innerText(), 'nb');
});
