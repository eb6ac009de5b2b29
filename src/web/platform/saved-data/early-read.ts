import type { Encryptor } from './encryption.ts';
import type { Records } from './records.ts';

/** What the first-paint script reads for the app, which then need not derive keys and open the database again. */
export type EarlyRead = {
  /** The owner's secret that the keys are derived from. */
  secret: string;
  encryptor: Encryptor;
  records: Records;
  /** All of the account's records, encrypted. Rejects as `Records.all` does. */
  stored: Promise<ReadonlyMap<string, unknown>>;
};

type Holder = { earlyRead?: EarlyRead };

export function handOver(read: EarlyRead): void {
  (window as Holder).earlyRead = read;
}

/** Null for another owner, and after the first call: the records may have changed since. */
export function takeEarlyRead(secret: string): EarlyRead | null {
  const holder = window as Holder;
  const read = holder.earlyRead;
  delete holder.earlyRead;
  return read?.secret === secret ? read : null;
}
