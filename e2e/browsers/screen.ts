import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { eventually } from '#tests/process/server-process.ts';
import type { BrowserDriver, Frame } from './driver.ts';

const WITHIN_MS = 30_000;
const QUERIES = readFileSync(
  createRequire(import.meta.url).resolve('@testing-library/dom/dist/@testing-library/dom.umd.js'),
  'utf8',
);

export type Name = string | RegExp;
/** `nth`: of several that match, counted from 0. */
type Choice = { frame?: Frame; nth?: number };

/** Finds elements on screen by role and name, and waits until they exist. */
export class Screen {
  readonly driver: BrowserDriver;

  constructor(driver: BrowserDriver) {
    this.driver = driver;
  }

  open(url: string): Promise<void> {
    return this.driver.open(url);
  }

  reload(): Promise<void> {
    return this.driver.reload();
  }

  async press(role: string, name: Name, { frame, nth }: Choice = {}): Promise<void> {
    const expression = `(${byRole(role, name)}).filter((element) => !element.disabled)[${nth ?? 0}] ?? null`;
    let before: unknown = null;
    // A press on a control that is still moving would miss it.
    await this.#expectThat(`the ${role} ${name} to press`, frame, async () => {
      const place = await this.driver.evaluate(placeOf(expression), frame);
      const isStill = place !== null && place === before;
      before = place;
      if (isStill) await this.driver.click(expression, frame);
      return isStill;
    });
  }

  async fill(label: Name, text: string, { frame, nth }: Choice = {}): Promise<void> {
    const expression = `(${byLabel(label)}[${nth ?? 0}] ?? null)`;
    await this.#expectThat(`the field ${label}`, frame, async () => {
      await this.driver.type(expression, text, frame);
      return true;
    });
    await this.#expect(`the field ${label} to be filled`, `${expression}.value !== ''`, frame);
  }

  async expectRole(role: string, name: Name, frame?: Frame): Promise<void> {
    await this.#expect(`the ${role} ${name}`, `${byRole(role, name)}.length > 0`, frame);
  }

  async expectText(text: Name): Promise<void> {
    await this.#expect(`the text ${text}`, hasText(text));
  }

  async expectNoText(text: Name): Promise<void> {
    await this.#expect(`no text ${text}`, `!${hasText(text)}`);
  }

  async expectUrl(url: Name): Promise<void> {
    const test = typeof url === 'string' ? `location.href === ${literal(url)}` : `${url}.test(location.href)`;
    await this.#expect(`the address ${url}`, test);
  }

  /** Waits until the expression is true on the page. */
  async expectTrue(what: string, expression: string): Promise<void> {
    await this.#expect(what, expression);
  }

  /** The value of an expression, once it is not null. */
  async read<Value>(what: string, expression: string): Promise<Value> {
    let value: unknown = null;
    await this.#expectThat(what, undefined, async () => {
      value = await this.driver.evaluate(expression);
      return value !== null;
    });
    return value as Value;
  }

  async #expect(what: string, expression: string, frame?: Frame): Promise<void> {
    await this.#expectThat(what, frame, async () => (await this.driver.evaluate(expression, frame)) === true);
  }

  /** Evaluation throws while the document is being replaced. */
  async #expectThat(what: string, frame: Frame, isSo: () => Promise<boolean>): Promise<void> {
    let last: unknown;
    const isSoByNow = async () => {
      try {
        await this.#loadQueries(frame);
        return await isSo();
      } catch (error) {
        last = error;
        return false;
      }
    };
    await eventually(isSoByNow, { what, withinMs: WITHIN_MS }).catch((error: Error) => {
      throw new Error(error.message, { cause: last });
    });
  }

  async #loadQueries(frame: Frame): Promise<void> {
    const isLoaded = await this.driver.evaluate('"TestingLibraryDom" in globalThis', frame);
    if (!isLoaded) await this.driver.evaluate(`(() => { ${QUERIES}\n })()`, frame);
  }
}

export function byRole(role: string, name: Name): string {
  return `TestingLibraryDom.queryAllByRole(document.body, ${literal(role)}, { name: ${literal(name)} })`;
}

function byLabel(label: Name): string {
  return `TestingLibraryDom.queryAllByLabelText(document.body, ${literal(label)}, { selector: 'input' })`;
}

/** Scrolls an element into view and returns its position. */
function placeOf(expression: string): string {
  return `((element) => {
    element?.scrollIntoView({ block: 'center', behavior: 'instant' });
    return element ? JSON.stringify(element.getBoundingClientRect()) : null;
  })(${expression})`;
}

function hasText(text: Name): string {
  return typeof text === 'string'
    ? `document.body.innerText.includes(${literal(text)})`
    : `${text}.test(document.body.innerText)`;
}

/** As source of JavaScript. */
function literal(value: Name): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
