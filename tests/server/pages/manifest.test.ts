import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { HOSTS, type Host } from '#contract/hosts.ts';
import { servedHosts } from '#contract/served-hosts.ts';
import { composeManifest } from '#server/pages/manifest.ts';
import { iconTags } from '#server/pages/page-meta.ts';
import { demoSettings } from '#tests/factories/settings.ts';

const brand = { ...demoSettings.brand, name: 'Sound Ferries' };
const read = (host: Host, over: object = {}) =>
  JSON.parse(composeManifest(host, { ...demoSettings, brand: { ...brand, ...over } }));
const DEMO = { name: demoSettings.brand.name };

describe('the install manifest', () => {
  test('of the portal opens the orders and marks the start from the home screen', () => {
    expect(read('portal')).toMatchObject({
      id: '/',
      scope: '/',
      start_url: '/orders?source=pwa',
      display: 'standalone',
      name: 'Sound Ferries account',
      short_name: 'Sound Ferries',
    });
    expect(read('portal').shortcuts.map(({ name }: { name: string }) => name)).toEqual([
      'Show tickets',
      'Show trip card',
      'My Orders',
      'Trip Cards',
    ]);
  });

  test('of the ticket host is another app with separate shortcuts', () => {
    expect(read('tickets', { tagline: 'Across the sound' })).toMatchObject({
      id: '/',
      scope: '/',
      start_url: '/',
      name: 'Sound Ferries tickets',
      short_name: 'Sound Ferries tickets',
      description: 'Across the sound',
    });
    expect(read('tickets').shortcuts.map(({ url }: { url: string }) => url)).toEqual([
      '/?show=next',
      '/',
      '/?find=1',
    ]);
  });

  test.each(HOSTS)('of the %s host names only pictures that exist', (host) => {
    const { icons, shortcuts, screenshots } = read(host, DEMO);
    type Picture = { src: string; purpose?: string; form_factor?: string };
    const pictures: Picture[] = [
      ...icons,
      ...screenshots,
      ...shortcuts.flatMap((shortcut: { icons: Picture[] }) => shortcut.icons),
    ];
    const folder = fileURLToPath(new URL('../../../public', import.meta.url));
    expect(pictures.filter(({ src }) => !existsSync(folder + src))).toEqual([]);
    expect(icons.map(({ purpose }: Picture) => purpose)).toEqual(expect.arrayContaining(['any', 'maskable']));
    const { own } = servedHosts[host].manifest;
    const formFactors = own === null || own.screenshots ? ['narrow', 'wide'] : [];
    expect(screenshots.map(({ form_factor }: Picture) => form_factor)).toEqual(formFactors);
  });
});

test.each(HOSTS)(
  'the app of the %s host has the operator’s icons, and no screenshots of the demo',
  (host) => {
    const icon_url = 'https://cdn.example.com/icon.png';
    const maskable_icon_url = '/icons/whole.png';
    const icon = { sizes: '512x512', type: 'image/png' };
    const own = { ...icon, src: icon_url, purpose: 'any' };
    expect(read(host, { icon_url }).icons).toEqual([own]);
    expect(read(host, { icon_url, maskable_icon_url }).icons).toEqual([
      own,
      { ...icon, src: maskable_icon_url, purpose: 'maskable' },
    ]);
    expect(read(host, { maskable_icon_url }).icons).toEqual(read(host).icons);
    expect(read(host).screenshots).toEqual([]);
  },
);

test.each(HOSTS)(
  'the app of the %s host starts in the color of the header, which does not depend on the accent',
  (host) => {
    const tags = iconTags(brand).join();
    expect(tags).toContain(
      `<meta name="theme-color" content="${read(host, { accent: '#0d7d5b' }).theme_color}" />`,
    );
  },
);

test('The ticket app of an operator without a tagline is described neutrally', () => {
  expect(read('tickets', { tagline: null }).description).toBe('Ferry tickets');
});
