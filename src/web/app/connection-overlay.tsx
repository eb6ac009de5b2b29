import { useIsRestoring } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { t } from '#web/language/texts.ts';
import { keepWorking, useConnectionPhase } from '#web/platform/connection/connection.ts';
import {
  useIsConnectionShown,
  useIsReadableOffline,
  useShownAtGate,
} from '#web/platform/connection/readable-offline.ts';
import { useScreen } from '#web/platform/router/screen.ts';
import { reloadPage } from '#web/platform/updates/reload.ts';
import { Button } from '#web/ui/form/button.tsx';
import { FullScreenOverlay } from '#web/ui/popup/overlay.tsx';
import { SavedPlaces } from './saved-places.tsx';

const OFFER_RELOAD_AFTER = 60_000;
const TICK = 1000;
/** A timer this late means that the device slept: the wait restarts. Milliseconds. */
const SLEPT = 5000;

export function ConnectionOverlay() {
  const phase = useConnectionPhase();
  const isShownByScreen = useIsConnectionShown();
  // Apart, so that a change of screen renders it only while it is shown.
  return phase === 'available' || isShownByScreen ? null : <Overlay phase={phase} />;
}

function Overlay({ phase }: { phase: 'lost' | 'restored' }) {
  const docked = useIsReadable();
  const atGate = useShownAtGate();
  const offersReload = useVisibleTime(phase === 'lost') >= OFFER_RELOAD_AFTER;
  if (phase === 'restored') {
    return (
      <FullScreenOverlay
        docked={docked}
        startsSmall={atGate.length > 0}
        title={t('Connection Restored')}
        text={t("We're able to connect to the server again. Please reload the page.")}
        action={
          <>
            <Button size={docked ? 'small' : 'medium'} onClick={reloadPage}>
              {t('Reload Page')}
            </Button>
            <Button size={docked ? 'small' : 'medium'} variant="quiet" onClick={keepWorking}>
              {t('Keep working')}
            </Button>
          </>
        }
      />
    );
  }
  return (
    <FullScreenOverlay
      docked={docked}
      startsSmall={atGate.length > 0}
      title={t('Connection Lost')}
      aside={atGate[0]}
      text={t("We're unable to connect to the server right now.")}
      isBusy={!offersReload}
      busyText={t('Attempting to reconnect to the server…')}
      action={
        offersReload && (
          <Button size={docked ? 'small' : 'medium'} onClick={reloadPage}>
            {t('Reload Page')}
          </Button>
        )
      }
      exit={<SavedPlaces />}
      note={t('Saved tickets still work. The rest returns when you’re online.')}
    />
  );
}

/** The screen shows something readable, or may do so once saved data is restored. */
function useIsReadable(): boolean {
  const isInSight = useIsReadableOffline();
  const isRestoring = useIsRestoring();
  const screen = useScreen();
  return isInSight || (isRestoring && screen?.isReadableOffline === true);
}

/** Milliseconds for which `isRunning` has been true while the page was visible. */
function useVisibleTime(isRunning: boolean): number {
  const [elapsed, setElapsed] = useState(0);
  useEffect(() => {
    if (!isRunning) return;
    let last = performance.now();
    const tick = () => {
      const now = performance.now();
      const passed = now - last;
      last = now;
      if (document.visibilityState === 'hidden') return;
      setElapsed((before) => (passed > SLEPT ? 0 : before + passed));
    };
    const seen = () => {
      last = performance.now();
    };
    const timer = setInterval(tick, TICK);
    document.addEventListener('visibilitychange', seen);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', seen);
      setElapsed(0);
    };
  }, [isRunning]);
  return elapsed;
}
