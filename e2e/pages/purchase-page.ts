import { expect, type FrameLocator, type Locator, type Page } from '@playwright/test';
import type { Translate } from '#messages/translate.ts';
import { textsIn } from '#server/core/texts.ts';
import { ORIGINS } from '../support/addresses.ts';
import { dayAhead } from '../support/day-ahead.ts';
import { ANY, named } from '../support/named.ts';

export const CARDS = {
  pays: '4242424242424242',
  paysByDebit: '4000056655665556',
  paysByPrepaid: '5105105105105100',
  declined: '4000000000000002',
  insufficientFunds: '4000000000009995',
  lost: '4000000000009987',
  stolen: '4000000000009979',
  expired: '4000000000000069',
  wrongCode: '4000000000000127',
  processingError: '4000000000000119',
  asksForAuthentication: '4000000000003220',
  failsAfterAuthentication: '4000008400001629',
} as const;

/** The purchase screen of the public host, by the buyer's actions, in the language of the page. */
export class PurchasePage {
  readonly page: Page;
  readonly t: Translate;
  readonly sailings: Locator;
  readonly payButton: Locator;
  readonly cardForm: FrameLocator;
  /** The 3-D Secure page. */
  readonly bankPage: FrameLocator;
  readonly walletSheet: FrameLocator;

  constructor(page: Page, language = 'en') {
    this.page = page;
    const t = textsIn(language);
    this.t = t;
    this.sailings = page
      .getByRole('list', { name: named(t('Sailings on {day}', { day: ANY })) })
      .getByRole('listitem');
    this.payButton = page.getByRole('button', { name: named(t('Pay {amount}', { amount: ANY })) });
    this.bankPage = page.frameLocator('dialog iframe');
    this.walletSheet = page.frameLocator('dialog iframe[title="Google Pay"]');
    this.cardForm = page.frameLocator('iframe[title="Secure payment input frame"]');
  }

  async open(path = '/'): Promise<void> {
    await this.page.goto(path);
    await expect(this.page.getByRole('heading', { level: 1 })).toBeVisible();
    await this.waitUntilUsable();
  }

  /** The prerendered page is readable before it answers: waits until the app has taken it over. */
  async waitUntilUsable(): Promise<void> {
    await expect(this.page.getByRole('button', { name: this.t('Show sailings') })).toBeEnabled();
  }

  /** Goes on to the sailings of the day after tomorrow, when every sailing of the day is still on sale. */
  async showSailings(daysAhead = 2): Promise<void> {
    await this.page.getByRole('button', { name: this.t('Show sailings') }).click();
    await this.expectDay();
    for (let day = 0; day < daysAhead; ) day += await this.goToLaterDay(daysAhead - day);
    if (daysAhead > 0) await expect(this.sailings.first()).toBeVisible();
  }

  /** The same by a link, from the usual port and for one adult. */
  async openSailings(daysAhead = 2): Promise<void> {
    await this.page.goto(`/?from=MAD&to=HER&date=${dayAhead(daysAhead)}`);
    await expect(this.chooseButtons.first()).toBeVisible();
  }

  /** The sailings of the shown day. Today may have none left. */
  async expectDay(): Promise<void> {
    const { t } = this;
    const none = [t('No sailings on this day'), t('No tickets left online for this day')].map((name) =>
      this.page.getByRole('heading', { level: 3, name }),
    );
    await expect(none.reduce((shown, each) => shown.or(each), this.sailings).first()).toBeVisible();
  }

  /** Goes that many days ahead, or as many as are shown. @returns how many */
  async goToLaterDay(
    ahead: number,
    press = (button: Locator): Promise<void> => button.click(),
  ): Promise<number> {
    const days = this.page.getByRole('list', { name: this.t('Days with their lowest price') });
    const later = days.locator('li:has([aria-pressed="true"]) ~ li').getByRole('button');
    const shown = Math.min(ahead, await later.count());
    if (shown === 0) {
      await this.page.getByRole('button', { name: this.t('Later days') }).click();
      await days.getByRole('button').first().click();
      await this.expectDay();
      return 1;
    }
    const button = later.nth(shown - 1);
    const day = (await button.locator('span').first().innerText()).replaceAll(/\s+/g, ' ');
    await press(button);
    await expect(days.getByRole('button', { pressed: true })).toContainText(day);
    await this.expectDay();
    return shown;
  }

  get chooseButtons(): Locator {
    const name = named(this.t('Choose the {departure} sailing', { departure: ANY }));
    return this.page.getByRole('button', { name });
  }

  async chooseSailing(index = 0): Promise<void> {
    await this.chooseButtons.nth(index).click();
  }

