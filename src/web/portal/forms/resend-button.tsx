import { useEffect, useState } from 'react';
import { formatRemaining } from '#web/ui/feedback/countdown.tsx';
import { Button } from '#web/ui/form/button.tsx';

type ResendButtonProps = {
  /** Milliseconds since 1970; null if no more email can be sent. */
  availableAt: number | null;
  isPending: boolean;
  onPress: () => void;
};

export function ResendButton({ availableAt, isPending, onPress }: ResendButtonProps) {
  const seconds = useSecondsUntil(availableAt ?? 0);
  if (availableAt === null) return null;
  return (
    <Button
      variant="secondary"
      size="small"
      isPending={isPending}
      pendingText="Sending…"
      aria-disabled={seconds > 0}
      onClick={onPress}
    >
      {seconds > 0 ? `Send another email in ${formatRemaining(seconds)}` : 'Send another email'}
    </Button>
  );
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
