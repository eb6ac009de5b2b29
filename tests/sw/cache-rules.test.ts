import { describe, expect, test } from 'vitest';
import { documentFor } from '#contract/documents.ts';
import { findRequestKind, listFiles } from '#sw/cache-rules.ts';
import { BUILT, FakeWorld, ORIGIN, SETTINGS_URL } from './fake-worker-context.ts';

const context = new FakeWorld().worker('b1');

function kindOf(url: string, init: { method?: string; mode?: RequestMode; range?: string } = {}) {
  const headers = new Headers(init.range ? { range: init.range } : {});
  const { method = 'GET', mode = 'cors' } = init;
  return findRequestKind({ method, mode, headers, url: new URL(url, ORIGIN).href }, context);
}

describe('which requests the worker answers', () => {
  test.each([
    '/api/ping',
    '/api/customers/orders',
    '/gtfs/timetable.zip',
    '/vessels/mv-tidewater',
    '/pictures/sjmBr_liLy8BLMI3EMFJpo.webp',
    '/api',
    '/api/orders/ord_1/tickets.pdf',
    '/.well-known/assetlinks.json',
    '/__reset',
    '/__shell',
    '/sw.js',
    '/manifest.webmanifest',
    '/robots.txt',
    'https://js.stripe.com/endive/stripe.js',
    'https://storage.ferry.example/public/logo.svg',
  ])('the worker does not answer %s, fetched or opened', (url) => {
    expect(kindOf(url)).toBeNull();
    expect(kindOf(url, { mode: 'navigate' })).toBeNull();
  });

  test.each(['POST', 'PATCH', 'DELETE', 'HEAD'])(
    'the worker does not answer requests with the method %s',
    (method) => {
      expect(kindOf('/orders', { method, mode: 'navigate' })).toBeNull();
      expect(kindOf('/assets/main-1.js', { method })).toBeNull();
    },
  );

  test.each([
    '/',
    '/orders?source=pwa',
    '/trip_cards/tc_1/balance',
    '/account/verify/a-token',
    '/nope',
    '/apiary',
  ])('the worker answers opening %s with a page', (url) => {
    expect(kindOf(url, { mode: 'navigate' })).toBe('page');
    expect(kindOf(url)).toBeNull();
  });

  test('the worker answers files of any build', () => {
    expect(kindOf('/assets/main-1.js')).toBe('file');
    expect(kindOf('/assets/from-another-build-9.js')).toBe('file');
    expect(kindOf('/icon.svg')).toBe('file');
  });

  test('the worker does not answer range requests', () => {
    expect(kindOf('/assets/main-1.js', { range: 'bytes=0-9' })).toBeNull();
  });

  test('the worker answers version and settings with any timestamp in the query', () => {
    expect(kindOf('/version.txt?t=1')).toBe('version');
    expect(kindOf(`${SETTINGS_URL}?t=1763720000000`)).toBe('settings');
    expect(kindOf(SETTINGS_URL)).toBe('settings');
    expect(kindOf(`${SETTINGS_URL}?t=1&other=2`)).toBeNull();
  });
});

describe('what each host keeps', () => {
  test('no host keeps a file that only the other host uses', () => {
    expect(listFiles('tickets', BUILT, null)).toEqual(['/assets/main-1.js', '/assets/pay-1.js', '/icon.svg']);
    expect(listFiles('portal', BUILT, null)).not.toContain('/assets/pay-1.js');
  });

  test('the home page and the pages painted from a snapshot have their own documents, and all others start from the shell', () => {
    expect(documentFor('tickets', '/')).toBe('/');
    expect(documentFor('tickets', '/orders/o_1/confirmation')).toBe('/__shell');
    expect(documentFor('portal', '/')).toBe('/__shell');
    expect(documentFor('portal', '/orders')).toBe('/orders');
    expect(documentFor('portal', '/trip_cards')).toBe('/trip_cards');
    expect(documentFor('portal', '/trip_cards/c_1/balance')).toBe('/__shell');
  });
});
