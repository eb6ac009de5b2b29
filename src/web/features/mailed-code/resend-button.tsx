import { useEffect, useState } from 'react';
import { t } from '#web/language/texts.ts';
import { ApiError } from '#web/platform/api/api-error.ts';
import { formatRemaining } from '#web/ui/feedback/countdown.tsx';
import { Button } from '#web/ui/form/button.tsx';

/** The server's minimum between two mails. */
export const RESEND_AFTER_MS = 60_000;

export type ResendButtonProps = {
  resend: { run: () => void; isPending: boolean };
  /** Milliseconds since 1970; null if no more email can be sent. */
  availableAt: number | null;
};

/** Sends an email again once the server allows it. */
export function ResendButton({ resend, availableAt }: ResendButtonProps) {
  const seconds = useSecondsUntil(availableAt ?? 0);
  if (availableAt === null) return null;
  return (
    <Button
      variant="secondary"
      size="small"
      isPending={resend.isPending}
      pendingText={t('Sending…')}
      aria-disabled={seconds > 0}
      onClick={() => resend.run()}
    >
      {seconds > 0
        ? t('Send another email in {time}', { time: formatRemaining(seconds) })
        : t('Send another email')}
    </Button>
  );
}

/** When another email can be sent after this failure, in milliseconds since 1970; null if the server did not say. */
export function findRetryTime(failure: Error): number | null {
  const seconds = failure instanceof ApiError ? failure.retryAfter : null;
  return seconds === null ? null : Date.now() + seconds * 1000;
}

/** Counts down to a time (milliseconds since 1970) and stays at 0. */
function useSecondsUntil(instant: number): number {
  const [now, setNow] = useState(Date.now);
  const [counted, setCounted] = useState(instant);
  if (counted !== instant) {
    setCounted(instant);
    setNow(Date.now());
  }
  const isOver = now >= instant;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isOver]);
  return Math.max(0, Math.ceil((instant - now) / 1000));
}
