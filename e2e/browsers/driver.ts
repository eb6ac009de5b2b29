/** Where a script runs: the page itself, or the document of the frame that a CSS selector of the page finds. */
export type Frame = string | undefined;

/**
 * The browser functions that the paths use, for any protocol. `expression` is JavaScript that the page evaluates;
 * for `click` and `type` its value is an element.
 */
export type BrowserDriver = {
  /** Name and version, as the browser states them. */
  version: string;
  open(url: string): Promise<void>;
  reload(): Promise<void>;
  evaluate(expression: string, frame?: Frame): Promise<unknown>;
  /** Presses the element's center with the pointer. */
  click(expression: string, frame?: Frame): Promise<void>;
  /** Types into the element, with the keyboard where the driver can. */
  type(expression: string, text: string, frame?: Frame): Promise<void>;
  /** PNG. */
  screenshot(): Promise<Uint8Array>;
  close(): Promise<void>;
};

export type Engine = {
  name: string;
  /** A function that starts a browser with an empty profile, or the reason why the engine cannot run here. */
  find(): Promise<{ start(): Promise<BrowserDriver> } | { obstacle: string }>;
};

export const WINDOW = { width: 1280, height: 900 };
