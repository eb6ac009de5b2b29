import { createCipheriv, createECDH, ECDH, hkdfSync, randomBytes } from 'node:crypto';

const CURVE = 'prime256v1';
/** Of an uncompressed point. */
const POINT_LENGTH = 65;
/** One record is the whole push. */
const RECORD_SIZE = 4096;
/** Pushes are filled up to a multiple of this, so that their length reveals little about them. */
const PADDED_TO = 512;

/** Keys of a browser, in base64url. */
export type BrowserKeys = { p256dh: string; auth: string };
/** For the test vector of RFC 8291. */
type Randomness = { salt: Buffer; privateKey: Buffer };

/** Whether a public key is a point on the curve. */
export function isPublicKey(p256dh: string): boolean {
  try {
    return ECDH.convertKey(p256dh, CURVE, 'base64url').length === POINT_LENGTH;
  } catch {
    return false;
  }
}

/**
 * Encrypts a push for one browser, with `aes128gcm` (RFC 8188) and the keys of RFC 8291: only that browser can read it.
 * @throws if `p256dh` is not a public key
 */
export function encryptPush(
  text: string,
  { p256dh, auth }: BrowserKeys,
  { random, paddedTo = PADDED_TO }: { random?: Randomness; paddedTo?: number } = {},
): Buffer {
  const browserKey = Buffer.from(p256dh, 'base64url');
  const ecdh = createECDH(CURVE);
  if (random) ecdh.setPrivateKey(random.privateKey);
  else ecdh.generateKeys();
  const ownKey = ecdh.getPublicKey();
  const salt = random?.salt ?? randomBytes(16);
  const derive = (from: Buffer, by: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', from, by, info, length));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), browserKey, ownKey]);
  const secret = derive(ecdh.computeSecret(browserKey), Buffer.from(auth, 'base64url'), info, 32);
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const record = pad(Buffer.from(text, 'utf8'), paddedTo);
  const encrypted = Buffer.concat([cipher.update(record), cipher.final(), cipher.getAuthTag()]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD_SIZE);
  return Buffer.concat([salt, size, Buffer.from([ownKey.length]), ownKey, encrypted]);
}

/** 2 ends the content of the last record; zeros may follow. */
function pad(content: Buffer, paddedTo: number): Buffer {
  const length = Math.ceil((content.length + 1) / paddedTo) * paddedTo;
  return Buffer.concat([content, Buffer.from([2]), Buffer.alloc(length - content.length - 1)]);
}
