import { useEffect, useState } from 'react';
import { useApiAvailable } from '#web/platform/connection/connection.ts';
import { useScreenInSight } from '#web/platform/connection/screen-in-sight.ts';
import { reloadPage } from '#web/platform/updates/reload.ts';
import { Button } from '#web/ui/button.tsx';
import { FullScreenOverlay } from '#web/ui/overlay.tsx';

const OFFER_RELOAD_AFTER = 60_000;

type Phase = 'connected' | 'lost' | 'restored';

export function ConnectionOverlay() {
  const available = useApiAvailable();
  const docked = useScreenInSight();
  const [phase, setPhase] = useState<Phase>('connected');
  const offersReload = useElapsed(phase === 'lost', OFFER_RELOAD_AFTER);
  if (!available && phase !== 'lost') setPhase('lost');
  if (available && phase === 'lost') setPhase('restored');
  if (phase === 'connected') return null;
  if (phase === 'restored') {
    return (
      <FullScreenOverlay
        docked={docked}
        title="Connection Restored"
        text="We're able to connect to the server again. Please reload the page."
        action={
          <>
            <Button onClick={reloadPage}>Reload Page</Button>
            <Button variant="quiet" onClick={() => setPhase('connected')}>
              Keep working
            </Button>
          </>
        }
      />
    );
  }
  return (
    <FullScreenOverlay
      docked={docked}
      title="Connection Lost"
      text="We're unable to connect to the server right now."
      isBusy={!offersReload}
      busyText="Attempting to reconnect to the server…"
      action={offersReload ? <Button onClick={reloadPage}>Reload Page</Button> : undefined}
    />
  );
}

function useElapsed(running: boolean, delay: number): boolean {
  const [elapsed, setElapsed] = useState(false);
  useEffect(() => {
    if (!running) return;
    const timer = setTimeout(() => setElapsed(true), delay);
    return () => {
      clearTimeout(timer);
      setElapsed(false);
    };
  }, [running, delay]);
  return elapsed;
}
