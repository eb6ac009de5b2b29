import { expect, test } from 'vitest';
import { listDocuments } from '#contract/documents.ts';
import { matchesPath } from '#contract/page.ts';
import { findPage, pages } from '#contract/pages.ts';
import { portalPages, ticketPages } from '#contract/paths.ts';
import { SHELL_PATH } from '#contract/worker-messages.ts';

test('an address is found with and without a slash at its end, and with any value for a parameter', () => {
  const confirmation = pages.tickets[ticketPages.confirmation];
  expect(findPage('tickets', '/orders/ord_1/confirmation')).toBe(confirmation);
  expect(findPage('tickets', '/orders/ord_1/confirmation/')).toBe(confirmation);
  expect(findPage('tickets', '/')).toBe(pages.tickets[ticketPages.home]);
  expect(findPage('portal', '/trip_cards')).toBe(pages.portal[portalPages.tripCards]);
});

test.each(['/orders/confirmation', '/orders//confirmation', '/orders/1/2/confirmation', '/orders.html', ''])(
  'an address that only resembles a page is not found: %s',
  (pathname) => {
    expect(findPage('tickets', pathname)).toBeNull();
  },
);

test('a path’s own characters are taken literally', () => {
  expect(matchesPath('/a.b', '/axb')).toBe(false);
  expect(matchesPath('/a.b', '/a.b')).toBe(true);
});

test('no page whose address or fields contain a secret allows third-party scripts', () => {
  const { confirmation, sharedTickets } = ticketPages;
  const { signIn, signUp, security, account, newPassword, verifyAccount, verifyMagicLink } = portalPages;
  for (const path of [confirmation, sharedTickets]) {
    expect(pages.tickets[path].allowsOutsideScripts, path).toBeUndefined();
  }
  for (const path of [signIn, signUp, security, account, newPassword, verifyAccount, verifyMagicLink]) {
    expect(pages.portal[path].allowsOutsideScripts, path).toBeUndefined();
  }
});

test('snapshots are kept only of pages that are readable offline', () => {
  const all = [...Object.entries(pages.tickets), ...Object.entries(pages.portal)];
  const odd = all.filter(([, page]) => page.hasSnapshot && !page.isReadableOffline).map(([path]) => path);
  expect(odd).toEqual([]);
});

test('each host’s documents are its prerendered pages, those painted from a snapshot and the shell', () => {
  expect(listDocuments('tickets')).toEqual([ticketPages.home, SHELL_PATH]);
  expect(listDocuments('portal')).toEqual([portalPages.orders, portalPages.tripCards, SHELL_PATH]);
});
