import { expect, type Locator } from '@playwright/test';
import { test } from './support/gallery-page.ts';

test.use({ viewport: { width: 1280, height: 900 } });

test('a tab list is one tab stop, and the arrow keys, Home and End select a tab', async ({ gallery }) => {
  const tabs = gallery.getByRole('tablist', { name: 'Orders', exact: true }).getByRole('tab');
  await tabs.first().focus();
  await gallery.keyboard.press('ArrowRight');
  await expect(tabs.nth(1)).toBeFocused();
  await expect(tabs.nth(1)).toHaveAttribute('aria-selected', 'true');
  await expect(gallery.getByRole('tabpanel', { name: 'Past' }).getByText('Orders: past')).toBeVisible();
  await gallery.keyboard.press('End');
  await expect(gallery.getByText('Orders: all')).toBeVisible();
  await gallery.keyboard.press('ArrowRight');
  await expect(gallery.getByText('Orders: upcoming')).toBeVisible();
  await gallery.keyboard.press('ArrowLeft');
  await expect(tabs.last()).toBeFocused();
  await gallery.keyboard.press('Home');
  await expect(tabs.first()).toBeFocused();
  await gallery.keyboard.press('Tab');
  await expect(tabs.nth(1)).not.toBeFocused();
});

test('a menu opens at either end, moves by arrows and letters, and gives the focus back', async ({
  gallery,
}) => {
  const button = gallery.getByRole('button', { name: 'More', exact: true });
  const item = (name: string) => gallery.getByRole('menuitem', { name });
  await button.focus();
  await gallery.keyboard.press('ArrowUp');
  await expect(item('Refund')).toBeFocused();
  await gallery.keyboard.press('ArrowDown');
  await expect(item('Print')).toBeFocused();
  await gallery.keyboard.press('c');
  await expect(item('Change sailing')).toBeFocused();
  await gallery.keyboard.press('Escape');
  await expect(button).toBeFocused();
  await expect(gallery.getByRole('menu')).toHaveCount(0);
  await gallery.keyboard.press('Enter');
  await expect(item('Print')).toBeFocused();
  await gallery.keyboard.press('Enter');
  await expect(button).toBeFocused();
  await expect(gallery.getByRole('menu')).toHaveCount(0);
});

test('a popover opens by Enter, and a tooltip by the focus alone; Escape closes both', async ({
  gallery,
}) => {
  const popover = gallery.getByText('Measured with everything on the roof.');
  await gallery.getByRole('button', { name: 'High lane' }).focus();
  await expect(popover).toHaveCount(0);
  await gallery.keyboard.press('Enter');
  await expect(popover).toBeVisible();
  await gallery.keyboard.press('Escape');
  await expect(popover).toHaveCount(0);
  await gallery.keyboard.press('Shift+Tab');
  const tooltip = gallery.getByRole('tooltip', { name: 'Print this order' });
  await expect(tooltip).toBeVisible();
  await gallery.keyboard.press('Escape');
  await expect(tooltip).toHaveCount(0);
});

test('a modal keeps the focus inside, and Escape brings it back to what opened it', async ({ gallery }) => {
  const opener = gallery.getByRole('button', { name: 'lg', exact: true });
  await opener.focus();
  await gallery.keyboard.press('Enter');
  const dialog = gallery.getByRole('dialog', { name: 'Remove this card?' });
  for (let stop = 0; stop < 6; stop++) {
    await gallery.keyboard.press('Tab');
    expect(await isFocusWithin(dialog), `after ${stop + 1} steps`).toBe(true);
  }
  await gallery.keyboard.press('Escape');
  await expect(opener).toBeFocused();
});

test('a date is typed, or found by arrow keys in a calendar that starts on Sunday', async ({ gallery }) => {
  const field = gallery.getByLabel('Departure').first();
  await field.focus();
  await gallery.keyboard.type('8/3/2026');
  await gallery.keyboard.press('Enter');
  await expect(field).toHaveValue('08/03/2026');
  await gallery.keyboard.press('Alt+ArrowDown');
  await expect(gallery.getByRole('gridcell')).toHaveCount(42);
  await expect(gallery.getByRole('columnheader').first()).toHaveText('Su');
  const day = (name: string) => gallery.getByRole('button', { name });
  await expect(day('Monday, August 3, 2026')).toBeFocused();
  await gallery.keyboard.press('ArrowRight');
  await gallery.keyboard.press('ArrowDown');
  await expect(day('Tuesday, August 11, 2026')).toBeFocused();
  await gallery.keyboard.press('Home');
  await expect(day('Sunday, August 9, 2026')).toBeFocused();
  await gallery.keyboard.press('PageDown');
  await expect(day('Wednesday, September 9, 2026')).toBeFocused();
  await gallery.keyboard.press('Enter');
  await expect(field).toHaveValue('09/09/2026');
  await expect(gallery.getByRole('dialog')).toHaveCount(0);
});

