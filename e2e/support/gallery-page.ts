import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { compilePlugin } from '#messages/build/messages-plugin.ts';
import { test as base } from './fixtures.ts';

const GALLERY = fileURLToPath(new URL('../../src/web/gallery.html', import.meta.url));
const ORIGIN = 'http://gallery.test';
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.ttf': 'font/ttf',
};

/** Fonts that come with the tests, so that the same text takes the same room on every machine. */
const FONTS = [
  { family: 'Gallery Sans', weight: '400', file: 'DejaVuSans.ttf' },
  { family: 'Gallery Sans', weight: '550 800', file: 'DejaVuSans-Bold.ttf' },
  { family: 'Gallery Mono', weight: '400 700', file: 'DejaVuSansMono.ttf' },
];

type Fixtures = { gallery: Page };
type WorkerFixtures = { galleryFolder: string };

/** The design system's gallery, built for the tests, which the product leaves out. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  galleryFolder: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the fixtures taken apart, also when there are none
    async ({}, use) => use(await buildOnce(join(process.env.E2E_DATA_DIR ?? '', 'gallery'))),
    { scope: 'worker', timeout: 120_000 },
  ],
  gallery: async ({ page, galleryFolder }, use) => {
    await page.route(`${ORIGIN}/**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      const file = pathname.startsWith('/fonts/')
        ? fileURLToPath(import.meta.resolve(`dejavu-fonts-ttf/ttf/${pathname.slice('/fonts/'.length)}`))
        : join(galleryFolder, pathname === '/' ? 'gallery.html' : pathname);
      await route.fulfill({ body: await readFile(file), contentType: TYPES[extname(file)] ?? 'text/plain' });
    });
    await page.clock.setFixedTime('2026-07-22T09:00:00Z');
    await page.goto(`${ORIGIN}/`);
    await page.addStyleTag({ content: FONT_STYLE });
    await page.evaluate(loadFonts, FONTS);
    await use(page);
  },
});

const FONT_STYLE = `${FONTS.map(
  ({ family, weight, file }) =>
    `@font-face { font-family: '${family}'; font-weight: ${weight}; src: url('/fonts/${file}'); }`,
).join('\n')}
:root { --font: 'Gallery Sans'; --font-code: 'Gallery Mono'; }`;

/** One worker builds the gallery, and the others of the run wait for it. */
async function buildOnce(folder: string): Promise<string> {
  const work = `${folder}-work`;
  const isFirst = mkdirSync(work, { recursive: true }) !== undefined;
  if (!isFirst) {
    await expect.poll(() => existsSync(folder), { timeout: 100_000, intervals: [100] }).toBe(true);
    return folder;
  }
  await build({
    configFile: false,
    root: fileURLToPath(new URL('../../src/web', import.meta.url)),
    plugins: [compilePlugin(), react()],
    logLevel: 'error',
    build: { outDir: join(work, 'built'), rolldownOptions: { input: GALLERY } },
  });
  renameSync(join(work, 'built'), folder);
  return folder;
}

async function loadFonts(fonts: typeof FONTS): Promise<void> {
  await Promise.all(
    fonts.map(({ family, weight }) => document.fonts.load(`${weight.split(' ')[0]} 16px '${family}'`)),
  );
}
