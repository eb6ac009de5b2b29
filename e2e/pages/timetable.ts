import { expect, type Page } from '@playwright/test';
import type { GateOffice } from '../support/gate-office.ts';
import { PurchasePage } from './purchase-page.ts';

/** The first day of a month, and the day before it, at least a week ahead. */
export function nextMonth(): { first: string; last: string } {
  const soon = new Date(Date.now() + 8 * 86_400_000);
  const first = Date.UTC(soon.getUTCFullYear(), soon.getUTCMonth() + 1, 1);
  const format = (instant: number) => new Date(instant).toISOString().slice(0, 10);
  return { first: format(first), last: format(first - 86_400_000) };
}

/** The server reads a timetable after everything else that it has to do. */
export async function pressAndWait(page: Page, button: string, path: string): Promise<void> {
  const answered = page.waitForResponse((response) => response.url().endsWith(path), { timeout: 180_000 });
  await page.getByRole('button', { name: button }).click();
  await answered;
}

/** Raises the price of one row of the table from a day of travel on. */
export async function raisePrice(
  page: Page,
  { row, percent, from }: { row: string; percent: string; from: string },
): Promise<void> {
  await page.getByLabel('Line', { exact: true }).selectOption('madrona-heron');
  await page.getByLabel('Type', { exact: true }).selectOption('adult');
  await page.getByLabel(`Choose ${row}`, { exact: true }).check();
  await page.getByRole('button', { name: 'New price from a day on' }).click();
  const dialog = page.getByRole('dialog', { name: 'New price of 1 row' });
  await dialog.getByLabel('First day of travel').fill(from);
  await dialog.getByLabel('Percent', { exact: true }).fill(percent);
  await dialog.getByRole('button', { name: 'Change the rows' }).click();
  await expect(page.getByLabel(`Amount: ${row}`, { exact: true })).toHaveCount(2);
}

/** Expects the price of an adult to Heron Island where customers buy. */
export async function expectPrice(
  buyer: Page,
  { ticketsOrigin }: Pick<GateOffice, 'ticketsOrigin'>,
  day: string,
  price: string,
): Promise<void> {
  await buyer.goto(`${ticketsOrigin}/?from=MAD&to=HER&date=${day}`);
  // The boat after midnight belongs to the day before.
  await expect(new PurchasePage(buyer).sailings.filter({ hasText: 'PM arrives' }).first()).toContainText(
    price,
  );
}
