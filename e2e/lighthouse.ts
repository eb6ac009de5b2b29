import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { portalPages, ticketPages } from '#contract/paths.ts';
import { startProduct } from '#tests/bench/product.ts';
import { BROWSER_FLAGS, findBrowser } from './support/find-browser.ts';

/*
 * `npm run lighthouse`: the Lighthouse scores of the built app on a phone and a desktop. Downloaded on demand and not
 * a dependency, because it has two hundred packages for one command.
 */

const LIGHTHOUSE = 'lighthouse@13.5.0';
const WANTED = 100;

type Look = { name: string; url: string; categories: readonly string[]; preset: 'phone' | 'desktop' };
type Report = {
  categories: Record<
    string,
    { title: string; score: number | null; auditRefs: { id: string; weight: number }[] }
  >;
  audits: Record<string, { title: string; score: number | null }>;
};

const product = await startProduct();
const folder = mkdtempSync(join(tmpdir(), 'gangway-lighthouse-'));
try {
  const browser = findBrowser();
  const findings = looks().flatMap((look) => assess(look, browser));
  if (findings.length > 0) {
    process.stdout.write(`\nBelow ${WANTED}:\n${findings.map((finding) => `  ${finding}\n`).join('')}`);
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
  await product.stop();
}

function looks(): Look[] {
  const home = product.origin('tickets') + ticketPages.home;
  const all = ['accessibility', 'best-practices', 'seo'];
  return [
    { name: 'public host, phone', url: home, categories: all, preset: 'phone' },
    { name: 'public host, desktop', url: home, categories: all, preset: 'desktop' },
    {
      // These pages are excluded from search engines on purpose.
      name: 'portal, phone',
      url: product.origin('my') + portalPages.signIn,
      categories: ['accessibility', 'best-practices'],
      preset: 'phone',
    },
  ];
}

/** Prints the scores. @returns the audits that lower one of them */
function assess({ name, url, categories, preset }: Look, browser: string): string[] {
  const file = join(folder, 'report.json');
  const options = [
    `--only-categories=${categories.join(',')}`,
    '--output=json',
    `--output-path=${file}`,
    '--quiet',
    `--chrome-flags=${['--headless=new', ...BROWSER_FLAGS].join(' ')}`,
    ...(preset === 'desktop' ? ['--preset=desktop'] : []),
  ];
  execFileSync('npx', ['--yes', LIGHTHOUSE, url, ...options], {
    env: { ...process.env, CHROME_PATH: browser },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { categories: scored, audits } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const scores = Object.values(scored).map(({ title, score }) => `${title} ${percent(score)}`);
  process.stdout.write(`${name}: ${scores.join(', ')}\n`);
  return Object.values(scored)
    .filter(({ score }) => percent(score) < WANTED)
    .flatMap(({ title, auditRefs }) =>
      auditRefs
        .filter(({ id, weight }) => weight > 0 && isBelow(audits[id]?.score))
        .map(({ id }) => `${name}, ${title}: ${audits[id]?.title ?? ''} (${id})`),
    );
}

/** Null if it does not apply. */
function isBelow(score: number | null | undefined): boolean {
  return score !== null && score !== undefined && score < 1;
}

function percent(score: number | null): number {
  return Math.round((score ?? 0) * 100);
}
