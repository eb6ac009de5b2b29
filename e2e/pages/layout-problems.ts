import { expect, type Locator, type Page } from '@playwright/test';

const SIZES = [
  { width: 320, height: 568 },
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
  { width: 1440, height: 900 },
];

/**
 * At each size the page does not scroll sideways, no text or control covers another, and no control is outside the
 * window.
 * @param action what people come for; in view on a laptop without scrolling
 */
export async function expectSoundLayout(page: Page, action?: Locator): Promise<void> {
  const before = page.viewportSize();
  for (const size of SIZES) {
    await page.setViewportSize(size);
    const message = `${await page.title()} (${page.url()}) at ${size.width} pixels`;
    await expect.poll(() => findLayoutProblems(page), { message }).toEqual([]);
    if (action && size.width === 1280) {
      await page.evaluate(() => window.scrollTo(0, 0));
      await expect(action, message).toBeInViewport({ ratio: 1 });
    }
  }
  if (before !== null) await page.setViewportSize(before);
}

function findLayoutProblems(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    /** Line boxes are taller than their letters. */
    const TOLERANCE = 4;
    type Box = { left: number; right: number; top: number; bottom: number };
    type Shown = { element: Element; boxes: Box[] };
    const intersect = (a: Box, b: Box): Box => ({
      left: Math.max(a.left, b.left),
      right: Math.min(a.right, b.right),
      top: Math.max(a.top, b.top),
      bottom: Math.min(a.bottom, b.bottom),
    });
    const isLarge = ({ left, right, top, bottom }: Box, least: number) =>
      right - left > least && bottom - top > least;
    const ancestorsOf = (element: Element): Element[] =>
      element.parentElement === null ? [] : [element.parentElement, ...ancestorsOf(element.parentElement)];
    const describe = (element: Element) =>
      `${element.tagName.toLowerCase()} “${(element.textContent || element.getAttribute('aria-label') || '').trim().slice(0, 40)}”`;

    /** What scrolling lists and clipping frames leave visible of the boxes. */
    function clip(element: Element, boxes: Box[]): Box[] {
      const frames = ancestorsOf(element).filter(
        (ancestor) => ancestor !== document.body && getComputedStyle(ancestor).overflowX !== 'visible',
      );
      return boxes
        .map((box) => frames.reduce((rest, frame) => intersect(rest, frame.getBoundingClientRect()), box))
        .filter((box) => isLarge(box, 1));
    }

    /** Bars and dialogs lie over the page on purpose. */
    function isApart(element: Element): boolean {
      return [element, ...ancestorsOf(element)].some((each) => {
        const { position, clipPath } = getComputedStyle(each);
        return position === 'fixed' || position === 'sticky' || clipPath === 'inset(50%)';
      });
    }
    const hasFrame = ({ backgroundColor, borderTopWidth, borderTopColor }: CSSStyleDeclaration) =>
      ![backgroundColor, borderTopWidth === '0px' ? 'transparent' : borderTopColor].every((color) =>
        /^transparent$|, 0\)$|\/ 0\)$/.test(color),
      );
    const isShown = (element: Element) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      element.closest('svg, option, template, script, style') === null;

    const elements = [...document.body.querySelectorAll('*')].filter(
      (element) => isShown(element) && !isApart(element),
    );
    const texts = elements.flatMap((element): Shown[] => {
      const nodes = [...element.childNodes].filter(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
      );
      const boxes = nodes.flatMap((node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return [...range.getClientRects()];
      });
      return boxes.length === 0 ? [] : [{ element, boxes: clip(element, boxes) }];
    });
    const controls = elements
      .filter((element) => element.matches('a, button, input, select, textarea, summary'))
      .map((element): Shown => ({ element, boxes: clip(element, [...element.getClientRects()]) }));

    const covers = (a: Shown, b: Shown) =>
      !a.element.contains(b.element) &&
      !b.element.contains(a.element) &&
      a.boxes.some((one) => b.boxes.some((other) => isLarge(intersect(one, other), TOLERANCE)));
    // Fields have buttons inside them, and links without a frame a margin for fingers.
    const framed = controls.filter(
      ({ element }) => element.matches('a, button, summary') && hasFrame(getComputedStyle(element)),
    );
    const all = [...texts, ...framed];
    const overlaps = all.flatMap((a, index) =>
      all
        .slice(index + 1)
        .filter((b) => a.element !== b.element && covers(a, b))
        .map((b) => `${describe(a.element)} and ${describe(b.element)} overlap`),
    );
    const width = document.documentElement.clientWidth;
    const outside = controls
      .filter(({ boxes }) => boxes.some(({ left, right }) => left < -1 || right > width + 1))
      .map(({ element }) => `${describe(element)} is outside the window`);
    const overhang = document.documentElement.scrollWidth - width;
    return [...(overhang > 0 ? [`scrolls ${overhang} pixels sideways`] : []), ...overlaps, ...outside];
  });
}
