import { expect, type Page } from '@playwright/test';
import { ORIGINS } from '../support/addresses.ts';
import { PurchasePage } from './purchase-page.ts';

/** The Payment Methods page of a newly signed-in customer, by its actions. */
export class WalletPage {
  readonly page: Page;
  readonly purchase: PurchasePage;

  constructor(page: Page) {
    this.page = page;
    this.purchase = new PurchasePage(page);
  }

  get cards() {
    return this.page.getByRole('list', { name: 'Saved cards' }).getByRole('listitem');
  }

  async open(): Promise<void> {
    await this.page.goto(`${ORIGINS.portal}/payment_methods`);
    await expect(this.page.getByRole('heading', { level: 1, name: 'Payment Methods' })).toBeVisible();
  }

  async startAdding(): Promise<void> {
    await this.page.getByRole('button', { name: 'Add a card' }).click();
    await expect(this.purchase.cardForm.getByLabel('Card number')).toBeVisible();
  }

  async send(number: string): Promise<void> {
    await this.purchase.fillCard(number);
    await this.page.getByRole('button', { name: 'Add this card' }).click();
  }

  async choose(card: string, action: string): Promise<void> {
    await this.page.getByRole('button', { name: `Change ${card}` }).click();
    await this.page.getByRole('menuitem', { name: action }).click();
  }
}