  /** From the chosen sailings to the details, which takes the places. */
  async keepPlaces(): Promise<void> {
    // The prices move the button when they arrive.
    const { t } = this;
    const prices = named(t('{fare}: what you pay', { fare: ANY }));
    await expect(this.page.getByRole('heading', { name: prices })).toBeVisible();
    await this.page.getByRole('button', { name: t('Continue'), exact: true }).click();
    await expect(this.page.getByRole('heading', { name: t('Your details') })).toBeVisible();
  }

  async fillContact(contact: { name: string; email: string; plate?: string }): Promise<void> {
    const { t } = this;
    await this.page.getByLabel(t('Name')).fill(contact.name);
    await this.page.getByLabel(t('Email')).fill(contact.email);
    if (contact.plate) await this.page.getByLabel(t('License plate')).fill(contact.plate);
  }

  /** A signed-in customer may choose from saved cards there instead of filling in a form. */
  async leaveDetails(): Promise<void> {
    await this.page.getByRole('button', { name: this.t('Go to payment') }).click();
    await expect(this.page.getByRole('heading', { name: this.t('Payment') })).toBeVisible();
  }

  async continueToPayment(): Promise<void> {
    await this.leaveDetails();
    await expect(this.cardForm.getByLabel('Card number')).toBeVisible();
  }

  /** One-way, one adult, no vehicle, as far as the details, filled in. */
  async goToDetails(contact: { name: string; email: string }, sailing = 0): Promise<void> {
    await this.openSailings();
    await this.chooseSailing(sailing);
    await this.keepPlaces();
    await this.fillContact(contact);
  }

  /** The same, as far as the card form. */
  async goToPayment(contact: { name: string; email: string }, sailing = 0): Promise<void> {
    await this.goToDetails(contact, sailing);
    await this.continueToPayment();
  }

  /** One-way, one adult, paid. */
  async buyTicket(contact: { name: string; email: string }): Promise<void> {
    await this.goToPayment(contact);
    await this.payWith('4242424242424242');
    await this.expectTickets();
  }

  /** One-way, one adult, as far as the payment, for a signed-in customer whose details are known. */
  async goToOwnPayment(sailing = 0): Promise<void> {
    await this.open(ORIGINS.tickets);
    await this.showSailings();
    await this.chooseSailing(sailing);
    await this.page.getByRole('button', { name: 'Continue', exact: true }).click();
    await expect(this.page.getByRole('heading', { name: 'Payment' })).toBeVisible();
  }

  async fillCard(number: string): Promise<void> {
    await this.cardForm.getByLabel('Card number').fill(number);
    await this.cardForm.getByLabel(/expir/i).fill('12/34');
    await this.cardForm.getByLabel(/security code|cvc/i).fill('123');
  }

  async payWith(number: string): Promise<void> {
    await this.fillCard(number);
    await this.payButton.click();
  }

  /** Pays with one of the stand-in wallet's cards. */
  async payByWallet(lastFour: string): Promise<void> {
    const title = 'iframe[title="Secure payment button frame"]';
    await this.page.locator(title).scrollIntoViewIfNeeded();
    await this.page.frameLocator(title).getByRole('button', { name: 'Google Pay' }).click();
    await this.walletSheet.getByRole('radio', { name: lastFour }).check();
    await this.walletSheet.getByRole('button', { name: /^Pay \$/ }).click();
  }

  /** Completes or fails the challenge in the 3-D Secure window. */
  async answerBank(answer: 'Complete authentication' | 'Fail authentication'): Promise<void> {
    await this.bankPage.getByRole('button', { name: answer }).click();
  }

  async expectTickets(): Promise<void> {
    await expect(this.page).toHaveURL(/\/orders\/ord_[0-9a-z]{26}\/confirmation/);
    const title = this.page.getByRole('heading', { level: 1, name: / → / });
    await expect(title).toBeVisible();
  }

  /** Taps as a customer does on a phone, from the home screen to the fares of a sailing of the next day. */
  async tapToContinue(): Promise<void> {
    await this.page.getByRole('button', { name: this.t('Show sailings') }).tap();
    await this.expectDay();
    await this.goToLaterDay(1, (button) => button.tap());
    await this.chooseButtons.first().tap();
    // The price breakdown appears above the button with it, and would move under a tap in that moment.
    await expect(this.page.locator('[data-sticky-bar]')).toContainText('$');
    await this.page.getByRole('button', { name: 'Continue', exact: true }).tap();
  }

  /** The reference shown with the order, on the payment step or the confirmation. */
  async reference(): Promise<string> {
    const text = (await this.page.locator('main').allInnerTexts()).join(' ');
    return /\b[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}\b/.exec(text)?.[0] ?? '';
  }

  orderId(): string {
    return /ord_[0-9a-z]{26}/.exec(this.page.url())?.[0] ?? '';
  }
}
