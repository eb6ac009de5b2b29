import { useEffect, useState } from 'react';
import { beginBusy } from '#web/platform/updates/busy.ts';

/** From the first letter on, an update must not reload what is being typed. */
export function useBusyForm(reason: string): () => void {
  const [isDirty, setIsDirty] = useState(false);
  useEffect(() => (isDirty ? beginBusy(reason) : undefined), [isDirty, reason]);
  return () => setIsDirty(true);
}
