import { markOf } from '../mark.ts';
import { ownerSecret } from './session.ts';

/** Whose tab this is; null while nobody is signed in. */
export function ownerMark(): string | null {
  const secret = ownerSecret();
  return secret === null ? null : markOf(secret);
}
