import type { GatePack } from '#contract/gate/schemas.ts';
import { readScan, type Scan } from '#domain/boarding/decide-boarding.ts';
import type { SignedBytes } from '#domain/signed-code.ts';
import { createStore } from '#web/platform/create-store.ts';

const ALGORITHM = 'Ed25519';

type Keys = GatePack['keys'];

/** Reads a scanned or typed text and checks its signature with the keys of the gate's list. */
export async function readScannedText(text: string, keys: Keys): Promise<Scan> {
  const read = readScan(text);
  if ('spoken' in read) return { type: 'spoken', code: read.spoken };
  const { parsed } = read;
  if (!parsed.ok) return { type: 'unreadable', reason: parsed.reason };
  return { type: 'signed', code: parsed, signature: await checkSignature(parsed, keys) };
}

/** Checks the signature of a code with the key that it names. */
export async function checkSignature(
  { fields, signed, signature }: SignedBytes & { fields: { keyId: string } },
  keys: Keys,
): Promise<'genuine' | 'forged' | 'unknown_key'> {
  const key = keys.find(({ key_id }) => key_id === fields.keyId);
  if (!key) return 'unknown_key';
  const isGenuine = await crypto.subtle.verify(
    ALGORITHM,
    await importKey(key.key),
    new Uint8Array(signature),
    new Uint8Array(signed),
  );
  return isGenuine ? 'genuine' : 'forged';
}

/** Whether this browser can check the signatures of tickets. */
export async function canCheckSignatures(): Promise<boolean> {
  try {
    await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
    return true;
  } catch {
    return false;
  }
}

const imported = createStore<ReadonlyMap<string, Promise<CryptoKey>>>(new Map());

/** Once for each key, because every scan needs it. */
function importKey(key: string): Promise<CryptoKey> {
  const existing = imported.get().get(key);
  if (existing) return existing;
  const bytes = Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );
  const importing = crypto.subtle.importKey('raw', bytes, ALGORITHM, false, ['verify']);
  imported.set((keys) => new Map([...keys, [key, importing]]));
  return importing;
}
