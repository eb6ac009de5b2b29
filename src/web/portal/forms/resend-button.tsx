import { formatRemaining } from '#web/ui/feedback/countdown.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { useSecondsUntil } from './use-seconds-until.ts';

type ResendButtonProps = {
  /** Milliseconds since 1970; null when no more mail can be asked for. */
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
