import { expect } from '@playwright/test';
import { expectFocusSeen, walkTo } from './pages/keyboard.ts';
import { SignInPage } from './pages/portal-pages.ts';
import { CARDS } from './pages/purchase-page.ts';
import { ORIGINS } from './support/addresses.ts';
import { newAddress, test } from './support/fixtures.ts';
import { openAccount } from './support/people.ts';

test('a ticket is chosen and paid for by keyboard alone, with the focus always visible', async ({
  purchase,
  page,
}) => {
  test.slow();
  await purchase.open();
  await walkTo(page, page.getByRole('combobox', { name: 'From' }));
  await page.keyboard.type('Heron');
  await expect(page.getByRole('combobox', { name: 'From' }).locator('option:checked')).toHaveText(/^Heron/);
  await walkTo(page, page.getByRole('button', { name: /^(More|One more|Add).*Adult/ }));
  await page.keyboard.press('Enter');
  await walkTo(page, page.getByRole('button', { name: 'Show sailings' }));
  await page.keyboard.press('Enter');

  await purchase.expectDay();
  await purchase.goToLaterDay(1, async (button) => {
    await walkTo(page, button);
    await page.keyboard.press('Space');
  });
  await walkTo(page, page.getByRole('button', { name: /^Choose the / }).first());
  await page.keyboard.press('Enter');
  await walkTo(page, page.getByRole('button', { name: 'Continue', exact: true }));
  await page.keyboard.press('Enter');

  await expect(page.getByRole('heading', { name: 'Your details' })).toBeFocused();
  await walkTo(page, page.getByLabel('Name'));
  await page.keyboard.type('Kim Keys');
  await walkTo(page, page.getByLabel('Email'));
  await page.keyboard.type(newAddress('kim'));
  await walkTo(page, page.getByRole('button', { name: 'Go to payment' }));
  await page.keyboard.press('Enter');

  await expect(page.getByRole('heading', { name: 'Payment' })).toBeFocused();
  const number = purchase.cardForm.getByLabel('Card number');
  await expect(number).toBeVisible();
  await walkTo(page, number);
  await page.keyboard.type(CARDS.pays);
  await walkTo(page, purchase.cardForm.getByLabel(/expir/i));
  await page.keyboard.type('1234');
  await walkTo(page, purchase.cardForm.getByLabel(/security code|cvc/i));
  await page.keyboard.type('123');
  await walkTo(page, purchase.payButton);
  await page.keyboard.press('Enter');
  await purchase.expectTickets();
});

test('a customer signs in by keyboard alone, also after a wrong password, and signs out by the menu', async ({
  page,
  complaints,
}) => {
  complaints.expected.push(/status of 422/);
  const person = await openAccount('Kay');
  const screen = new SignInPage(page);
  await screen.open();
  await walkTo(page, screen.email);
  await page.keyboard.type(person.email);
  await walkTo(page, screen.password);
  await page.keyboard.type('not the password');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'We could not sign you in' })).toBeFocused();

  await walkTo(page, screen.password);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(person.password);
  await walkTo(page, screen.signIn);
  await page.keyboard.press('Enter');
  await screen.expectSignedIn();

  await walkTo(page, page.getByRole('button', { name: /account menu/i }));
  await page.keyboard.press('Enter');
  const signOut = page.getByRole('menuitem', { name: 'Sign out' });
  await expect(signOut).toBeVisible();
  await page.keyboard.press('End');
  await expect(signOut).toBeFocused();
  await expectFocusSeen(page);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`${ORIGINS.portal}/sign_in`);
});
