import { SavedAgeLine } from '#web/features/saved-offline/saved-age.tsx';
import type { Sailing } from '#web/platform/api/types.ts';
import { useReadableOffline } from '#web/platform/connection/readable-offline.ts';
import type { PersistMeta } from '#web/platform/saved-data/saved-query.ts';

/** The timetable of the days somebody looked at stays in this browser until the last boat of the day has left. */
export const KEPT_SAILINGS: { meta: PersistMeta } = {
  meta: {
    persist: 'device',
    keepUntil: (sailings: Sailing[]) =>
      sailings.length === 0 ? null : Math.max(...sailings.map(({ departsAt }) => Date.parse(departsAt))),
  },
};

/** Without a connection the times can still be read, and say how old they are. */
export function SavedSailings({ sailings }: { sailings: readonly Sailing[] }) {
  useReadableOffline();
  return <SavedAgeLine asOf={sailings.map(({ asOf }) => asOf)} isFresh={false} now={Date.now()} />;
}
