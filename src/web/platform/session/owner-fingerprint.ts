import { fingerprint } from '../fingerprint.ts';
import { ownerSecret } from './session.ts';

/** Identifies the signed-in customer in stored data; null if signed out. */
export function ownerFingerprint(): string | null {
  const secret = ownerSecret();
  return secret === null ? null : fingerprint(secret);
}
