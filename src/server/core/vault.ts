import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** Encrypts stored secrets (AES-256-GCM) and signs values that return from outside (HMAC-SHA-256). */
export type Vault = {
  encrypt(text: string): string;
  /** @throws if the text was encrypted with another secret or altered */
  decrypt(ciphertext: string): string;
  /** Base64url signature; `purpose` separates the uses, so a signature for one is invalid for another. */
  sign(purpose: string, text: string): string;
  verify(purpose: string, text: string, signature: string): boolean;
  /** A keyed hash for looking up values that must not be stored in clear, such as addresses in rate limits. */
  fingerprint(purpose: string, text: string): string;
};

export function createVault(secret: string): Vault {
  const encryptionKey = Buffer.from(hkdfSync('sha256', secret, '', 'gangway seal', 32));
  const signingKey = Buffer.from(hkdfSync('sha256', secret, '', 'gangway sign', 32));
  const mac = (purpose: string, text: string) =>
    createHmac('sha256', signingKey).update(purpose).update('\0').update(text).digest();
  return {
    encrypt(text) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', encryptionKey, iv);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
    },
    decrypt(ciphertext) {
      const bytes = Buffer.from(ciphertext, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', encryptionKey, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(12, 28));
      return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
    },
    sign: (purpose, text) => mac(purpose, text).toString('base64url'),
    verify(purpose, text, signature) {
      const expected = mac(purpose, text);
      const given = Buffer.from(signature, 'base64url');
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
    fingerprint: (purpose, text) => mac(purpose, text).toString('base64url').slice(0, 22),
  };
}

/** SHA-256 in hex, for tokens of at least 128 random bits, which need no slow hash. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
