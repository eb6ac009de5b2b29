import { expect, test } from 'vitest';
import { createSealKeys, sealOfKeys, sealOfSecret } from '#web/platform/saved-data/sealing.ts';

const SALT = new Uint8Array(16).fill(7);

test('what one session sealed is opened by that session alone', async () => {
  const own = await sealOfSecret('token of Ana', SALT);
  const sealed = await own.seal('a name', { reference: 'K7M4-QXPA' });
  await expect(own.open('a name', sealed)).resolves.toEqual({ reference: 'K7M4-QXPA' });
  const again = await sealOfSecret('token of Ana', SALT);
  await expect(again.open('a name', sealed)).resolves.toEqual({ reference: 'K7M4-QXPA' });
  const other = await sealOfSecret('token of Bea', SALT);
  await expect(other.open('a name', sealed)).rejects.toThrow();
});

test('on another installation the same token opens nothing', async () => {
  const own = await sealOfSecret('token', SALT);
  const sealed = await own.seal('a name', 1);
  const elsewhere = await sealOfSecret('token', new Uint8Array(16).fill(8));
  await expect(elsewhere.open('a name', sealed)).rejects.toThrow();
});

test('what is sealed tells nothing, and neither do names and tags', async () => {
  const seal = await sealOfSecret('gw_secret', SALT);
  const name = await seal.nameOf('["customer-order","K7M4-QXPA"]');
  const { box } = await seal.seal(name, { email: 'ana@example.com' });
  expect(new TextDecoder('latin1').decode(box)).not.toContain('ana');
  expect(name).not.toContain('K7M4');
  expect(name.startsWith(seal.tag)).toBe(true);
  expect(await seal.nameOf('["customer-order","K7M4-QXPA"]')).toBe(name);
  expect(await (await sealOfSecret('other', SALT)).nameOf('["customer-order","K7M4-QXPA"]')).not.toBe(name);
});

test('a record that was changed, or put under another name, is not opened', async () => {
  const seal = await sealOfSecret('token', SALT);
  const sealed = await seal.seal('a name', [1, 2]);
  await expect(seal.open('another name', sealed)).rejects.toThrow();
  const box = sealed.box.slice(0);
  const bytes = new Uint8Array(box);
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  await expect(seal.open('a name', { ...sealed, box })).rejects.toThrow();
});

test('a device’s keys are handed out to nobody', async () => {
  const keys = await createSealKeys();
  await expect(crypto.subtle.exportKey('raw', keys.content)).rejects.toThrow();
  await expect(crypto.subtle.exportKey('raw', keys.names)).rejects.toThrow();
  const seal = sealOfKeys(keys, 'device');
  await expect(seal.open('n', await seal.seal('n', 'tickets'))).resolves.toBe('tickets');
});
