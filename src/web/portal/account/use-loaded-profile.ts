import { useEffect, useState } from 'react';
import { loadProfile, type Profile, profileStore, useProfile } from '#web/platform/account/profile.ts';

/** The profile, and whether loading it failed. */
export function useLoadedProfile(): Profile & { hasFailed: boolean; isLoading: boolean; retry: () => void } {
  const profile = useProfile();
  const [attempt, setAttempt] = useState(0);
  const [endedAttempt, setEndedAttempt] = useState(-1);
  useEffect(() => {
    let isStale = false;
    void loadProfile().then(() => {
      if (!isStale) setEndedAttempt(attempt);
    });
    return () => {
      isStale = true;
    };
  }, [attempt]);
  const isLoading = !profile.loaded && endedAttempt < attempt;
  // Reads the store, which may have loaded since the last render.
  const hasFailed = endedAttempt >= 0 && !profileStore.get().loaded;
  return { ...profile, hasFailed, isLoading, retry: () => setAttempt(attempt + 1) };
}
