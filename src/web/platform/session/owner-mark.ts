import { markOf } from '../mark.ts';
import { readToken } from './session.ts';

/** Whose tab this is; null while nobody is signed in. */
export function ownerMark(): string | null {
  const token = readToken();
  return token === null ? null : markOf(token);
}
