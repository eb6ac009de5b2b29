import puppeteer, { type Browser, type ElementHandle, type LaunchOptions, type Page } from 'puppeteer-core';
import { findOnPath } from '../support/find-browser.ts';
import { type BrowserDriver, type Engine, type Frame, WINDOW } from './driver.ts';

/** Firefox, by WebDriver BiDi. */
export const firefox: Engine = {
  name: 'Firefox',
  async find() {
    const executablePath = findOnPath('firefox-esr') ?? findOnPath('firefox');
    if (executablePath === null)
      return { obstacle: 'no firefox-esr or firefox on PATH (apt-get install firefox-esr)' };
    return { start: () => launch({ browser: 'firefox', executablePath }) };
  },
};

async function launch(options: LaunchOptions): Promise<BrowserDriver> {
  const browser = await puppeteer.launch({ defaultViewport: WINDOW, ...options });
  try {
    return driverOf(browser, await browser.newPage(), await browser.version());
  } catch (error) {
    await browser.close();
    throw error;
  }
}

function driverOf(browser: Browser, page: Page, version: string): BrowserDriver {
  const findFrame = async (frame: Frame) => {
    if (frame === undefined) return page.mainFrame();
    const element = await page.$(frame);
    const content = await element?.contentFrame();
    if (!content) throw new Error(`No frame ${frame}`);
    return content;
  };
  const findElement = async (expression: string, frame: Frame) => {
    const found = await (await findFrame(frame)).evaluateHandle(expression);
    const element = found.asElement() as ElementHandle<Element> | null;
    if (element === null) throw new Error(`No element ${expression}`);
    return element;
  };
  return {
    version,
    open: async (url) => void (await page.goto(url, { waitUntil: 'domcontentloaded' })),
    reload: async () => void (await page.reload({ waitUntil: 'domcontentloaded' })),
    evaluate: async (expression, frame) => (await findFrame(frame)).evaluate(expression),
    click: async (expression, frame) => (await findElement(expression, frame)).click(),
    type: async (expression, text, frame) => (await findElement(expression, frame)).type(text),
    screenshot: () => page.screenshot(),
    close: () => browser.close(),
  };
}
