import { readToken } from './session.ts';

/** Tells sessions of one device apart and says nothing about them: of FNV-1a no way leads back to a token. */
export function markOf(token: string): string {
  let hash = 0x811c9dc5;
  for (const character of token) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return (hash >>> 0).toString(16);
}

/** Whose tab this is; null while nobody is signed in. */
export function ownerMark(): string | null {
  const token = readToken();
  return token === null ? null : markOf(token);
}
