import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { HomeData } from '#contract/catalogue/schemas.ts';
import { forEachHost, HOSTS } from '#contract/hosts.ts';
import type { PageConfig } from '#contract/settings/schemas.ts';
import { composePage, startHelp } from '#server/pages/page.ts';
import { defaultWebSettings } from '#server/settings/merge-settings.ts';
import { demoSettings } from '#tests/factories/settings.ts';

const ANALYTICS = {
  tickets_container_id: 'GTM-1',
  portal_container_id: 'GTM-2',
  recorder_site_id: '1',
  requires_consent: false,
};
const config: PageConfig = {
  host: 'tickets',
  origins: {
    tickets: 'https://tickets.ferry.example',
    portal: 'https://my.ferry.example',
    staff: 'https://staff.ferry.example',
    storage: 'https://storage.ferry.example',
  },
  parent_domain: 'ferry.example',
  password_min_length: 8,
  provider: { publishable_key: 'pk', script_url: 'https://js.stripe.com/x.js', is_test: false },
  sentry_dsn: null,
  version: 'abc',
  settings: { ...demoSettings, analytics: ANALYTICS },
};

type Home = Parameters<typeof composePage>[0]['home'];
const noFiles = { entry: '', scripts: [], styles: [], screens: [] };

async function compose(
  path: string,
  name: PageConfig['host'] = 'tickets',
  settings = config.settings,
  {
    styles = [],
    address = path,
    home = null,
    scripts = ['/assets/screen.js'],
  }: Partial<{ styles: string[]; address: string; home: Home; scripts: string[] }> = {},
) {
  const host = { entry: '/assets/start.js', scripts: ['/assets/shared.js'], styles, screens: [] };
  const { asset, headers } = await composePage({
    template: '<head><!--page-head--><!--page-config--></head><!--start-help-->',
    build: {
      hosts: forEachHost(() => host),
      styles: {},
      messages: '/assets/messages-1',
      firstPaint: '/first-paint.js',
      startCheck: '/start-check.js',
    },
    screen: { path, title: null, catalogue: null, scripts, styles: [] },
    address,
    config: { ...config, host: name, settings },
    operatorLanguage: 'en-US',
    ...{ sky: null, place: null },
    home,
  });
  return {
    html: new TextDecoder().decode(asset.plain),
    etag: asset.etag,
    policy: headers['Content-Security-Policy'] ?? '',
  };
}

test.each(['/', '/orders/new'])(
  'search engines find the purchase page at %s under one address',
  async (path) => {
    const { html } = await compose(path);
    expect(html).toContain('<link rel="canonical" href="https://tickets.ferry.example/" />');
    expect(html).toContain('<meta name="description" content="Ferries across the sound, all year round." />');
    expect(html).not.toContain('noindex');
  },
);

test.each([
  ['/departures', '/departures'],
  ['/departures/{code}', '/departures/MAD'],
])('search engines find the page %s at %s', async (path, address) => {
  const { html } = await compose(path, 'tickets', config.settings, { address });
  expect(html).not.toContain('noindex');
  expect(html).toContain(`<link rel="canonical" href="https://tickets.ferry.example${address}" />`);
  expect(html).toContain(`<meta property="og:url" content="https://tickets.ferry.example${address}" />`);
});

test.each(HOSTS)('a link to the %s host is previewed with the brand', async (host) => {
  const { html } = await compose('/sign_in', host);
  const found = [...html.matchAll(/property="og:([a-z_]+)" content="([^"]*)"/g)].map(([, ...pair]) => pair);
  const origin = config.origins[host];
  expect(Object.fromEntries(found)).toMatchObject({
    type: 'website',
    site_name: 'Harbor Line',
    title: 'Harbor Line',
    description: 'Ferries across the sound, all year round.',
    image: `${origin}/icon-512.png`,
    locale: 'en_US',
  });
});

test('a page has the operator’s icon', async () => {
  const brand = { ...demoSettings.brand, icon_url: 'https://cdn.example.com/icon.png' };
  const { html } = await compose('/', 'tickets', { ...config.settings, brand });
  expect(html).toContain('<link rel="icon" href="https://cdn.example.com/icon.png" type="image/png" />');
  expect(html).toContain('<link rel="apple-touch-icon" href="https://cdn.example.com/icon.png" />');
  expect(html).toContain('<meta property="og:image" content="https://cdn.example.com/icon.png" />');
});

test('the home page describes the operator to search engines, in data that cannot end its element', async () => {
  const brand = { ...demoSettings.brand, name: '</script>' };
  const home = homeReadAt('2026-06-01T10:00:00Z');
  const { html } = await compose('/', 'tickets', { ...config.settings, brand }, { home });
  const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html) ?? [];
  expect(JSON.parse(json)).toMatchObject({
    '@type': 'Organization',
    name: '</script>',
    url: 'https://tickets.ferry.example/',
    telephone: '+1 206 555 0142',
  });
  expect((await compose('/departures')).html).not.toContain('ld+json');
});

test.each([
  ['tickets', '/orders/{id}/confirmation'],
  ['tickets', '/shared_tickets/{token}'],
  ['tickets', '/departures/{code}'],
  ['tickets', '/404'],
  ['portal', '/orders'],
  ['portal', '/sign_in'],
] as const)('on the %s host the page %s is not indexed by search engines', async (host, path) => {
  const { html } = await compose(path, host);
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
] as const)('on the %s host the policy of %s allows tracking: %s', async (host, path, isLetIn) => {
  expect(/googletagmanager|hotjar/.test((await compose(path, host)).policy)).toBe(isLetIn);
});

const TEMPLATES = /<template.*?<\/template>/g;

