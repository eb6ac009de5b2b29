import { expect, type Locator, type Page } from '@playwright/test';
import { ORIGINS } from '../support/addresses.ts';

/** The portal's sign-in screens, by the customer's actions. */
export class SignInPage {
  readonly page: Page;
  readonly email: Locator;
  readonly password: Locator;
  readonly signIn: Locator;
  readonly mailCode: Locator;
  readonly usePasskey: Locator;
  /** Of the mailed code and the second step alike. */
  readonly code: Locator;

  constructor(page: Page) {
    this.page = page;
    this.email = page.getByLabel('Email', { exact: true });
    this.password = page.getByLabel('Password', { exact: true });
    this.signIn = page.getByRole('button', { name: 'Sign in', exact: true });
    this.mailCode = page.getByRole('button', { name: 'Email me a code instead' });
    this.usePasskey = page.getByRole('button', { name: 'Use a passkey', exact: true });
    this.code = page.getByRole('textbox', { name: /code/i });
  }

  async open(): Promise<void> {
    await this.page.goto(`${ORIGINS.portal}/sign_in`);
    await expect(this.heading('Sign in')).toBeVisible();
  }

  heading(name: string | RegExp): Locator {
    return this.page.getByRole('heading', { level: 1, name });
  }

  async fill(person: { email: string; password: string }): Promise<void> {
    await this.email.fill(person.email);
    await this.password.fill(person.password);
  }

  async signInWith(person: { email: string; password: string }): Promise<void> {
    await this.fill(person);
    await this.signIn.click();
  }

  async askForCode(email: string): Promise<void> {
    await this.email.fill(email);
    await this.mailCode.click();
    await expect(this.heading('Check your email')).toBeVisible();
  }

  async expectSignedIn(path = '/orders'): Promise<void> {
    await expect(this.page).toHaveURL(ORIGINS.portal + path);
    await expect(this.page.getByRole('button', { name: /account menu/i })).toBeVisible();
  }
}

/** A card of `/account` and `/security`, by its title. */
export function card(page: Page, title: string): Locator {
  return page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name: title }) });
}

/** Presses Tab until the control has the focus, as a customer without a mouse does. */
export async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  await expect(control).toBeFocused();
}
