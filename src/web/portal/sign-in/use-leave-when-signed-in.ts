import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { readToken } from '#web/platform/session/session.ts';
import { forgetAttempt } from './attempt.ts';
import { takeReturnPath } from './return-path.ts';

/** Leaves a screen that waits for a mail: its link opens a tab of its own, and signs this one in, too. */
export function useLeaveWhenSignedIn(isWaiting: boolean): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!isWaiting) return;
    function leaveIfSignedIn() {
      if (document.visibilityState !== 'visible' || readToken() === null) return;
      forgetAttempt();
      void navigate(takeReturnPath(), { replace: true });
    }
    document.addEventListener('visibilitychange', leaveIfSignedIn);
    return () => document.removeEventListener('visibilitychange', leaveIfSignedIn);
  }, [isWaiting, navigate]);
}
