import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { HOSTS } from '#contract/hosts.ts';
import { servedHosts } from '#contract/served-hosts.ts';
import type { PageConfig } from '#contract/settings/schemas.ts';
import { pageHeaders } from '#server/pages/page-headers.ts';
import { ORIGINS } from '#tests/factories/origins.ts';
import { demoSettings } from '#tests/factories/settings.ts';

const config: PageConfig = {
  host: 'tickets',
  origins: ORIGINS,
  parent_domain: 'ferry.localhost',
  password_min_length: 8,
  provider: {
    publishable_key: 'pk_test_1',
    script_url: 'http://pay.ferry.localhost:8080/endive/stripe.js',
    is_test: true,
  },
  sentry_dsn: null,
  version: 'abc',
  settings: demoSettings,
};

describe('the headers of a page', () => {
  test('allow no inline script, no framing and no referrer', () => {
    const headers = pageHeaders(config, ['p{color:red}']);
    const policy = headers['Content-Security-Policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    const hash = createHash('sha256').update('p{color:red}').digest('base64');
    expect(policy).toContain(`style-src 'self' 'sha256-${hash}';`);
    expect(policy).not.toContain('unsafe');
    expect(headers['Referrer-Policy']).toBe('no-referrer');
  });

  test('allow only the stand-in while payments are simulated', () => {
    const policy = pageHeaders(config, [])['Content-Security-Policy'] ?? '';
    expect(policy).toContain("script-src 'self' http://pay.ferry.localhost:8080;");
    expect(policy).not.toMatch(/stripe\.com|google|hotjar/);
  });

  test('allow no card provider and no analytics on a host without payments and third-party scripts', () => {
    const analytics = { ...demoSettings.analytics, tickets_container_id: 'GTM-1', recorder_site_id: '1' };
    const settings = { ...demoSettings, analytics };
    const headers = pageHeaders({ ...config, host: 'staff', settings }, []);
    expect(headers['Content-Security-Policy']).toContain("script-src 'self' 'wasm-unsafe-eval';");
    expect(headers['Content-Security-Policy']).not.toMatch(/pay\.ferry|google|hotjar/);
    expect(headers['Permissions-Policy']).toContain('payment=()');
  });

  test('allow a frame of their own pages on the staff host alone', () => {
    const policies = HOSTS.map(
      (host) => pageHeaders({ ...config, host, settings: demoSettings }, [])['Content-Security-Policy'] ?? '',
    );
    expect(HOSTS.filter((_, index) => /frame-src[^;]*'self'/.test(policies[index] ?? ''))).toEqual(['staff']);
  });

  test('allow the camera, and the reader of codes, on the host of the gate alone', () => {
    const permissions = HOSTS.map((host) => pageHeaders({ ...config, host, settings: demoSettings }, []));
    const allows = (name: string, text: string) =>
      permissions.map((headers) => headers[name]?.includes(text));
    const usesCamera = HOSTS.map((host) => servedHosts[host].usesCamera);
    expect(usesCamera.filter(Boolean)).toHaveLength(1);
    expect(allows('Permissions-Policy', 'camera=(self)')).toEqual(usesCamera);
    expect(allows('Content-Security-Policy', "'wasm-unsafe-eval'")).toEqual(usesCamera);
  });

  test('allow the real provider’s origins', () => {
    const provider = {
      publishable_key: 'pk_live_1',
      script_url: 'https://js.stripe.com/endive/stripe.js',
      is_test: false,
    };
    const policy = pageHeaders({ ...config, provider }, [])['Content-Security-Policy'] ?? '';
    expect(policy).toContain("script-src 'self' https://js.stripe.com https://*.js.stripe.com;");
    expect(policy).toContain('https://api.stripe.com');
    expect(policy).not.toContain('pay.ferry.localhost');
  });

  test('ask browsers to report untrusted scripts and markup', () => {
    const reported = pageHeaders(config, [])['Content-Security-Policy-Report-Only'];
    expect(reported).toBe("require-trusted-types-for 'script'; trusted-types known-scripts saved-picture");
    const analytics = { ...demoSettings.analytics, tickets_container_id: 'GTM-1' };
    const watched = { ...config, settings: { ...demoSettings, analytics } };
    expect(pageHeaders(watched, [])['Content-Security-Policy-Report-Only']).toBe(
      "require-trusted-types-for 'script'",
    );
    expect(pageHeaders(watched, [])['Content-Security-Policy']).not.toContain('trusted-types');
  });

  test('allow the tag manager only on the host that has a container', () => {
    const settings = {
      ...demoSettings,
      analytics: {
        tickets_container_id: null,
        portal_container_id: 'GTM-1',
        recorder_site_id: null,
        requires_consent: false,
      },
    };
    expect(pageHeaders({ ...config, settings }, [])['Content-Security-Policy']).not.toContain(
      'googletagmanager',
    );
    expect(pageHeaders({ ...config, host: 'portal', settings }, [])['Content-Security-Policy']).toContain(
      'googletagmanager',
    );
  });

  test('allow error reports only to the configured collector', () => {
    const connect = (sentry_dsn: string | null) =>
      /connect-src ([^;]*)/.exec(
        pageHeaders({ ...config, sentry_dsn }, [])['Content-Security-Policy'] ?? '',
      )?.[1];
    expect(connect('https://publickey@errors.example.com:8443/7')).toBe(
      `${connect(null)} https://errors.example.com:8443`,
    );
    expect(connect(null)).toBe("'self' http://storage.ferry.localhost:8080 http://pay.ferry.localhost:8080");
  });

  test('allow the origins of the operator’s logo and icon', () => {
    const images = (logo_url: string | null, icon_url: string | null = null) => {
      const settings = { ...demoSettings, brand: { ...demoSettings.brand, logo_url, icon_url } };
      return /img-src ([^;]*)/.exec(
        pageHeaders({ ...config, settings }, [])['Content-Security-Policy'] ?? '',
      )?.[1];
    };
    const usual = "'self' data: http://storage.ferry.localhost:8080";
    expect(images(null)).toBe(usual);
    expect(images('/public/logo.svg')).toBe(usual);
    expect(images('http://storage.ferry.localhost:8080/public/logo.svg')).toBe(usual);
    expect(images('https://cdn.example.com/logo.svg')).toBe(`${usual} https://cdn.example.com`);
    expect(images('/logo.svg', 'https://cdn.example.com/icon.png')).toBe(`${usual} https://cdn.example.com`);
  });

  test('allow no tracking on a private page, regardless of the configuration', () => {
    const analytics = {
      tickets_container_id: 'GTM-1',
      portal_container_id: 'GTM-2',
      recorder_site_id: '4711',
      requires_consent: false,
    };
    const watched = { ...config, settings: { ...demoSettings, analytics } };
    expect(pageHeaders(watched, [])['Content-Security-Policy']).toMatch(/googletagmanager.*hotjar/);
    const isPrivate = true;
    expect(pageHeaders(watched, [], { isPrivate })).toEqual(pageHeaders(config, [], { isPrivate }));
  });

  test('let only pages without secrets ask for the position', () => {
    expect(pageHeaders(config, [])['Permissions-Policy']).toContain('geolocation=(self)');
    expect(pageHeaders(config, [], { isPrivate: true })['Permissions-Policy']).toContain('geolocation=()');
  });

  test('require HTTPS only if the site is served over HTTPS', () => {
    expect(pageHeaders(config, [])).not.toHaveProperty('Strict-Transport-Security');
    const secure = { ...config, origins: { ...ORIGINS, tickets: 'https://tickets.example.com' } };
    expect(pageHeaders(secure, [])).toHaveProperty('Strict-Transport-Security');
  });
});
