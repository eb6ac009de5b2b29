import { expect, test } from 'vitest';
import type { PageConfig } from '#contract/settings.ts';
import { composePage } from '#server/pages/page.ts';
import { defaultWebSettings } from '#server/settings/default-web-settings.ts';
import { demoSettings } from '#tests/factories/settings.ts';

const ANALYTICS = { tickets_container_id: 'GTM-1', portal_container_id: 'GTM-2', recorder_site_id: '1' };
const config: PageConfig = {
  host: 'tickets',
  origins: {
    tickets: 'https://tickets.ferry.example',
    portal: 'https://my.ferry.example',
    storage: 'https://storage.ferry.example',
  },
  parent_domain: 'ferry.example',
  secure_cookies: true,
  password_min_length: 8,
  provider: { publishable_key: 'pk', script_url: 'https://js.stripe.com/x.js', is_test: false },
  sentry_dsn: null,
  version: 'abc',
  settings: { ...demoSettings, analytics: ANALYTICS },
};

const noFiles = { modulepreload: [], styles: [], screens: [] };

function compose(path: string, name: PageConfig['host'] = 'tickets') {
  const host = { modulepreload: ['/assets/react.js'], styles: [], screens: [] };
  const { asset, headers } = composePage({
    template: '<head><!--page-head--><!--page-config--><script src="/main.js"></script></head>',
    build: { hosts: { tickets: host, portal: host }, styles: {}, firstPaint: '/first-paint.js' },
    screen: { path, title: null, modulepreload: [], styles: [] },
    config: { ...config, host: name },
    home: null,
  });
  return { html: new TextDecoder().decode(asset.plain), policy: headers['Content-Security-Policy'] ?? '' };
}

test.each(['/', '/orders/new'])('search engines find the purchase page at %s under one address', (path) => {
  const { html } = compose(path);
  expect(html).toContain('<link rel="canonical" href="https://tickets.ferry.example/" />');
  expect(html).toContain('<meta name="description" content="Ferries across the sound, all year round." />');
  expect(html).not.toContain('noindex');
});

test.each([
  ['tickets', '/orders/{id}/confirmation'],
  ['tickets', '/404'],
  ['portal', '/orders'],
  ['portal', '/sign_in'],
] as const)('search engines leave the %s host’s %s alone', (host, path) => {
  const { html } = compose(path, host);
  expect(html).toContain('<meta name="robots" content="noindex" />');
  expect(html).not.toContain('canonical');
});

test.each([
  ['tickets', '/', true],
  ['portal', '/orders', true],
  ['tickets', '/__shell', true],
  ['tickets', '/orders/{id}/confirmation', false],
  ['portal', '/sign_in', false],
  ['portal', '/account', false],
  ['portal', '/security', false],
  ['portal', '/account/verify/{token}', false],
] as const)('on the %s host the policy of %s lets watchers in: %s', (host, path, isLetIn) => {
  expect(/googletagmanager|hotjar/.test(compose(path, host).policy)).toBe(isLetIn);
});

test('what was saved is painted by a script that is asked for first, on the account host alone', () => {
  const { html } = compose('/orders', 'portal');
  const scripts = [...html.matchAll(/(?:src|modulepreload" crossorigin href)="([^"]+\.js)"/g)];
  expect(scripts.map(([, path]) => path)).toEqual(['/first-paint.js', '/assets/react.js', '/main.js']);
  expect(compose('/').html).not.toContain('first-paint');
});

test('A page of an operator without a tagline has no description', () => {
  const { asset } = composePage({
    template: '<head><!--page-head--></head>',
    build: { hosts: { tickets: noFiles, portal: noFiles }, styles: {}, firstPaint: null },
    screen: { path: '/', title: null, modulepreload: [], styles: [] },
    config: { ...config, settings: defaultWebSettings },
    home: null,
  });
  const html = Buffer.from(asset.plain).toString();
  expect(html).toContain('<title>Ferry tickets</title>');
  expect(html).not.toContain('name="description"');
});
