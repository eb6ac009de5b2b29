import { type ComponentType, useEffect, useState } from 'react';
import { apiAvailable } from '#web/platform/connection/connection.ts';
import { whenIdle } from '../platform/when-idle.ts';

const TRY_AGAIN_AFTER = 1000;
/** If the API answers, the chunk is gone with its release, so frequent retries do not help. Milliseconds. */
const LONGEST_WAIT = 60_000;

/** Loads the overlay and the connection probes after the first screen, or as soon as the connection is lost. */
export function LateConnectionOverlay() {
  const [Overlay, setOverlay] = useState<ComponentType | null>(null);
  useEffect(() => {
    let isOver = false;
    let loading = false;
    let wait = TRY_AGAIN_AFTER;
    const load = async () => {
      if (loading) return;
      loading = true;
      try {
        const [{ ConnectionOverlay }, { watchConnection }] = await loadParts();
        watchConnection();
        if (!isOver) setOverlay(() => ConnectionOverlay);
        stop();
      } catch {
        loading = false;
        wait = apiAvailable.get() ? Math.min(wait * 2, LONGEST_WAIT) : TRY_AGAIN_AFTER;
        if (!isOver) setTimeout(load, wait);
      }
    };
    const stop = apiAvailable.subscribe(() => void load());
    if (apiAvailable.get()) whenIdle(() => void load());
    else void load();
    return () => {
      isOver = true;
      stop();
    };
  }, []);
  return Overlay && <Overlay />;
}

function loadParts() {
  return Promise.all([import('./connection-overlay.tsx'), import('#web/app/watch-connection.ts')]);
}
