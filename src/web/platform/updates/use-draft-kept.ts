import { useEffect, useEffectEvent } from 'react';
import { type FieldDraft, forgetDraft, keepDraft } from './drafts.ts';

/** Keeps input over a reload. `read` returns null if there is nothing to keep. */
export function useDraftKept(name: string, read: () => FieldDraft | null): void {
  const readNow = useEffectEvent(read);
  useEffect(() => {
    forgetDraft(name);
    return keepDraft(name, () => readNow());
  }, [name]);
}
