import { expect, type FrameLocator, type Locator, type Page } from '@playwright/test';

import { ORIGINS } from '../support/addresses.ts';

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

/** The purchase screen of the public host, by the buyer's actions. */
export class PurchasePage {
  readonly page: Page;
  readonly sailings: Locator;
  readonly payButton: Locator;
  readonly cardForm: FrameLocator;
  /** The 3-D Secure page. */
  readonly bankPage: FrameLocator;
  readonly walletSheet: FrameLocator;

  constructor(page: Page) {
    this.page = page;
    this.sailings = page.getByRole('list', { name: /^Sailings on/ }).getByRole('listitem');
    this.payButton = page.getByRole('button', { name: /^Pay \$/ });
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
    await expect(this.page.getByRole('button', { name: 'Show sailings' })).toBeEnabled();
  }

  /** Goes on to the sailings of the day after tomorrow, when every sailing of the day is still on sale. */
  async showSailings(daysAhead = 2): Promise<void> {
    await this.page.getByRole('button', { name: 'Show sailings' }).click();
    await this.expectDay();
    for (let day = 0; day < daysAhead; day += 1) {
      await this.goToNextDay((button) => button.click());
    }
    if (daysAhead > 0) await expect(this.sailings.first()).toBeVisible();
  }

  /** The sailings of the shown day. Today may have none left. */
  async expectDay(): Promise<void> {
    const none = this.page.getByRole('heading', { level: 3, name: /^No / });
    await expect(this.sailings.or(none).first()).toBeVisible();
  }

  async goToNextDay(press: (button: Locator) => Promise<void>): Promise<void> {
    const shownDay = this.page.getByText(/^\w{3}, \w{3} \d{1,2}$/).first();
    const before = await shownDay.innerText();
    await press(this.page.getByRole('button', { name: 'Next day' }).first());
    await expect(shownDay).not.toHaveText(before);
    await this.expectDay();
  }

  async chooseSailing(index = 0): Promise<void> {
    await this.page
      .getByRole('button', { name: /^Choose the / })
      .nth(index)
      .click();
  }

  /** From the chosen sailings to the details, which takes the places. */
  async keepPlaces(): Promise<void> {
    // The prices move the button when they arrive.
    await expect(this.page.getByRole('heading', { name: /: what you pay$/ })).toBeVisible();
    await this.page.getByRole('button', { name: 'Continue', exact: true }).click();
    await expect(this.page.getByRole('heading', { name: 'Your details' })).toBeVisible();
  }

  async fillContact(contact: { name: string; email: string; plate?: string }): Promise<void> {
    await this.page.getByLabel('Name').fill(contact.name);
    await this.page.getByLabel('Email').fill(contact.email);
    if (contact.plate) await this.page.getByLabel(/plate/i).fill(contact.plate);
  }

  /** A signed-in customer may choose from saved cards there instead of filling in a form. */
  async leaveDetails(): Promise<void> {
    await this.page.getByRole('button', { name: 'Go to payment' }).click();
    await expect(this.page.getByRole('heading', { name: 'Payment' })).toBeVisible();
  }

  async continueToPayment(): Promise<void> {
    await this.leaveDetails();
    await expect(this.cardForm.getByLabel('Card number')).toBeVisible();
  }

  /** One-way, one adult, no vehicle, as far as the details, filled in. */
  async goToDetails(contact: { name: string; email: string }, sailing = 0): Promise<void> {
    await this.open();
    await this.showSailings();
    await this.chooseSailing(sailing);
    await this.keepPlaces();
    await this.fillContact(contact);
  }

  /** The same, as far as the card form. */
  async goToPayment(contact: { name: string; email: string }, sailing = 0): Promise<void> {
    await this.goToDetails(contact, sailing);
    await this.continueToPayment();
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
    await expect(this.page.getByRole('heading', { level: 1, name: /your tickets/i })).toBeVisible();
  }

  /** Taps as a customer does on a phone, from the home screen to the fares of a sailing of the next day. */
  async tapToContinue(): Promise<void> {
    await this.page.getByRole('button', { name: 'Show sailings' }).tap();
    await this.expectDay();
    await this.goToNextDay((button) => button.tap());
    await this.page
      .getByRole('button', { name: /^Choose the / })
      .first()
      .tap();
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
