import {
  createEncryptionKeys,
  type EncryptionKeys,
  type Encryptor,
  encryptorFromKeys,
} from './encryption.ts';
import type { Records } from './records.ts';

/** The name of the device's keys, which are not a record. */
export const KEYS = 'keys';

/** Finds the keys that are stored among a device's records, or creates them. */
export async function findDeviceEncryptor(
  records: Records,
  stored: ReadonlyMap<string, unknown>,
): Promise<Encryptor> {
  const storedKeys = stored.get(KEYS);
  const keys = isEncryptionKeys(storedKeys)
    ? storedKeys
    : await records.addOnce(KEYS, await createEncryptionKeys());
  if (!isEncryptionKeys(keys)) throw new Error('The keys of saved data cannot be read.');
  return encryptorFromKeys(keys, 'device');
}

function isEncryptionKeys(value: unknown): value is EncryptionKeys {
  if (typeof value !== 'object' || value === null) return false;
  const { content, names } = value as Partial<EncryptionKeys>;
  return content instanceof CryptoKey && names instanceof CryptoKey;
}
