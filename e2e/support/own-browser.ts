import { mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { BROWSER_FLAGS, findBrowser } from './find-browser.ts';
import { type Complaints, watch } from './fixtures.ts';

/**
 * A browser with a profile on the disk. The tests' usual browsers are like private windows, where
 * nothing can be installed and nothing outlives the browser.
 */
export type OwnBrowser = {
  page: Page;
  /** Closes the browser normally, so that it writes everything to the disk, and opens it again. */
  restart: () => Promise<Page>;
  /** Kills the browser, as a phone short of memory or battery does, and opens it again. */
  killAndRestart: () => Promise<Page>;
};

export async function withOwnBrowser(
  proxy: string,
  complaints: Complaints,
  work: (browser: OwnBrowser) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gangway-profile-'));
  let context: BrowserContext | null = null;
  const open = async (): Promise<Page> => {
    context = await chromium.launchPersistentContext(folder, {
      executablePath: findBrowser(),
      args: BROWSER_FLAGS,
      proxy: { server: proxy },
    });
    await watch(context, complaints);
    return context.pages()[0] ?? context.newPage();
  };
  try {
    await work({
      page: await open(),
      async restart() {
        await context?.close();
        return open();
      },
      async killAndRestart() {
        const closed = new Promise((resolve) => context?.on('close', resolve));
        process.kill(browserOf(folder), 'SIGKILL');
        await closed;
        return open();
      },
    });
  } finally {
    await (context as BrowserContext | null)?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The process that has the profile open: its lock is a link named after the machine and the process. */
function browserOf(folder: string): number {
  const process = /-(\d+)$/.exec(readlinkSync(join(folder, 'SingletonLock')))?.[1];
  if (process === undefined) throw new Error('No browser has the profile open.');
  return Number(process);
}
