// @vitest-environment node
import { expect, test } from 'vitest';
import {
  createEncryptionKeys,
  encryptorFromKeys,
  encryptorFromSecret,
} from '#web/platform/saved-data/encryption.ts';

const SALT = new Uint8Array(16).fill(7);

test('data encrypted by one session can be decrypted only by that session', async () => {
  const own = await encryptorFromSecret('token of Ana', SALT);
  const encrypted = await own.encrypt('a name', { reference: 'K7M4-QXPA' });
  await expect(own.decrypt('a name', encrypted)).resolves.toEqual({ reference: 'K7M4-QXPA' });
  const again = await encryptorFromSecret('token of Ana', SALT);
  await expect(again.decrypt('a name', encrypted)).resolves.toEqual({ reference: 'K7M4-QXPA' });
  const other = await encryptorFromSecret('token of Bea', SALT);
  await expect(other.decrypt('a name', encrypted)).rejects.toThrow();
});

test('the same token cannot decrypt data of another installation', async () => {
  const own = await encryptorFromSecret('token', SALT);
  const encrypted = await own.encrypt('a name', 1);
  const elsewhere = await encryptorFromSecret('token', new Uint8Array(16).fill(8));
  await expect(elsewhere.decrypt('a name', encrypted)).rejects.toThrow();
});

test('ciphertexts, names and tags reveal no plain text', async () => {
  const encryptor = await encryptorFromSecret('gw_secret', SALT);
  const name = await encryptor.nameRecord('["customer-order","K7M4-QXPA"]');
  const { ciphertext } = await encryptor.encrypt(name, { email: 'ana@example.com' });
  expect(new TextDecoder('latin1').decode(ciphertext)).not.toContain('ana');
  expect(name).not.toContain('K7M4');
  expect(name.startsWith(encryptor.tag)).toBe(true);
  expect(await encryptor.nameRecord('["customer-order","K7M4-QXPA"]')).toBe(name);
  expect(
    await (await encryptorFromSecret('other', SALT)).nameRecord('["customer-order","K7M4-QXPA"]'),
  ).not.toBe(name);
});

test('a record that was changed or renamed cannot be decrypted', async () => {
  const encryptor = await encryptorFromSecret('token', SALT);
  const encrypted = await encryptor.encrypt('a name', [1, 2]);
  await expect(encryptor.decrypt('another name', encrypted)).rejects.toThrow();
  const ciphertext = encrypted.ciphertext.slice(0);
  const bytes = new Uint8Array(ciphertext);
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  await expect(encryptor.decrypt('a name', { ...encrypted, ciphertext })).rejects.toThrow();
});

test('the keys of a device cannot be exported', async () => {
  const keys = await createEncryptionKeys();
  await expect(crypto.subtle.exportKey('raw', keys.content)).rejects.toThrow();
  await expect(crypto.subtle.exportKey('raw', keys.names)).rejects.toThrow();
  const encryptor = encryptorFromKeys(keys, 'device');
  await expect(encryptor.decrypt('n', await encryptor.encrypt('n', 'tickets'))).resolves.toBe('tickets');
});
