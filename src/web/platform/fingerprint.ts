/**
 * Enough to know something again. Of a token, which countless others share a mark with, it tells nothing; of a short
 * reference it leaves a few candidates. FNV-1a, 32 bits.
 */
export function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return (hash >>> 0).toString(36);
}
