import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

/** Switches that keep Chromium quiet and able to run as root in a container. */
export const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * A Chromium to test with: CHROMIUM_PATH, one on PATH, Playwright's own; where there is none, one is installed
 * (Playwright's, else Debian's package) and that is said.
 */
export function findBrowser(): string {
  return findInstalled() ?? install();
}

/** The same without its window, if it is installed: the tests take a quarter less processor time. It keeps no profile. */
export function findHeadlessShell(): string {
  return process.env.CHROMIUM_PATH || (findOnPath(HEADLESS_SHELL) ?? findBrowser());
}

const HEADLESS_SHELL = 'chromium-headless-shell';

function findInstalled(): string | null {
  const given = process.env.CHROMIUM_PATH;
  if (given) return given;
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    const found = findOnPath(name);
    if (found) return found;
  }
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : null;
}

export function findOnPath(name: string): string | null {
  const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
  return found === '' ? null : found;
}

function install(): string {
  process.stdout.write('No Chromium found: installing one for the browser tests.\n');
  const tries: [string, string[]][] = [
    ['npx', ['playwright', 'install', '--with-deps', 'chromium']],
    ['sh', ['-c', 'apt-get update && apt-get install -y chromium']],
  ];
  for (const [command, args] of tries) {
    try {
      execFileSync(command, args, { stdio: 'inherit' });
    } catch {
      process.stdout.write(`"${command} ${args.join(' ')}" did not work.\n`);
    }
    const found = findInstalled();
    if (found) return found;
  }
  throw new Error('No Chromium could be installed. Install one and set CHROMIUM_PATH.');
}
