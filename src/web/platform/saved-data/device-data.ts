import type { QueryClient } from '@tanstack/react-query';
import { keepSaved } from './keep-saved.ts';
import { KEYS } from './persister.ts';
import { openRecords, type Records } from './records.ts';
import { createSealKeys, type Seal, type SealKeys, sealOfKeys } from './sealing.ts';

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
    findSeal: findDeviceSeal,
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

async function findDeviceSeal(records: Records, stored: ReadonlyMap<string, unknown>): Promise<Seal> {
  const known = stored.get(KEYS);
  const keys = isSealKeys(known) ? known : await records.keep(KEYS, await createSealKeys());
  if (!isSealKeys(keys)) throw new Error('The keys of saved data cannot be read.');
  return sealOfKeys(keys, 'device');
}

function isSealKeys(value: unknown): value is SealKeys {
  if (typeof value !== 'object' || value === null) return false;
  const { content, names } = value as Partial<SealKeys>;
  return content instanceof CryptoKey && names instanceof CryptoKey;
}
