import { readFile } from 'node:fs/promises';
import {
  expect,
  type Locator,
  type Page,
  type PageAssertionsToHaveScreenshotOptions,
} from '@playwright/test';
import { BROWSER_FLAGS, findBrowser } from './support/find-browser.ts';
import { expectAccessibleInBothSchemes } from './support/fixtures.ts';
import { test } from './support/gallery-page.ts';

const SECTIONS = ['theme', 'actions', 'fields', 'choices', 'content', 'travel', 'charts', 'feedback'];
const SCHEMES = [
  { name: 'light', media: { colorScheme: 'light', forcedColors: 'none' } },
  { name: 'dark', media: { colorScheme: 'dark', forcedColors: 'none' } },
  { name: 'forced colors', media: { colorScheme: 'light', forcedColors: 'active' } },
] as const;
/** Far less than the ring of one focused button. */
const EXACT: PageAssertionsToHaveScreenshotOptions = { maxDiffPixels: 120, animations: 'disabled' };

test.use({
  viewport: { width: 1280, height: 900 },
  launchOptions: {
    executablePath: findBrowser(),
    // Renders fonts and colors independently of the machine's screen and settings.
    args: [
      ...BROWSER_FLAGS,
      '--font-render-hinting=none',
      '--disable-lcd-text',
      '--force-color-profile=srgb',
      '--hide-scrollbars',
    ],
  },
});

test.describe('the screenshots of every control with its states', { tag: '@more' }, () => {
  test.beforeEach(async ({ gallery }, testInfo) => {
    const isAlike = await drawsAlike(gallery, testInfo.snapshotPath('probe.png', { kind: 'screenshot' }));
    test.skip(
      !isAlike,
      'This machine draws the same letters otherwise than the one that made the pictures, so they cannot be compared ' +
        'here. "npm run e2e -- gallery --grep @more --update-snapshots" makes its own, to compare later changes with.',
    );
  });

  test('match the references, in light, dark and forced colors', async ({ gallery }) => {
    test.slow();
    await hideBars(gallery);
    for (const section of SECTIONS) {
      await showOnly(gallery, [section]);
      for (const { name, media } of SCHEMES) {
        await gallery.emulateMedia(media);
        await expect.soft(sectionOf(gallery, section)).toHaveScreenshot(`${section}-${name}.png`, EXACT);
      }
    }
  });

  test('match the references with popups open, in light and dark', async ({ gallery }) => {
    test.slow();
    await gallery.setViewportSize({ width: 768, height: 700 });
    await showOnly(gallery, ['fields', 'popups']);
    for (const { layer, open } of LAYERS) {
      await open(gallery);
      for (const { name, media } of SCHEMES.slice(0, 2)) {
        await gallery.emulateMedia(media);
        await expect.soft(gallery).toHaveScreenshot(`${layer}-${name}.png`, EXACT);
      }
      await gallery.keyboard.press('Escape');
      await expect(gallery.locator('dialog, [popover]')).toHaveCount(0);
    }
  });

  test('match the reference on a phone, with the bars along its lower edge', async ({ gallery }) => {
    await gallery.setViewportSize({ width: 390, height: 844 });
    await gallery.evaluate(() => window.scrollTo(0, 0));
    await expect(gallery).toHaveScreenshot('phone.png', EXACT);
  });

  test('show the toasts of each kind', async ({ gallery }) => {
    await showOnly(gallery, ['feedback']);
    const notifications = gallery.getByRole('region', { name: 'Notifications' });
    for (const kind of ['success', 'alert', 'warning', 'message']) {
      await gallery.getByRole('button', { name: `Toast: ${kind}` }).click();
      await expect(notifications).toHaveScreenshot(`toast-${kind}.png`, EXACT);
      await notifications.getByRole('button').click();
    }
  });
});

const LAYERS: { layer: string; open: (page: Page) => Promise<void> }[] = [
  {
    layer: 'menu',
    open: (page) => page.getByRole('button', { name: 'More', exact: true }).click(),
  },
  {
    layer: 'popover',
    open: (page) => page.getByRole('button', { name: 'High lane' }).click(),
  },
  {
    layer: 'modal',
    open: (page) => page.getByRole('button', { name: 'md', exact: true }).click(),
  },
  { layer: 'days', open: openCalendar },
  {
    layer: 'months',
    open: async (page) => {
      await openCalendar(page);
      await page.getByRole('button', { name: 'July 2026' }).click();
    },
  },
  {
    layer: 'years',
    open: async (page) => {
      await openCalendar(page);
      await page.getByRole('button', { name: 'July 2026' }).click();
      await page.getByRole('button', { name: '2026', exact: true }).click();
    },
  },
];

// With forced colors the user chooses the contrast.
test('the gallery breaks no rule of accessibility, in light and dark', async ({ gallery }) => {
  test.slow();
  await expectAccessibleInBothSchemes(gallery);
});

