import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { eventually } from '#tests/process/server-process.ts';
import { freePort } from '#tests/setup/engine.ts';
import { findOnPath } from '../support/find-browser.ts';
import { type BrowserDriver, type Engine, type Frame, WINDOW } from './driver.ts';

/** WebKitGTK's small browser, by W3C WebDriver, on a display in memory. */
export const webKit: Engine = {
  name: 'WebKit',
  async find() {
    const browser = findMiniBrowser();
    if (findOnPath('WebKitWebDriver') === null || browser === null)
      return { obstacle: 'no WebKitWebDriver with its MiniBrowser (apt-get install webkit2gtk-driver)' };
    if (findOnPath('Xvfb') === null) return { obstacle: 'no Xvfb on PATH (apt-get install xvfb)' };
    return { start: () => start(browser) };
  },
};

const START_WITHIN_MS = 60_000;
/** Time limit of a command, after which the driver counts as hanging. */
const COMMAND_WITHIN_MS = 60_000;
/** The key under which WebDriver sends references to elements. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

type Send = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>;
type ElementReference = { [ELEMENT]: string };
type Session = { sessionId: string; capabilities: { browserName: string; browserVersion: string } };

function findMiniBrowser(): string | null {
  const folders = ['4.1', '4.0'].flatMap((version) =>
    ['/usr/lib/x86_64-linux-gnu', '/usr/lib/aarch64-linux-gnu', '/usr/libexec', '/usr/lib'].map(
      (folder) => `${folder}/webkit2gtk-${version}/MiniBrowser`,
    ),
  );
  return folders.find((path) => existsSync(path)) ?? null;
}

async function start(browser: string): Promise<BrowserDriver> {
  const { display, process: screen } = await startDisplay();
  const port = await freePort();
  const service = spawn('WebKitWebDriver', [`--port=${port}`], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: `:${display}`,
      // Its sandbox needs user namespaces, which containers do not give.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    },
  });
  const end = async () => {
    await endProcess(service);
    await endProcess(screen);
  };
  try {
    return await openSession(sendTo(`http://127.0.0.1:${port}`), browser, end);
  } catch (error) {
    await end();
    throw error;
  }
}

/** @returns the number of a display that was free; the server chooses it. */
async function startDisplay(): Promise<{ display: string; process: ChildProcess }> {
  const args = ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'];
  const child = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const output = child.stdio[3] as Readable;
  const display = await new Promise<string>((resolve, reject) => {
    output.once('data', (data: Buffer) => resolve(data.toString().trim()));
    child.once('exit', () => reject(new Error('Xvfb did not start.')));
  });
  return { display, process: child };
}

function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}

function sendTo(base: string): Send {
  return async (method, path, body) => {
    const reply = await fetch(base + path, {
      method,
      signal: AbortSignal.timeout(COMMAND_WITHIN_MS),
      ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}),
    });
    const { value } = (await reply.json()) as { value: unknown };
    if (reply.ok) return value;
    const { error, message } = value as { error: string; message: string };
    throw new Error(`${error}: ${message}`);
  };
}

async function openSession(send: Send, binary: string, end: () => Promise<void>): Promise<BrowserDriver> {
  await eventually(() => send('GET', '/status').then(Boolean, () => false), {
    what: 'WebKitWebDriver to be ready',
    withinMs: START_WITHIN_MS,
  });
  const { sessionId, capabilities } = (await send('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        pageLoadStrategy: 'eager',
        'webkitgtk:browserOptions': { binary, args: ['--automation'] },
      },
    },
  })) as Session;
  const inSession: Send = (method, path, body) => send(method, `/session/${sessionId}${path}`, body);
  await inSession('POST', '/window/rect', { x: 0, y: 0, ...WINDOW });
  return driverOf(inSession, `${capabilities.browserName} ${capabilities.browserVersion}`, end);
}

function driverOf(send: Send, version: string, end: () => Promise<void>): BrowserDriver {
  const evaluate = async (expression: string, frame?: Frame) => {
    await send('POST', '/frame', { id: null });
    if (frame !== undefined)
      await send('POST', '/frame', {
        id: await send('POST', '/element', { using: 'css selector', value: frame }),
      });
    return send('POST', '/execute/sync', { script: `return (${expression})`, args: [] });
  };
  const findElement = async (expression: string, frame: Frame) => {
    const found = (await evaluate(expression, frame)) as ElementReference | null;
    if (found === null) throw new Error(`No element ${expression}`);
    return `/element/${found[ELEMENT]}`;
  };
  return {
    version,
    open: async (url) => void (await send('POST', '/url', { url })),
    reload: async () => void (await send('POST', '/refresh')),
    evaluate,
    click: async (expression, frame) =>
      void (await send('POST', `${await findElement(expression, frame)}/click`)),
    async type(expression, text, frame) {
      // The driver cannot send keys to frames of another origin.
      if (frame !== undefined) return void (await evaluate(fillWith(expression, text), frame));
      const element = await findElement(expression, undefined);
      await send('POST', `${element}/click`);
      const presses = [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]);
      await send('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions: presses }] });
    },
    screenshot: async () => Buffer.from((await send('GET', '/screenshot')) as string, 'base64'),
    async close() {
      await send('DELETE', '').finally(end);
    },
  };
}

/** Fills in a field by script, with the events of typing. */
function fillWith(expression: string, text: string): string {
  return `((field) => {
    field.focus();
    field.value = ${JSON.stringify(text)};
    field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText' }));
  })(${expression})`;
}
