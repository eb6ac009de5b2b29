import { expect, type Page } from '@playwright/test';

type Translator = { start: () => void; findUntrue: () => string[] };
type TranslatedWindow = Window & { translator?: Translator };

/**
 * Makes a browser translate its pages as browsers' translators do: each text node is replaced by elements, and texts
 * that come later are replaced, too. The words stay the same, so that tests find them. Call `translate` on each page.
 */
export async function installTranslator(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const SKIPPED = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEXTAREA', 'CODE', 'TITLE', 'OPTION']);
    const made = new WeakSet<Node>();
    /** The replaced text nodes, with what they said and what is shown instead. */
    const replaced = new Map<Text, { said: string; shown: HTMLElement }>();

    function replaceText(text: Text): void {
      const parent = text.parentElement;
      const said = text.data;
      if (parent === null || made.has(parent) || SKIPPED.has(parent.tagName) || !/[\p{L}\d]/u.test(said))
        return;
      if (parent.closest('[translate="no"], .notranslate, svg')) return;
      const outer = document.createElement('font');
      const inner = document.createElement('font');
      inner.append(said);
      outer.append(inner);
      made.add(outer).add(inner);
      text.replaceWith(outer);
      replaced.set(text, { said, shown: outer });
    }

    function replaceAll(): void {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      texts.forEach(replaceText);
    }

    const observer = new MutationObserver(replaceAll);
    (window as TranslatedWindow).translator = {
      start() {
        replaceAll();
        observer.observe(document.body, { childList: true, subtree: true, characterData: true });
      },
      // The app changed or showed again a text node that is no longer on the page.
      findUntrue: () =>
        [...replaced]
          .filter(([text, { said, shown }]) => shown.isConnected && (text.data !== said || text.isConnected))
          .map(([text, { said }]) => `“${said}” is shown instead of “${text.data}”`),
    };
  });
}

export async function translate(page: Page): Promise<void> {
  await page.evaluate(() => (window as TranslatedWindow).translator?.start());
}

/** The translated page says what the app means, and the app still works. */
export async function expectTrue(page: Page): Promise<void> {
  const untrue = await page.evaluate(() => (window as TranslatedWindow).translator?.findUntrue());
  expect(untrue, `${page.url()} says what the app means`).toEqual([]);
  await expect(page.getByText(/Something went wrong/)).toHaveCount(0);
}

/** The translated page reads as the same page does that is opened now. */
export async function expectSameAsFresh(page: Page, part: string): Promise<void> {
  await expectTrue(page);
  const fresh = await page.context().newPage();
  await fresh.goto(page.url());
  const read = (shown: Page) => shown.locator(part).first().innerText();
  await expect(async () => expect(await read(page)).toBe(await read(fresh))).toPass({ timeout: 15_000 });
  await fresh.close();
}
