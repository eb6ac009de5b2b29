import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { readTranslations } from '#messages/catalogues/catalogue.ts';
import { COOKIE_PREFIX, LANGUAGE_COOKIE, type Language } from '#messages/languages.ts';
import { ORIGINS } from './addresses.ts';
import { ask } from './people.ts';

/** In dates and times as English has them, zones, units and brands of cards. */
const FORMATTED =
  /\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\b|\b(Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\b|\b(mm\/dd\/yyyy|[Mm]onth\/day\/year)\b|\b[AP]M\b|\b(P[SD]T|UTC)\b|\b(ft|kg|min|Visa)\b/g;

/** Shows pages in a language, as if the visitor had chosen it. */
export async function chooseLanguage(page: Page, language: Language): Promise<void> {
  const { hostname } = new URL(ORIGINS.tickets);
  const domain = hostname.slice(hostname.indexOf('.'));
  await page
    .context()
    .addCookies([{ name: COOKIE_PREFIX + LANGUAGE_COOKIE, value: language, domain, path: '/' }]);
}

/** What the demo's operator and customer have written: names of ports, boats and fares, notes, orders. */
export async function readOwnTexts(): Promise<string[]> {
  const settings = await ask('GET', '/api/settings/web');
  const folder = new URL('../../src/server/demo', import.meta.url);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const sources = files.map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'));
  // Strings of code, and cells of CSV files.
  const written = [/'([^'\n]{2,})'/g, /"([^"\n]{2,})"/g, /([^,\n]{2,})(?=,|\n)/g].flatMap((pattern) =>
    sources.flatMap((source) => [...source.matchAll(pattern)].map(([, text = '']) => text)),
  );
  return [...stringsIn(settings.body), ...written].filter((text) => /\p{L}{2}/u.test(text));
}

/** Every string of a JSON value. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/**
 * Expects that everything a page shows in the pseudo-language `en-XA` is a message, except what the operator and the
 * customers have written.
 * @param own such texts
 */
export async function expectTranslated(page: Page, own: readonly string[]): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-XA');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  // Answers saved in the language before are shown until newer ones arrive.
  await expect.poll(async () => findEnglish(await page.evaluate(readTexts), own)).toEqual([]);
}

function findEnglish(texts: readonly string[], own: readonly string[]): string[] {
  return texts.filter((text) => /\p{L}{2}/u.test(withoutData(text, own)));
}

function withoutData(text: string, own: readonly string[]): string {
  const longestFirst = own.toSorted((a, b) => b.length - a.length);
  const left = longestFirst.reduce((rest, each) => rest.replaceAll(each, ''), text);
  return left
    .replace(FORMATTED, '')
    .replace(/\S+@\S+|https?:\S+|\S+\.example|\b[A-Z0-9]{4}[- ][A-Z0-9]{4}\b/g, '');
}

/** The texts and labels of the page that have no sign of the pseudo-language. Runs in the browser. */
function readTexts(): string[] {
  const texts: string[] = [document.title];
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node !== null; node = nodes.nextNode()) {
    const element = node.parentElement;
    if (
      element?.closest('script, style, noscript, template, #start-help, iframe, [translate="no"]') === null
    ) {
      // The parts of a message around its values are nodes of one element.
      texts.push((element.textContent?.includes('~') ? '~' : '') + (node.textContent ?? ''));
    }
  }
  for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
    for (const element of document.querySelectorAll(`[${name}]:not(iframe)`))
      texts.push(element.getAttribute(name) ?? '');
  }
  return texts.filter((text) => /\p{L}{2}/u.test(text) && !text.includes('~'));
}

/**
 * Expects that a text for people, of a page, mail or document, has none of the product's sentences in English.
 * @param language that of the text
 */
export function expectNoEnglish(text: string, language: Language): void {
  const words = text.replace(/\s+/g, ' ');
  const english = [...readTranslations(language)].filter(
    ([source, translation]) =>
      /^[^{<|]+ [^{<|]+$/.test(source) && source !== translation && words.includes(source),
  );
  expect(english.map(([source]) => source)).toEqual([]);
}
