import { expect, type Page } from '@playwright/test';

/**
 * With text twice as large at 320 CSS pixels, the page does not scroll sideways and cuts no text. Measured with the
 * root font set by the page, which media queries ignore, and with the browser's own font setting, which they follow.
 */
export async function expectFitsLargeText(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  const setBrowserFont = (standard: number) => browser.send('Page.setFontSizes', { fontSizes: { standard } });
  await setRootFont(page, '200%');
  await expectNoOverflow(page, 'root font of 200 %');
  await setRootFont(page, '');
  await setBrowserFont(32);
  await expectNoOverflow(page, 'browser font of 32 px');
  await setBrowserFont(16);
  await browser.detach();
}

/** Narrows the window after the font has changed: container queries in rem are evaluated again only then. */
async function expectNoOverflow(page: Page, font: string): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 568 });
  const message = `${await page.title()} (${page.url()}) fits with a ${font}`;
  await expect.poll(() => findOverflow(page), { message }).toEqual([]);
  if (size !== null) await page.setViewportSize(size);
}

function setRootFont(page: Page, size: string): Promise<void> {
  return page.evaluate((fontSize) => {
    document.documentElement.style.fontSize = fontSize;
  }, size);
}

function findOverflow(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const TOLERANCE = 2;
    const root = document.documentElement;
    const found = new Set<string>();
    const describe = (element: Element) =>
      `${element.tagName.toLowerCase()} “${element.textContent?.trim().slice(0, 40)}”`;
    const clips = (element: Element) => {
      const { display, overflowX } = getComputedStyle(element);
      return !display.startsWith('inline') && display !== 'contents' && overflowX !== 'visible';
    };
    const isHidden = (element: Element) =>
      !element.checkVisibility({ visibilityProperty: true }) ||
      element.closest('svg, option, template') !== null ||
      hasAncestor(element, (ancestor) => getComputedStyle(ancestor).clipPath === 'inset(50%)');
    function hasAncestor(element: Element, test: (ancestor: Element) => boolean): boolean {
      for (let at: Element | null = element; at !== null && at !== document.body; at = at.parentElement) {
        if (test(at)) return true;
      }
      return false;
    }
    /** A box that text must not overflow: the window, clipping elements, buttons and items of swipeable lists. */
    const boxesOf = (element: Element) => {
      const boxes: Element[] = [];
      hasAncestor(element, (ancestor) => {
        const isSwiped = getComputedStyle(ancestor).scrollSnapType.startsWith('x');
        if (!isSwiped && (clips(ancestor) || ancestor.matches('button, li, dialog, section')))
          boxes.push(ancestor);
        return isSwiped;
      });
      return boxes;
    };

    if (root.scrollWidth > root.clientWidth) found.add(`page +${root.scrollWidth - root.clientWidth}`);
    for (const element of document.body.querySelectorAll('*')) {
      if (isHidden(element)) continue;
      const { overflowX, scrollSnapType } = getComputedStyle(element);
      const isScroller = (overflowX === 'auto' || overflowX === 'scroll') && !scrollSnapType.startsWith('x');
      const excess = element.scrollWidth - element.clientWidth;
      if (isScroller && excess > 1) found.add(`scrolls +${excess}: ${describe(element)}`);
      const texts = [...element.childNodes].filter(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '',
      );
      const boxes = texts.length > 0 ? boxesOf(element) : [];
      for (const text of texts) {
        const range = document.createRange();
        range.selectNodeContents(text);
        for (const line of range.getClientRects()) {
          for (const box of boxes) {
            const { left, right } = box.getBoundingClientRect();
            const beyond = Math.round(Math.max(line.right - right, left - line.left));
            if (beyond > TOLERANCE) found.add(`+${beyond}: ${describe(element)} in ${describe(box)}`);
          }
        }
      }
    }
    return [...found];
  });
}