test('no part is wider than the page, at any width and with text twice as large', async ({ gallery }) => {
  for (const width of [320, 360, 390, 768, 1440]) {
    await gallery.setViewportSize({ width, height: 800 });
    expect(await overhang(gallery), `at ${width} px`).toBe(0);
  }
  await gallery.addStyleTag({ content: 'html { font-size: 200% }' });
  for (const width of [360, 390, 768, 1440]) {
    await gallery.setViewportSize({ width, height: 800 });
    expect(await overhang(gallery), `at ${width} px, text twice as large`).toBe(0);
  }
});

test('a modal has eleven widths, from 320 px for xs to 1280 px for 7xl', async ({ gallery }) => {
  await gallery.setViewportSize({ width: 1440, height: 900 });
  const widths: Record<string, number> = {};
  for (const size of ['xs', 'sm', 'md', 'lg', 'xl', '2xl', '3xl', '4xl', '5xl', '6xl', '7xl']) {
    await gallery.getByRole('button', { name: size, exact: true }).click();
    const dialog = gallery.getByRole('dialog');
    widths[size] = await dialog.evaluate((element: HTMLElement) => element.offsetWidth);
    await gallery.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
  expect(widths).toEqual({
    xs: 320,
    sm: 384,
    md: 448,
    lg: 512,
    xl: 576,
    '2xl': 672,
    '3xl': 768,
    '4xl': 896,
    '5xl': 1024,
    '6xl': 1152,
    '7xl': 1280,
  });
});

test('no part moves, fades or grows with reduced motion', async ({ gallery }) => {
  await gallery.emulateMedia({ reducedMotion: 'reduce' });
  await gallery.getByRole('button', { name: 'md', exact: true }).click();
  const moving = await gallery.evaluate(() =>
    document
      .getAnimations()
      // A spinner moves in slow steps instead, because a still one would suggest that nothing happens.
      .filter((animation) => !(animation instanceof CSSAnimation && animation.animationName.includes('turn')))
      .map((animation) => (animation as CSSAnimation).animationName ?? 'a transition'),
  );
  expect(moving).toEqual([]);
});

function sectionOf(page: Page, name: string): Locator {
  return page.locator(`[data-section="${name}"]`);
}

async function openCalendar(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Change date, 07/24/2026' }).first().click();
  await expect(page.getByRole('gridcell').first()).toBeVisible();
}

/** Isolates a part, so that its neighbors do not affect its screenshot. */
async function showOnly(page: Page, sections: readonly string[]): Promise<void> {
  await page.locator('[data-section]').evaluateAll((all: HTMLElement[], shown) => {
    for (const section of all) {
      section.style.display = shown.includes(section.dataset.section ?? '') ? '' : 'none';
    }
  }, sections);
}

/** Hides fixed elements, which would cover the part in its screenshot. */
async function hideBars(page: Page): Promise<void> {
  await page.addStyleTag({ content: '[data-sticky-bar], [data-tab-bar] { visibility: hidden }' });
}

function overhang(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Whether this machine renders text and rounded edges like the one that created the screenshots. */
async function drawsAlike(page: Page, file: string): Promise<boolean> {
  await page.evaluate(() => {
    const probe = document.createElement('div');
    probe.id = 'probe';
    probe.textContent = 'Sphinx of black quartz, judge my vow: $1,184.50';
    probe.style.cssText =
      'position:fixed;inset:0 auto auto 0;z-index:99;padding:8px 20px;border:3px solid #036;border-radius:12px;' +
      'background:#fff;color:#000;font:600 17px/1.4 "Gallery Sans"';
    document.body.append(probe);
  });
  const probe = page.locator('#probe');
  if (['all', 'changed'].includes(test.info().config.updateSnapshots))
    await expect(probe).toHaveScreenshot('probe.png');
  const here = await probe.screenshot();
  await probe.evaluate((element) => element.remove());
  const there = await readFile(file).catch(() => null);
  // Without a reference screenshot there is nothing to compare, and the missing ones fail the test themselves.
  return there === null || (await countUnlike(page, here, there)) <= 20;
}

/** The number of clearly different pixels of two PNGs; all pixels if the sizes differ. */
function countUnlike(page: Page, ...pictures: [Buffer, Buffer]): Promise<number> {
  return page.evaluate(
    async (sources) => {
      const [one, other] = await Promise.all(
        sources.map(async (source) => {
          const bytes = Uint8Array.from(atob(source), (character) => character.charCodeAt(0));
          const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
          const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
          context?.drawImage(image, 0, 0);
          return context?.getImageData(0, 0, image.width, image.height);
        }),
      );
      if (!one || !other || one.width !== other.width || one.height !== other.height) return Infinity;
      let unlike = 0;
      for (let at = 0; at < one.data.length; at += 4) {
        if (Math.abs((one.data[at] ?? 0) - (other.data[at] ?? 0)) > 48) unlike += 1;
      }
      return unlike;
    },
    pictures.map((picture) => picture.toString('base64')),
  );
}
