import { expect, test } from 'vitest';
import { hashPassword, verifyPassword } from '#server/credentials/password-hash.ts';

test('Only the password itself verifies against its hash', async () => {
  const hash = await hashPassword('by ferry');
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(await verifyPassword('by ferry', hash)).toBe(true);
  expect(await verifyPassword('By ferry', hash)).toBe(false);
  expect(await verifyPassword('', hash)).toBe(false);
});

test('The same password has a different hash each time', async () => {
  expect(await hashPassword('by ferry')).not.toBe(await hashPassword('by ferry'));
});

test('A password verifies in any Unicode composition', async () => {
  const hash = await hashPassword('caf\u00e9 au lait');
  expect(await verifyPassword('cafe\u0301 au lait', hash)).toBe(true);
});

test('A password is not truncated: the last of 1,024 characters counts', async () => {
  const hash = await hashPassword('x'.repeat(1024));
  expect(await verifyPassword(`${'x'.repeat(1023)}y`, hash)).toBe(false);
});

test('A hash with other cost parameters verifies', async () => {
  const elsewhere = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
  expect(await verifyPassword('password', elsewhere)).toBe(true);
});

test.each([
  null,
  '',
  'plain text',
  '$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
  '$argon2id$v=19$m=9999999,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
])('No password verifies against %j', async (stored) => {
  expect(await verifyPassword('password', stored)).toBe(false);
});
