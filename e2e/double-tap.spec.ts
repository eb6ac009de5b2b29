import { expect, type Page } from '@playwright/test';
import { test } from './support/fixtures.ts';

test.use({ hasTouch: true });

test('a double tap on a day chooses it and presses nothing beneath the calendar', async ({
  page,
  purchase,
}) => {
  await purchase.open();
  // Arrives later than the form.
  await expect(page.getByText(/(is|are) under way\.$/)).toBeAttached();
  const days = await openCalendar(page);
  const count = await days.count();
  for (const index of [...Array(count).keys()].filter((each) => each % 6 === 0)) {
    const day = days.nth(index);
    const box = await day.boundingBox();
    if (!box) throw new Error('The day is not on screen.');
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.touchscreen.tap(x, y);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const chosen = await readForm(page);
    await page.touchscreen.tap(x + 2, y + 1);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    expect(await readForm(page), `after a second tap at ${x}, ${y}`).toBe(chosen);
    await openCalendar(page);
  }
});

async function openCalendar(page: Page) {
  await page.getByRole('button', { name: /^C.*date/ }).click();
  const days = page.getByRole('dialog').locator('td button:not([aria-disabled=true])');
  await expect(days.first()).toBeVisible();
  return days;
}

/** What is chosen, open and focused. */
function readForm(page: Page): Promise<string> {
  return page.locator('body').ariaSnapshot();
}
