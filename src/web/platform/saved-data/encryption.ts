import { readStored, writeStored } from '../browser-storage.ts';

/** An encrypted value, bound to its record's name. */
export type Encrypted = { iv: Uint8Array<ArrayBuffer>; ciphertext: ArrayBuffer };

/** Encrypts for one owner, and labels their records. */
export type Encryptor = {
  /** Does not reveal the secret. */
  tag: string;
  /** A record name that does not reveal the text. */
  nameRecord(text: string): Promise<string>;
  encrypt(name: string, value: unknown): Promise<Encrypted>;
  /** Rejects values of another owner, changed values, and values of another record. */
  decrypt(name: string, encrypted: Encrypted): Promise<unknown>;
};

export type EncryptionKeys = { content: CryptoKey; names: CryptoKey };

const SALT_KEY = 'install-salt';
const SALT_BYTES = 16;
const IV_BYTES = 12;
const TAG_BYTES = 8;
const CONTENT = { name: 'AES-GCM', length: 256 } as const;
const NAMES = { name: 'HMAC', hash: 'SHA-256', length: 256 } as const;

/** False if the browser deleted this origin's data, or stores nothing. */
export function isSaltStored(): boolean {
  return readStored(SALT_KEY) !== null;
}

/** The salt of this installation; a new one each time if the browser stores nothing. */
export function installSalt(): Uint8Array<ArrayBuffer> {
  const stored = (readStored(SALT_KEY) ?? '').match(/[\da-f]{2}/g) ?? [];
  if (stored.length === SALT_BYTES) return Uint8Array.from(stored, (byte) => Number.parseInt(byte, 16));
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  writeStored(SALT_KEY, hex(salt.buffer, SALT_BYTES));
  return salt;
}

/**
 * Derives the keys from the session owner's secret and this installation's salt. Without the session the data cannot
 * be read, even where deleting it failed.
 */
export async function encryptorFromSecret(
  ownerSecret: string,
  salt: Uint8Array<ArrayBuffer>,
): Promise<Encryptor> {
  const secret = new TextEncoder().encode(ownerSecret);
  const source = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey']);
  const derive = (purpose: string, kind: typeof CONTENT | typeof NAMES, uses: KeyUsage[]) =>
    crypto.subtle.deriveKey(
      { name: 'HKDF', hash: 'SHA-256', salt, info: new TextEncoder().encode(purpose) },
      source,
      kind,
      false,
      uses,
    );
  const [content, names, digest] = await Promise.all([
    derive('saved data', CONTENT, ['encrypt', 'decrypt']),
    derive('names of saved data', NAMES, ['sign']),
    crypto.subtle.digest('SHA-256', secret),
  ]);
  return encryptorFromKeys({ content, names }, hex(digest, TAG_BYTES));
}

/** Keys that cannot be exported from the browser. */
export async function createEncryptionKeys(): Promise<EncryptionKeys> {
  const [content, names] = await Promise.all([
    crypto.subtle.generateKey(CONTENT, false, ['encrypt', 'decrypt']),
    crypto.subtle.generateKey(NAMES, false, ['sign']),
  ]);
  return { content, names };
}

export function encryptorFromKeys({ content, names }: EncryptionKeys, tag: string): Encryptor {
  return {
    tag,
    async nameRecord(text) {
      return `${tag}:${hex(await crypto.subtle.sign('HMAC', names, new TextEncoder().encode(text)), 16)}`;
    },
    async encrypt(name, value) {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const plain = new TextEncoder().encode(JSON.stringify(value));
      return { iv, ciphertext: await crypto.subtle.encrypt(settings(iv, name), content, plain) };
    },
    async decrypt(name, { iv, ciphertext }) {
      const plain = await crypto.subtle.decrypt(settings(iv, name), content, ciphertext);
      return JSON.parse(new TextDecoder().decode(plain)) as unknown;
    },
  };
}

function settings(iv: Uint8Array<ArrayBuffer>, name: string): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(name) };
}

function hex(bytes: ArrayBuffer, length: number): string {
  return [...new Uint8Array(bytes, 0, length)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
