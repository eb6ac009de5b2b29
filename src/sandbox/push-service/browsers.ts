import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';

/** A browser that the stand-in invented, with the keys that a real one would keep to itself. */
export type Browser = { id: string; p256dh: string; auth: string; privateKey: string };

export function createBrowser(): Browser {
  const ecdh = createECDH('prime256v1');
  const p256dh = ecdh.generateKeys('base64url');
  return {
    id: randomBytes(16).toString('base64url'),
    p256dh,
    auth: randomBytes(16).toString('base64url'),
    privateKey: ecdh.getPrivateKey('base64url'),
  };
}

/**
 * Decrypts a push as its browser does (RFC 8291, RFC 8188).
 * @throws if it was encrypted for another one
 */
export function decryptPush({ p256dh, auth, privateKey }: Browser, body: Buffer): string {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(privateKey, 'base64url');
  const keyEnd = 21 + body.readUInt8(20);
  const [salt, senderKey] = [body.subarray(0, 16), body.subarray(21, keyEnd)];
  const derive = (from: Buffer, by: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', from, by, info, length));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), Buffer.from(p256dh, 'base64url'), senderKey]);
  const secret = derive(ecdh.computeSecret(senderKey), Buffer.from(auth, 'base64url'), info, 32);
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const decipher = createDecipheriv(
    'aes-128-gcm',
    key,
    derive(secret, salt, 'Content-Encoding: nonce\0', 12),
  );
  decipher.setAuthTag(body.subarray(-16));
  const record = Buffer.concat([decipher.update(body.subarray(keyEnd, -16)), decipher.final()]);
  // 2 ends the content, and zeros may follow.
  return record.subarray(0, record.lastIndexOf(2)).toString('utf8');
}
