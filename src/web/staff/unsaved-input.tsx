import { type ReactNode, useEffect, useState } from 'react';
import { useBlocker } from 'react-router';
import { ConfirmDialog } from '#web/features/site/dialogs.tsx';
import { t } from '#web/language/texts.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';

/**
 * Asks before unsaved input of a page is left, by a link, the browser's history, or by closing the tab.
 * @returns the question, while it is asked
 */
export function useUnsavedPage(isUnsaved: boolean, busyReason: string): ReactNode {
  useBusyWhile(isUnsaved, busyReason);
  useEffect(() => {
    if (!isUnsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isUnsaved]);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isUnsaved && currentLocation.pathname !== nextLocation.pathname,
  );
  if (blocker.state !== 'blocked') return null;
  return <DiscardQuestion onDiscard={() => blocker.proceed()} onKeep={() => blocker.reset()} />;
}

type UnsavedDialog = {
  /** Closes the dialog at once if nothing is unsaved, and otherwise asks first. */
  close: () => void;
  /** While it is asked. */
  question: ReactNode;
};

/** Asks before a dialog with unsaved input is closed. The page below it asks before it is left. */
export function useUnsavedDialog(isUnsaved: boolean, onClose: () => void): UnsavedDialog {
  const [isAsked, setIsAsked] = useState(false);
  return {
    close: () => (isUnsaved ? setIsAsked(true) : onClose()),
    question: isAsked && <DiscardQuestion onDiscard={onClose} onKeep={() => setIsAsked(false)} />,
  };
}

function DiscardQuestion({ onDiscard, onKeep }: { onDiscard: () => void; onKeep: () => void }) {
  return (
    <ConfirmDialog
      action={{ run: onDiscard, isPending: false, problem: null }}
      title={t('Discard what you typed?')}
      cancel={t('Keep editing')}
      confirm={t('Discard')}
      onClose={onKeep}
    >
      <p>{t('It is not saved yet.')}</p>
    </ConfirmDialog>
  );
}
