import { describe, expect, it } from 'vitest';
import type { BrowserDriver, Engine } from '../e2e/browsers/driver.ts';
import type { Path } from '../e2e/browsers/paths.ts';
import { type Limits, type Site, walkPaths } from '../e2e/browsers/walk.ts';

const LIMITS: Limits = { startMs: 20, pathMs: 20, closeMs: 20 };
const passes: Path = { title: 'passes', walk: async () => {} };
const fails: Path = { title: 'fails', walk: () => Promise.reject(new Error('There is no button.')) };
const hangs: Path = { title: 'hangs', walk: () => new Promise(() => {}) };

describe('walkPaths', () => {
  it('skips an engine that is not installed, with its reason', async () => {
    const engine: Engine = { name: 'Netscape', find: async () => ({ obstacle: 'no netscape on PATH' }) };
    expect(await run(engine, [passes])).toEqual({
      failures: 0,
      lines: ['Netscape: skipped, no netscape on PATH'],
    });
  });

  it('counts every path of a browser that does not start as failed, and prints why', async () => {
    const { failures, lines } = await run(
      engineOf(() => Promise.reject(new Error('There is no display.'))),
      [passes, passes],
    );
    expect(failures).toBe(2);
    expect(lines.at(-1)).toMatch(/FAILED.*did not start.*There is no display\./s);
  });

  it('counts every path of an engine as failed when looking for it fails', async () => {
    const engine: Engine = { name: 'Netscape', find: () => Promise.reject(new Error('There is no shell.')) };
    const { failures, lines } = await run(engine, [passes, passes]);
    expect(failures).toBe(2);
    expect(lines.at(-1)).toMatch(/FAILED.*2 paths are not walked.*There is no shell\./s);
  });

  it('abandons a browser whose start hangs, and closes it if it starts later', async () => {
    const starting = Promise.withResolvers<BrowserDriver>();
    const closed = Promise.withResolvers<void>();
    const { failures } = await run(
      engineOf(() => starting.promise),
      [passes],
    );
    expect(failures).toBe(1);
    starting.resolve(driver({ close: async () => closed.resolve() }));
    await closed.promise;
  });

  it('continues with the next path after one that failed or hung, and saves a screenshot', async () => {
    const { failures, lines } = await run(
      engineOf(async () => driver()),
      [fails, hangs, passes],
    );
    expect(failures).toBe(2);
    const printed = lines.join('\n');
    expect(printed).toMatch(/FAILED {2}fails.*There is no button\..*picture: .*fails/s);
    expect(printed).toMatch(/FAILED {2}hangs.*It took more than 0\.02 s\./s);
    expect(printed).toMatch(/passed {2}passes/);
  });

  it('continues when the browser of a failed path does not respond and cannot be closed', async () => {
    const silent = driver({
      evaluate: () => new Promise(() => {}),
      close: () => Promise.reject(new Error('No connection.')),
    });
    const { failures, lines } = await run(
      engineOf(async () => silent),
      [fails, fails],
    );
    expect(failures).toBe(2);
    expect(lines.filter((line) => line.includes('could not be closed'))).toHaveLength(2);
  });
});

async function run(engine: Engine, paths: Path[]): Promise<{ failures: number; lines: string[] }> {
  const lines: string[] = [];
  const gateway = { disconnect: async () => {}, reconnect: async () => {}, changeAddress() {} };
  const site: Site = { origins: { tickets: '', portal: '' }, gateway };
  const output = { print: (line: string) => void lines.push(line), savePicture: (name: string) => name };
  const failures = await walkPaths({ engine, paths, site }, output, LIMITS);
  return { failures, lines };
}

function engineOf(start: () => Promise<BrowserDriver>): Engine {
  return { name: 'Netscape', find: async () => ({ start }) };
}

function driver(replaced: Partial<BrowserDriver> = {}): BrowserDriver {
  return {
    version: 'Netscape 4',
    open: async () => {},
    reload: async () => {},
    evaluate: async () => '',
    click: async () => {},
    type: async () => {},
    screenshot: async () => new Uint8Array(),
    close: async () => {},
    ...replaced,
  };
}
