/** A value as it lies on the device: unreadable, and bound to the name it is kept under. */
export type Sealed = { iv: Uint8Array<ArrayBuffer>; box: ArrayBuffer };

/** Whose data it is: what it is sealed with, and what its records are told apart by. */
export type Seal = {
  /** Says nothing of the secret it comes from. */
  tag: string;
  /** A name that tells nobody what is kept under it. */
  nameOf(text: string): Promise<string>;
  seal(name: string, value: unknown): Promise<Sealed>;
  /** Rejects what another owner sealed, what was changed, and what was kept under another name. */
  open(name: string, sealed: Sealed): Promise<unknown>;
};

export type SealKeys = { content: CryptoKey; names: CryptoKey };

const IV_BYTES = 12;
const TAG_BYTES = 8;
const CONTENT = { name: 'AES-GCM', length: 256 } as const;
const NAMES = { name: 'HMAC', hash: 'SHA-256', length: 256 } as const;

/**
 * From what a session's owner is known by, so that without the session nothing can be read: signing out takes the key
 * away even where deleting fails. `salt` belongs to this installation.
 */
export async function sealOfSecret(ownerSecret: string, salt: Uint8Array<ArrayBuffer>): Promise<Seal> {
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
  return sealOfKeys({ content, names }, hex(digest, TAG_BYTES));
}

/** Keys the browser keeps and uses, but hands out to nobody. */
export async function createSealKeys(): Promise<SealKeys> {
  const [content, names] = await Promise.all([
    crypto.subtle.generateKey(CONTENT, false, ['encrypt', 'decrypt']),
    crypto.subtle.generateKey(NAMES, false, ['sign']),
  ]);
  return { content, names };
}

export function sealOfKeys({ content, names }: SealKeys, tag: string): Seal {
  return {
    tag,
    async nameOf(text) {
      return `${tag}:${hex(await crypto.subtle.sign('HMAC', names, new TextEncoder().encode(text)), 16)}`;
    },
    async seal(name, value) {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const plain = new TextEncoder().encode(JSON.stringify(value));
      return { iv, box: await crypto.subtle.encrypt(settings(iv, name), content, plain) };
    },
    async open(name, { iv, box }) {
      const plain = await crypto.subtle.decrypt(settings(iv, name), content, box);
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
