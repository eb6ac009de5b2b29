import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** The secrets of an installation. Values made with its first secret have no version, all others name theirs. */
export type Secrets = {
  /** Encrypts and signs. */
  current: string;
  /** Also valid for what comes back from browsers and mails: secrets that are being replaced. */
  accepted: readonly string[];
  /** Replaced ones, for stored values that cannot be made again without their owner. */
  retired: readonly string[];
  first: string;
};

/** Encrypts stored secrets (AES-256-GCM) and signs values that return from outside (HMAC-SHA-256). */
export type Vault = {
  /** The version of the current secret; empty for the first. */
  version: string;
  encrypt(text: string): string;
  /** @throws if the text was encrypted with an unknown secret or altered */
  decrypt(ciphertext: string): string;
  /**
   * Base64url signature; `purpose` separates the uses, so a signature for one is invalid for another.
   * @param version of a stored value, to sign as it was signed
   */
  sign(purpose: string, text: string, version?: string): string;
  /** Without a version the signature of any secret in use is valid. */
  verify(purpose: string, text: string, signature: string, version?: string): boolean;
  /** A keyed hash for looking up values that must not be stored in clear, such as addresses in rate limits. */
  fingerprint(purpose: string, text: string): string;
};

/** @param given all secrets, or the only one */
export function createVault(given: Secrets | string): Vault {
  const secrets = typeof given === 'string' ? onlySecret(given) : given;
  const { current, accepted, retired, first } = secrets;
  const findVersion = (secret: string) => (secret === first ? '' : getVersion(secret));
  const inUse = [current, ...accepted].map(deriveKeys);
  const byVersion = new Map(
    [...retired, ...accepted, current].map((secret) => [findVersion(secret), deriveKeys(secret)]),
  );
  const findKeys = (version: string): Keys => {
    const keys = byVersion.get(version);
    if (!keys) throw new Error('A stored value needs a secret that this installation does not have.');
    return keys;
  };
  const version = findVersion(current);
  return {
    version,
    encrypt: (text) => addVersion(version, encrypt(findKeys(version), text)),
    decrypt(ciphertext) {
      const stored = splitVersion(ciphertext);
      return decrypt(findKeys(stored.version), stored.value);
    },
    sign: (purpose, text, as = version) => mac(findKeys(as), purpose, text).toString('base64url'),
    verify: (purpose, text, signature, as) =>
      (as === undefined ? inUse : [findKeys(as)]).some((keys) =>
        isEqual(mac(keys, purpose, text), Buffer.from(signature, 'base64url')),
      ),
    fingerprint: (purpose, text) => mac(findKeys(version), purpose, text).toString('base64url').slice(0, 22),
  };
}

/** Identifies a secret without revealing it. */
export function getVersion(secret: string): string {
  return Buffer.from(hkdfSync('sha256', secret, '', 'gangway version', 6)).toString('base64url');
}

export function addVersion(version: string, value: string): string {
  return version === '' ? value : `${version}.${value}`;
}

/** The version that a stored value names, and the value. */
export function splitVersion(stored: string): { version: string; value: string } {
  const dot = stored.indexOf('.');
  return { version: stored.slice(0, Math.max(dot, 0)), value: stored.slice(dot + 1) };
}

type Keys = { encryption: Buffer; signing: Buffer };

function onlySecret(secret: string): Secrets {
  return { current: secret, accepted: [], retired: [], first: secret };
}

function deriveKeys(secret: string): Keys {
  const derive = (info: string) => Buffer.from(hkdfSync('sha256', secret, '', info, 32));
  return { encryption: derive('gangway seal'), signing: derive('gangway sign') };
}

function encrypt({ encryption }: Keys, text: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', encryption, iv);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
}

function decrypt({ encryption }: Keys, ciphertext: string): string {
  const bytes = Buffer.from(ciphertext, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', encryption, bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}

function mac({ signing }: Keys, purpose: string, text: string): Buffer {
  return createHmac('sha256', signing).update(purpose).update('\0').update(text).digest();
}

function isEqual(expected: Buffer, given: Buffer): boolean {
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** SHA-256 in hex, for tokens of at least 128 random bits, which need no slow hash. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
