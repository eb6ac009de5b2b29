import type { QueryClient } from '@tanstack/react-query';
import {
  createEncryptionKeys,
  type EncryptionKeys,
  type Encryptor,
  encryptorFromKeys,
} from './encryption.ts';
import { keepSaved } from './keep-saved.ts';
import { KEYS } from './persister.ts';
import { openRecords, type Records } from './records.ts';

export type DeviceData = {
  /** Settles, and never rejects, when what this browser kept is in the client. */
  restored: Promise<void>;
  /** Takes everything away, keys first of all; nothing is kept again in this page's life. */
  forget: () => Promise<void>;
};

/**
 * What a visitor without an account keeps. There is no session to seal it with, so this browser makes the key and hands
 * it out to nobody: files copied from the device tell nothing by themselves, but whoever can use this browser can open
 * it, as they can the link in its history.
 */
export function openDeviceData(
  client: QueryClient,
  records: Records = openRecords('device-data'),
): DeviceData {
  let isForgotten = false;
  const saved = keepSaved(client, {
    records,
    scope: 'device',
    mayWrite: () => !isForgotten,
    findEncryptor: findDeviceEncryptor,
  });
  return {
    restored: saved.restored,
    async forget() {
      isForgotten = true;
      saved.stop();
      client.removeQueries({ predicate: ({ meta }) => meta?.persist === 'device' });
      await records.clear();
    },
  };
}

async function findDeviceEncryptor(
  records: Records,
  stored: ReadonlyMap<string, unknown>,
): Promise<Encryptor> {
  const known = stored.get(KEYS);
  const keys = isEncryptionKeys(known) ? known : await records.keep(KEYS, await createEncryptionKeys());
  if (!isEncryptionKeys(keys)) throw new Error('The keys of saved data cannot be read.');
  return encryptorFromKeys(keys, 'device');
}

function isEncryptionKeys(value: unknown): value is EncryptionKeys {
  if (typeof value !== 'object' || value === null) return false;
  const { content, names } = value as Partial<EncryptionKeys>;
  return content instanceof CryptoKey && names instanceof CryptoKey;
}
