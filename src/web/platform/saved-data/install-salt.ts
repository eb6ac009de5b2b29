import { readStored, writeStored } from '../browser-storage.ts';

const SALT_KEY = 'install-salt';
const SALT_BYTES = 16;

/** False if the browser deleted this origin's data, or stores nothing. */
export function isSaltKept(): boolean {
  return readStored(SALT_KEY) !== null;
}

/** The salt of this installation; a new one each time if the browser stores nothing. */
export function installSalt(): Uint8Array<ArrayBuffer> {
  const kept = (readStored(SALT_KEY) ?? '').match(/[\da-f]{2}/g) ?? [];
  if (kept.length === SALT_BYTES) return Uint8Array.from(kept, (byte) => Number.parseInt(byte, 16));
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  writeStored(SALT_KEY, [...salt].map((byte) => byte.toString(16).padStart(2, '0')).join(''));
  return salt;
}
