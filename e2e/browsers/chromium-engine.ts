import { createReadStream, createWriteStream, existsSync, renameSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import { chromium, type ElementHandle, type Page } from 'playwright';
import { root } from '#tests/process/server-process.ts';
import { BROWSER_FLAGS } from '../support/find-browser.ts';
import { type BrowserDriver, type Engine, type Frame, WINDOW } from './driver.ts';

const PACKAGE = '@sparticuz/chromium';
const VERSION = '113.0.1';

/** Chromium 113 from an npm package, by the DevTools protocol. It has no `popover` and no relative colors. */
export const oldChromium: Engine = {
  name: 'Chromium',
  async find() {
    const folder = findPackage();
    if (folder === null)
      return {
        obstacle: `no ${PACKAGE} ${VERSION} (npm install --prefix FOLDER ${PACKAGE}@${VERSION}, then CHROMIUM_113_PATH=FOLDER)`,
      };
    return { start: () => start(join(folder, 'bin')) };
  },
};

/** @returns the folder of the package, which is looked for in `CHROMIUM_113_PATH` and in this project */
function findPackage(): string | null {
  const require = createRequire(resolve(process.env.CHROMIUM_113_PATH || root, 'package.json'));
  try {
    const description = require.resolve(`${PACKAGE}/package.json`);
    const { version } = require(description) as { version: string };
    return version === VERSION ? dirname(description) : null;
  } catch {
    return null;
  }
}

async function start(folder: string): Promise<BrowserDriver> {
  // The package's own flags run everything in one process, in which pages do not respond.
  const browser = await chromium.launch({ executablePath: await unpack(folder), args: BROWSER_FLAGS });
  try {
    return driverOf(await browser.newPage({ viewport: WINDOW }), browser.version(), () => browser.close());
  } catch (error) {
    await browser.close();
    throw error;
  }
}

/** The first start unpacks the browser beside the packed one. */
async function unpack(folder: string): Promise<string> {
  const packed = join(folder, 'chromium.br');
  const unpacked = join(folder, 'chromium');
  if (!existsSync(unpacked)) {
    const unfinished = `${unpacked}.${process.pid}`;
    const output = createWriteStream(unfinished, { mode: 0o755 });
    await pipeline(createReadStream(packed), createBrotliDecompress(), output);
    renameSync(unfinished, unpacked);
  }
  return unpacked;
}

function driverOf(page: Page, version: string, close: () => Promise<void>): BrowserDriver {
  const findFrame = async (frame: Frame) => {
    if (frame === undefined) return page.mainFrame();
    const content = await (await page.$(frame))?.contentFrame();
    if (!content) throw new Error(`No frame ${frame}`);
    return content;
  };
  const findElement = async (expression: string, frame: Frame): Promise<ElementHandle> => {
    const found = await (await findFrame(frame)).evaluateHandle(expression);
    const element = found.asElement();
    if (element === null) throw new Error(`No element ${expression}`);
    return element;
  };
  return {
    version: `Chromium ${version}`,
    open: async (url) => void (await page.goto(url, { waitUntil: 'domcontentloaded' })),
    reload: async () => void (await page.reload({ waitUntil: 'domcontentloaded' })),
    evaluate: async (expression, frame) => (await findFrame(frame)).evaluate(expression),
    click: async (expression, frame) => (await findElement(expression, frame)).click(),
    type: async (expression, text, frame) => (await findElement(expression, frame)).type(text),
    screenshot: () => page.screenshot(),
    close,
  };
}
