import { createPublicKey, type KeyObject } from 'node:crypto';

/** @param key a raw Ed25519 public key in base64url */
export function readPublicKey(key: string): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' });
}