test('the calendar zooms out to twelve months and twelve years, and no further than decades', async ({
  gallery,
}) => {
  await gallery.getByLabel('Departure').first().focus();
  await gallery.keyboard.press('Alt+ArrowDown');
  const title = gallery
    .getByRole('dialog')
    .getByRole('button', { name: /^[\w–]+( \d+)?$/ })
    .first();
  await expect(title).toHaveText('July 2026');
  await title.press('Enter');
  await expect(gallery.getByRole('gridcell')).toHaveCount(12);
  await expect(title).toHaveText('2026');
  await title.press('Enter');
  await expect(gallery.getByRole('gridcell')).toHaveCount(12);
  await expect(title).toHaveText('2020–2029');
  await title.press('Enter');
  await expect(title).toHaveText('2020–2029');
});

test('a counter steps by arrows, takes only digits, and keeps to its limits', async ({ gallery }) => {
  const adults = gallery.getByRole('spinbutton', { name: 'Adults' }).first();
  await adults.focus();
  await gallery.keyboard.press('ArrowUp');
  await expect(adults).toHaveValue('3');
  await gallery.keyboard.press('Home');
  await expect(adults).toHaveValue('1');
  await gallery.keyboard.press('ArrowDown');
  await expect(adults).toHaveValue('1');
  await adults.fill('a4b2');
  await expect(adults).toHaveValue('9');
});

test('each radio group is one tab stop and changes by arrow keys', async ({ gallery }) => {
  const cards = gallery.getByRole('group', { name: 'Fare' }).first().getByRole('radio');
  await cards.nth(1).focus();
  await gallery.keyboard.press('ArrowUp');
  await expect(cards.first()).toBeChecked();
  await gallery.keyboard.press('ArrowUp');
  await expect(cards.nth(1), 'the disabled one is passed over').toBeChecked();
  const trip = gallery.getByRole('group', { name: 'Trip' }).first().getByRole('radio');
  await trip.nth(1).focus();
  await gallery.keyboard.press('ArrowLeft');
  await expect(trip.first()).toBeChecked();
});

test('an error summary leads to the field that is wrong', async ({ gallery }) => {
  await gallery.getByRole('link', { name: 'Choose a day' }).focus();
  await gallery.keyboard.press('Enter');
  await expect(gallery.locator('#gallery-date')).toBeFocused();
});

test('every tab stop is visible, with an outline and nothing over it', async ({ gallery }) => {
  test.slow();
  await gallery.evaluate(() => document.querySelector<HTMLElement>('header a')?.focus());
  const unseen: string[] = [];
  for (let stop = 0; stop < 120; stop++) {
    await gallery.keyboard.press('Tab');
    const problem = await gallery.evaluate(problemOfFocus);
    if (problem) unseen.push(problem);
  }
  expect(unseen).toEqual([]);
});

/** Between its last and its first stop the focus may be on the browser's own controls. */
function isFocusWithin(dialog: Locator): Promise<boolean> {
  return dialog.evaluate(
    (element) => element.contains(document.activeElement) || document.activeElement === document.body,
  );
}

function problemOfFocus(): string | null {
  const control = document.activeElement;
  if (!(control instanceof HTMLElement) || control === document.body) return null;
  // A radio drawn as a card has the focus ring around the whole card; so can a link in a card.
  const drawn = control.closest('label') ?? control;
  const ring = [control, drawn].some(
    (element) =>
      parseFloat(getComputedStyle(element).outlineWidth) >= 2 ||
      parseFloat(getComputedStyle(element, '::after').outlineWidth) >= 2,
  );
  const name = `${control.tagName} ${control.getAttribute('aria-label') ?? control.textContent ?? ''}`.slice(
    0,
    60,
  );
  if (!ring) return `${name}: no ring`;
  const box = drawn.getBoundingClientRect();
  const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return top && (drawn.contains(top) || top.contains(drawn)) ? null : `${name}: hidden`;
}
