import { expect, type Page } from '@playwright/test';
import type { GateOffice } from '../support/gate-office.ts';
import { acceptQuietly } from '../support/staff-people.ts';

/** Signs in and sets the device up. */
export async function openGate(
  page: Page,
  office: GateOffice,
  { role = 'gate', name = 'Ramp 1' }: { role?: 'gate' | 'manager'; name?: string } = {},
) {
  await acceptQuietly(page, await office.invite(role));
  await page.goto(`${office.origin}/gate`);
  await page.getByLabel('Port').selectOption({ label: 'Port Madrona' });
  await page.getByLabel('Name of this device').fill(name);
  await page.getByRole('button', { name: 'Open the gate' }).click();
  await expect(page.getByText('List is up to date')).toBeVisible();
}

/** Chooses the boat of an order, which may not be the next one. The list may begin with one at the same time of the day. */
export async function chooseBoat(page: Page, time: string): Promise<void> {
  await page.getByRole('button', { name: 'Other boat', exact: true }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: new RegExp(`\\b${time} Heron Island`) })
    .last()
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(time);
}

/** The time of a local instant: "7:20 AM". */
export function clockOf(local: string): string {
  const [, hours = '', minutes = ''] = /T(\d\d):(\d\d)/.exec(local) ?? [];
  return `${Number(hours) % 12 || 12}:${minutes} ${Number(hours) < 12 ? 'AM' : 'PM'}`;
}

/** As a hand scanner does: with Enter, and faster than the test could press the keys on a busy machine. */
export async function scan(page: Page, text: string): Promise<void> {
  await page.evaluate(
    (keys) => {
      for (const key of keys) document.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    },
    [...text, 'Enter'],
  );
}

export async function expectAnswer(page: Page, word: string, ...texts: string[]): Promise<void> {
  const answer = page.getByRole('dialog');
  await expect(answer.getByRole('heading', { name: word })).toBeVisible();
  for (const text of texts) await expect(answer.getByText(text).first()).toBeVisible();
}
