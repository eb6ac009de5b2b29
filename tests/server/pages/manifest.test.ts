import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { composeManifest } from '#server/pages/manifest.ts';
import { demoSettings } from '#tests/factories/settings.ts';

const brand = { ...demoSettings.brand, name: 'Sound Ferries' };
const read = (host: 'portal' | 'tickets', over: object = {}) =>
  JSON.parse(composeManifest(host, { ...demoSettings, brand: { ...brand, ...over } }));

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

  test.each(['portal', 'tickets'] as const)('of the %s host names only pictures that exist', (host) => {
    const { icons, shortcuts, screenshots } = read(host);
    type Picture = { src: string; purpose?: string; form_factor?: string };
    const pictures: Picture[] = [
      ...icons,
      ...screenshots,
      ...shortcuts.flatMap((shortcut: { icons: Picture[] }) => shortcut.icons),
    ];
    const folder = fileURLToPath(new URL('../../../public', import.meta.url));
    expect(pictures.filter(({ src }) => !existsSync(folder + src))).toEqual([]);
    expect(icons.map(({ purpose }: Picture) => purpose)).toEqual(expect.arrayContaining(['any', 'maskable']));
    expect(screenshots.map(({ form_factor }: Picture) => form_factor)).toEqual(['narrow', 'wide']);
  });
});

test.each(['portal', 'tickets'] as const)(
  'the app of the %s host has the operator’s icon and color',
  (host) => {
    const icon_url = 'https://cdn.example.com/icon.png';
    const { icons, theme_color } = read(host, { icon_url, accent: '#0d7d5b' });
    expect(icons).toEqual([{ src: icon_url, sizes: '512x512', type: 'image/png', purpose: 'any' }]);
    expect(theme_color).toBe('#0d7d5b');
    expect(read(host, { accent: 'teal' }).theme_color).toBe('#072d46');
  },
);

test('The ticket app of an operator without a tagline is described neutrally', () => {
  expect(read('tickets', { tagline: null }).description).toBe('Ferry tickets');
});