test('the account host paints saved data before it runs the app', async () => {
  const { html } = await compose('/orders', 'portal');
  const templates = [...html.matchAll(/<template id="([^"]+)">(.*?)<\/template>/g)];
  expect(templates.map(([, id, scripts = '']) => [id, scriptsOf(scripts)])).toEqual([
    ['app-script', ['/assets/start.js']],
    ['first-paint-script', ['/first-paint.js']],
  ]);
  expect(scriptsOf(html.replaceAll(TEMPLATES, ''))).toEqual([
    '/start-check.js',
    '/first-paint.js',
    '/assets/start.js',
    '/assets/shared.js',
    '/assets/screen.js',
  ]);
});

test('the ticket host runs the app at once and links what it imports, and paints no saved data', async () => {
  const { html } = await compose('/');
  expect(scriptsOf(html)).toEqual([
    '/start-check.js',
    '/assets/start.js',
    '/assets/shared.js',
    '/assets/screen.js',
  ]);
  expect(html).not.toMatch(/<template|first-paint/);
});

test('a release with other styles names another version of them', async () => {
  const versionOf = async (styles: string[]) => {
    const { html } = await compose('/orders', 'portal', config.settings, { styles });
    return /<meta name="snapshot-styles" content="([^"]+)" \/>/.exec(html)?.[1];
  };
  const version = await versionOf(['/assets/a.css']);
  expect(version).toMatch(/^[\w-]{12}$/);
  expect(await versionOf(['/assets/b.css'])).not.toBe(version);
});

test('the home page has the same tag whenever its data was read, and another one for other data', async () => {
  const tagOf = async (home: Home) => (await compose('/', 'tickets', config.settings, { home })).etag;
  const [early, late] = [homeReadAt('2026-06-01T10:00:00Z'), homeReadAt('2026-06-01T10:00:07Z')];
  expect(await tagOf(early)).toBe(await tagOf(late));
  expect(await tagOf(homeReadAt('2026-06-01T10:00:00Z', '2026-06-02'))).not.toBe(await tagOf(early));
});

function homeReadAt(as_of: string, today = '2026-06-01') {
  return { data: { catalogue: { as_of }, today } as HomeData, markup: '' };
}

function scriptsOf(html: string): (string | undefined)[] {
  return [
    ...html.matchAll(/(?:src|(?:as="script"|rel="modulepreload" crossorigin) href)="([^"]+\.js)"/g),
  ].map(([, path]) => path);
}

test('A page of an operator without a tagline has no description', async () => {
  const { asset } = await composePage({
    template: '<head><!--page-head--></head>',
    build: { hosts: forEachHost(() => noFiles), styles: {}, messages: '' },
    screen: { path: '/', title: null, catalogue: null, scripts: [], styles: [] },
    config: { ...config, settings: defaultWebSettings },
    operatorLanguage: 'en-US',
    ...{ sky: null, place: null },
    home: null,
  });
  const html = Buffer.from(asset.plain).toString();
  expect(html).toContain('<title>Ferry tickets</title>');
  expect(html).not.toContain('name="description"');
});

test.each([
  ['#0D7D5B', ':root{--accent:#0D7D5B;--on-accent-fallback:#ffffff}'],
  ['hsl(24 90% 50%)', ':root{--accent:hsl(24 90% 50%)}'],
  ['red;background:url(//evil.test)', ''],
])('a page with the accent %s has the style "%s", which its policy allows', async (accent, style) => {
  const brand = { ...demoSettings.brand, accent };
  const { html, policy } = await compose('/', 'tickets', { ...config.settings, brand });
  expect(html).toContain(`<style>${style}</style>`);
  expect(policy).toContain(`sha256-${createHash('sha256').update(style).digest('base64')}`);
});

describe('the help of a page that cannot start the app', () => {
  test('is hidden until the script that checks the start shows it, which comes before the app', async () => {
    const { html } = await compose('/orders', 'portal');
    expect(html).toContain('<main id="start-help" hidden>');
    // It inserts the templates' scripts, or another script does that later.
    const parsed = [(await compose('/')).html, html.replaceAll(TEMPLATES, '')];
    for (const text of parsed) expect(scriptsOf(text)[0]).toBe('/start-check.js');
    expect(html).toContain('Chrome or Edge 111, Safari or iOS 16.4, Firefox 121, or newer');
  });

  test('names the operator’s phone and e-mail address, each only if it is set', () => {
    const { contact } = demoSettings;
    const text = (own: Partial<typeof contact>) =>
      startHelp(
        { ...demoSettings, contact: { ...contact, ...own } },
        { isReadable: false, showsOrder: false },
      );
    expect(text({})).toContain(
      '<a dir="ltr" href="tel:+12065550142">+1 206 555 0142</a> or write to <a href="mailto:',
    );
    expect(text({ phone: null })).not.toContain('tel:');
    expect(text({ phone: null, email: null })).not.toContain('You can also');
    expect(text({ phone: '"><script>' })).not.toContain('<script>');
  });

  test('links to the operator’s legal pages that are set', () => {
    const legal = { ...demoSettings.legal, imprint_url: null };
    const text = startHelp({ ...demoSettings, legal }, { isReadable: false, showsOrder: false });
    expect(text).toContain('<a href="https://harborline.example/privacy">Privacy</a>');
    expect(text).not.toContain('Imprint');
  });

  test('has a style for pages without JavaScript that the policy allows', async () => {
    const { html, policy } = await compose('/');
    const [, style = ''] = /<noscript><style>(.*?)<\/style><\/noscript>/.exec(html) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(policy).toContain(`'sha256-${hash}'`);
  });
});
