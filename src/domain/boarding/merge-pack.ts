import { PACK_TAGS_LENGTH } from '#contract/gate/limits.ts';
import type { GatePack } from '#contract/gate/schemas.ts';

type Tagged = Pick<GatePack, 'tags' | 'parties'>;

/** The tags of a pack as a request names them; as many of them as it may name. */
export function listTags({ tags }: Pick<GatePack, 'tags'>): string {
  const text = tags.map(({ tag }) => tag).join(',');
  return text.length <= PACK_TAGS_LENGTH ? text : text.slice(0, text.lastIndexOf(',', PACK_TAGS_LENGTH));
}

/**
 * Completes a pack with the parties that the device had already. The list of parties is the same one if none has changed.
 * @param before the pack whose tags the request named
 */
export function mergePack<Pack extends Tagged>(before: Tagged | null, fresh: Pack): Pack {
  if (before === null) return fresh;
  const sent = new Set(fresh.parties.map(({ sailing_id }) => sailing_id));
  const listed = new Set(fresh.tags.map(({ sailing_id }) => sailing_id));
  const isKept = (sailingId: string) => listed.has(sailingId) && !sent.has(sailingId);
  const isSame = sent.size === 0 && before.tags.every(({ sailing_id }) => listed.has(sailing_id));
  if (isSame) return { ...fresh, parties: before.parties };
  const kept = before.parties.filter(({ sailing_id }) => isKept(sailing_id));
  return { ...fresh, parties: [...kept, ...fresh.parties] };
}
