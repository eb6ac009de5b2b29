import type { QueryClient } from '@tanstack/react-query';
import { findDeviceEncryptor } from './device-keys.ts';
import { persistQueries } from './persist-queries.ts';
import { openRecords, type Records } from './records.ts';

export type DeviceData = {
  /** Resolves when this browser's saved data is in the client. Never rejects. */
  restored: Promise<void>;
  /** Deletes everything, and saves nothing more on this page. */
  forget: () => Promise<void>;
};

/**
 * Keeps the data of visitors without an account. There is no session to derive a key from, so the browser generates a
 * key that cannot be exported: copied files are unreadable, but anyone who uses this browser can read the data, as
 * they can open the link in its history.
 */
export function openDeviceData(
  client: QueryClient,
  records: Records = openRecords('device-data'),
): DeviceData {
  let isForgotten = false;
  const saved = persistQueries(client, {
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
