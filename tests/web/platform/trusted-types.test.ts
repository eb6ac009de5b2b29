import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { TRUSTED_MARKUP, TRUSTED_SCRIPTS } from '#contract/trusted-types.ts';
import { trustedMarkup, trustedScript } from '#web/platform/trusted-types.ts';
import { buildPageConfig, openPage, PORTAL } from './page.ts';

const { provider } = buildPageConfig();

beforeEach(() => void openPage());
afterEach(() => vi.unstubAllGlobals());

describe('scripts', () => {
  test.each([
    '/sw.js',
    '/assets/strength-worker-B5P6Wa5w.js',
    `${PORTAL}/assets/strength-worker-B5P6Wa5w.js`,
    provider.script_url,
    'https://www.googletagmanager.com/gtm.js?id=GTM-1',
    'https://static.hotjar.com/c/hotjar-4711.js?sv=6',
  ])('%s is trusted', (address) => {
    expect(trustedScript(address)).toBe(address);
  });

  test.each([
    '/public/logo.js',
    '/api/settings/web',
    '/assets/../api/orders',
    '//evil.example/sw.js',
    'data:text/javascript,alert(1)',
    'javascript:alert(1)',
    new URL('/other.js', provider.script_url).href,
    `${provider.script_url}.evil.example`,
    'https://www.googletagmanager.com/ns.html?id=GTM-1',
    'https://static.hotjar.com.evil.example/c/hotjar-4711.js',
    'http://static.hotjar.com/c/hotjar-4711.js',
  ])('%s is rejected', (address) => {
    expect(() => trustedScript(address)).toThrow(TypeError);
  });
});

describe('markup', () => {
  test('of a screen is returned unchanged', () => {
    const screen = '<main><a href="/orders">Once on = two</a><svg><use href="#boat"></use></svg></main>';
    expect(trustedMarkup(screen)).toBe(screen);
  });

  test.each([
    '<p><script>alert(1)</script></p>',
    '<img src=x onerror=alert(1)>',
    '<svg ONLOAD="alert(1)">',
    '<a href="javascript:alert(1)">Tickets</a>',
    '<iframe srcdoc="x"></iframe>',
    '<base href="https://evil.example/">',
    '<link rel="stylesheet" href="/x.css">',
  ])('%s is rejected', (text) => {
    expect(() => trustedMarkup(text)).toThrow(TypeError);
  });
});

test('browsers that support trusted types receive them from one policy of each kind', () => {
  const made: string[] = [];
  vi.stubGlobal('trustedTypes', {
    createPolicy(name: string, rules: Record<string, (text: string) => string>) {
      made.push(name);
      const typed = Object.entries(rules).map(([kind, rule]) => [
        kind,
        (text: string) => ({ [kind]: rule(text) }),
      ]);
      return Object.fromEntries(typed);
    },
  });
  expect(trustedScript('/sw.js')).toEqual({ createScriptURL: '/sw.js' });
  expect(trustedScript(provider.script_url)).toEqual({ createScriptURL: provider.script_url });
  expect(trustedMarkup('<p></p>')).toEqual({ createHTML: '<p></p>' });
  expect(() => trustedScript('//evil.example')).toThrow(TypeError);
  expect(made).toEqual([TRUSTED_SCRIPTS, TRUSTED_MARKUP]);
});
