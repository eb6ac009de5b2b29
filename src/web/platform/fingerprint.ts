/**
 * A hash to recognize a text by (FNV-1a, 32 bits). It does not reveal a token, because countless tokens share it; of
 * a short reference it leaves a few candidates.
 */
export function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return (hash >>> 0).toString(36);
}
