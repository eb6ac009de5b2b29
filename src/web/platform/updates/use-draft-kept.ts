import { useEffect, useEffectEvent } from 'react';
import { type FieldDraft, forgetDraft, keepDraft } from './drafts.ts';

/** Keeps what is typed over a reload; `read` answers null when nothing is worth it. */
export function useDraftKept(name: string, read: () => FieldDraft | null): void {
  const readNow = useEffectEvent(read);
  useEffect(() => {
    forgetDraft(name);
    return keepDraft(name, () => readNow());
  }, [name]);
}
