import { expect, type Page } from '@playwright/test';
import type { GateOffice } from '../support/gate-office.ts';

/** Opens the page of an order as its buyer, without an account. */
export async function openOrderPage(
  openBrowser: () => Promise<Page>,
  { ticketsOrigin }: Pick<GateOffice, 'ticketsOrigin'>,
  id: string,
): Promise<Page> {
  const page = await openBrowser();
  await page.goto(`${ticketsOrigin}/orders/${id}/confirmation`);
  return page;
}

/** Moves all tickets to the boat that is offered instead of a canceled one. */
export async function moveToOfferedBoat(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /^Travel at / })
    .first()
    .click();
  await page.getByRole('button', { name: 'Move all tickets' }).click();
  await expect(page.getByText(/^You now travel at /)).toBeVisible();
}
