import { expect, type Locator, type Page } from '@playwright/test';

const MOST_STOPS = 60;

/**
 * Presses Tab until the control has the focus, and checks at each stop that the focus is visible.
 * @returns how often it was pressed
 */
export async function walkTo(page: Page, control: Locator): Promise<number> {
  await expect(control).toBeVisible();
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    if (await control.evaluate((element) => element === element.ownerDocument.activeElement)) {
      await expectSeen(control);
      return stop;
    }
    await page.keyboard.press('Tab');
    await expectFocusSeen(page);
  }
  await expect(control).toBeFocused();
  return MOST_STOPS;
}

/** Checks that the focused element is visible; elements in frames are checked when they get the focus. */
export async function expectFocusSeen(page: Page): Promise<void> {
  const focused = page.locator('*:focus:not(iframe)');
  // After the last control the focus moves to the browser's toolbar.
  if ((await focused.count()) > 0) await expectSeen(focused);
}

/** The element is within its window, and it or its label has an outline or a shadow. */
async function expectSeen(control: Locator): Promise<void> {
  const seen = await control.evaluate((element) => {
    const isMarked = (marked: Element | null, pseudo?: string) => {
      if (marked === null) return false;
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(marked, pseudo);
      return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
    };
    const { top, bottom } = element.getBoundingClientRect();
    return {
      what: element.outerHTML.slice(0, 160),
      isMarked: isMarked(element) || isMarked(element, '::after') || isMarked(element.closest('label')),
      isInWindow: bottom > 0 && top < innerHeight,
    };
  });
  expect(seen.isMarked, `marked: ${seen.what}`).toBe(true);
  expect(seen.isInWindow, `in the window: ${seen.what}`).toBe(true);
}
