import { fingerprint } from '../fingerprint.ts';
import { ownerSecret } from './session.ts';

/** Whose tab this is; null while nobody is signed in. */
export function ownerFingerprint(): string | null {
  const secret = ownerSecret();
  return secret === null ? null : fingerprint(secret);
}
