import { afterEach, describe, expect, test } from 'vitest';
import { findMailedToken, forgetMailedToken, takeMailedToken, tokenIn } from '#web/platform/mailed-token.ts';
import { openPage, PORTAL } from './page.ts';

const SECRET = `${'Ab_-'.repeat(10)}xyz`;
afterEach(() => {
  forgetMailedToken();
  openPage();
});

describe('the token of a mailed link', () => {
  test('is removed from the address at once and kept only for its page', () => {
    openPage(`${PORTAL}/password/new?from=mail#token=${SECRET}`);
    takeMailedToken();
    expect(window.location.href).toBe(`${PORTAL}/password/new?from=mail`);
    expect(findMailedToken('/password/new')).toBe(SECRET);
    expect(findMailedToken('/account/verify_email')).toBeNull();
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain(SECRET);
    forgetMailedToken();
    expect(findMailedToken('/password/new')).toBeNull();
  });

  test('does not change an address without a token', () => {
    openPage(`${PORTAL}/orders#main`);
    takeMailedToken();
    expect(window.location.hash).toBe('#main');
    expect(findMailedToken('/orders')).toBeNull();
  });

  test.each([
    '',
    '#',
    '#token=',
    '#token=short',
    `#token=${SECRET}x`,
    `#token=${SECRET.slice(1)}<`,
    `#code=${SECRET}`,
  ])('is not found in the fragment "%s"', (hash) => expect(tokenIn(hash)).toBeNull());
});
