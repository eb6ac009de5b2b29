import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, type Locator, type Page } from '@playwright/test';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

const wasm = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'));

/** The texts of all QR codes that a reader, which shares nothing with the app, finds in what is on screen. */
export async function readCodes(page: Page): Promise<string[]> {
  await prepareZXingModule({
    overrides: { wasmBinary: new Uint8Array(await readFile(wasm)).buffer },
    fireImmediately: true,
  });
  const picture = new Uint8Array(await page.screenshot({ animations: 'disabled' }));
  const found = await readBarcodes(picture, { formats: ['QRCode'], tryHarder: true });
  return found.map(({ text }) => text);
}

type Screen = { name: string; width: number; height: number; textSize: string };

const SCREENS: readonly Screen[] = [
  { name: 'a phone', width: 390, height: 844, textSize: '100%' },
  { name: 'a phone with the browser’s bars', width: 390, height: 664, textSize: '100%' },
  { name: 'a small phone', width: 320, height: 568, textSize: '100%' },
  { name: 'a phone on its side', width: 844, height: 390, textSize: '100%' },
  { name: 'a small phone with large text', width: 320, height: 568, textSize: '200%' },
  { name: 'a phone on its side with large text', width: 844, height: 390, textSize: '200%' },
];

/** The code on screen is read as one of `payloads` on screens of every size, scrolled to where they show all of it. */
export function expectReadableEverywhere(
  page: Page,
  code: Locator,
  payloads: readonly string[],
  { beside = [] }: Beside = {},
): Promise<void> {
  return expectReadable(page, { code, payloads, beside, screens: SCREENS });
}

/** The same where other parts of the page take most of the room: on small screens with large text. */
export function expectReadableOnSmallScreens(
  page: Page,
  code: Locator,
  payloads: readonly string[],
  { beside = [] }: Beside = {},
): Promise<void> {
  const screens = SCREENS.filter(({ textSize }) => textSize === '200%');
  return expectReadable(page, { code, payloads, beside, screens });
}

/** What is in sight at the same time. */
type Beside = { beside?: readonly Locator[] };
type Reading = Required<Beside> & {
  code: Locator;
  payloads: readonly string[];
  screens: readonly Screen[];
};

async function expectReadable(page: Page, { code, payloads, beside, screens }: Reading): Promise<void> {
  for (const { name, width, height, textSize } of screens) {
    await page.setViewportSize({ width, height });
    await page.evaluate((size) => {
      document.documentElement.style.fontSize = size;
    }, textSize);
    // Scrolled and read again if the page still changes, as its reader would.
    await expect(async () => {
      await code.evaluate((element) => element.scrollIntoView({ block: 'start', inline: 'center' }));
      await expect(code).toBeInViewport({ ratio: 0.99, timeout: 1000 });
      const read = await readCodes(page);
      const isRead = payloads.some((payload) => read.includes(payload));
      expect(isRead, `${page.url()} on ${name}: ${read}`).toBe(true);
      for (const other of beside) {
        await expect(other, `on ${name}`).toBeInViewport({ ratio: 0.9, timeout: 1000 });
      }
    }).toPass({ timeout: 10_000 });
  }
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
}
