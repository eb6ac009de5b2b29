import { useEffect, useRef } from 'react';
import { t } from '#web/language/texts.ts';
import { useShowsAtGate } from '#web/platform/connection/readable-offline.ts';
import { keepScreenOn } from '#web/platform/install/wake-lock.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { formatSavedInLine } from '../saved-offline/freshness.ts';
import styles from './gate-hint.module.css';

/** Shown below a code that was read at that time; keeps the screen on while the code is visible. */
export function GateHint({ asOf }: { asOf: string }) {
  const hint = useRef<HTMLParagraphElement>(null);
  useShowsAtGate(formatSavedInLine([asOf], serverNow()));
  useBusyWhile(true, 'a code to be scanned', 'light');
  useEffect(() => {
    const shown = hint.current?.parentElement;
    return shown ? keepScreenOn(shown) : undefined;
  }, []);
  return (
    <p ref={hint} className={styles.hint} data-no-print="">
      {t('Turn your screen’s brightness all the way up before it is scanned.')}
    </p>
  );
}
