import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openPage } from '#tests/web/platform/page.ts';
import { sessionStore } from '#web/platform/session/session.ts';
import { safeReturnPath, takeReturnPath } from '#web/portal/identity/sign-in/return-path.ts';

beforeEach(() => void openPage());
afterEach(() => vi.unstubAllGlobals());

test.each([
  '//evil.example/orders',
  'https:evil',
  'https://evil.example/orders',
  '/\\evil',
  '\\\\evil.example\\orders',
  '/\t/evil.example/orders',
  'javascript:alert(1)',
  'orders',
  '',
  '/sign_out',
  '/sign_in',
  '/nowhere',
  '/orders/../sign_out',
  '/%2f%2fevil.example/orders',
  '%2f%2fevil.example/orders',
  '/orders@evil.example',
  '/orders/%2e%2e/%2e%2e/sign_out',
  '/account/verify/AAAA',
  '/account/verify_email#token=AAAA',
  '///evil.example/account',
  '/account.evil.example',
  ' /\tsecurity',
  '/trip_cards/../sign_out/balance',
  '/trip_cards/%2e%2e/balance',
  '/trip_cards/tcd_1/other',
  '/\n/evil.example/orders',
  '/\r\n\\evil.example',
  '//[',
  '/\\[evil',
  '//evil.example:99999/orders',
  '//my.ferry.localhost:8080@evil.example/orders',
  '/orders\\@evil.example/..',
  'https:/orders',
  null,
])('%j leads to My Orders', (path) => {
  expect(safeReturnPath(path)).toBe('/orders');
});

test('sign-in returns to a page of the portal with its query and fragment', () => {
  expect(safeReturnPath('/orders?view=past&order=K7M4-QXPA')).toBe('/orders?view=past&order=K7M4-QXPA');
});

test.each([
  '/account',
  '/security',
  '/account?from=mail#email',
  '/trip_cards',
  '/trip_cards/tcd_00000000000000000000000001/balance',
  '/trip_cards/tcd_00000000000000000000000001/top_ups',
  '/passes',
])('sign-in can return to %s', (path) => {
  expect(safeReturnPath(path)).toBe(path);
});

test('the return path is checked without URL.canParse, which Safari 16 and Chrome 111 do not have', () => {
  vi.stubGlobal('URL', class extends URL {});
  Object.assign(URL, { canParse: undefined, parse: undefined });
  expect(safeReturnPath('/security')).toBe('/security');
  expect(safeReturnPath('//[')).toBe('/orders');
});

test('sign-in returns only once to the page that required it', () => {
  sessionStore.set((session) => ({ ...session, returnTo: '/orders?view=all' }));
  expect(takeReturnPath()).toBe('/orders?view=all');
  expect(takeReturnPath()).toBe('/orders');
});
