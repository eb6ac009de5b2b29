import { useMutation } from '@tanstack/react-query';
import { errorText } from '#web/platform/api/api-error.ts';
import { Button } from '#web/ui/button.tsx';
import { Countdown } from '#web/ui/countdown.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { HeldPlaces } from './draft.ts';
import { extendHold, serverNow } from './hold.ts';
import styles from './hold-clock.module.css';
import { isHoldLost } from './take-places-again.ts';

export type HoldClockProps = {
  hold: HeldPlaces;
  onExpire: () => void;
  /** The server does not know the hold any more; without it, its answer is shown. */
  onLost?: () => void;
};

/** How long the places are kept, and the one press for more time. */
export function HoldClock({ hold, onExpire, onLost }: HoldClockProps) {
  const extend = useMutation({
    mutationFn: () => extendHold(hold.id),
    onError: (error) => {
      if (isHoldLost(error)) onLost?.();
    },
  });
  const refusal = onLost && isHoldLost(extend.error) ? null : extend.error;
  return (
    <div className={styles.clock}>
      <Countdown
        key={hold.expiresAt}
        label="Places kept for"
        expiresAt={hold.expiresAt}
        now={() => serverNow(hold)}
        onExpire={onExpire}
      />
      {hold.canExtend && refusal === null && (
        <Button
          size="small"
          variant="quiet"
          isPending={extend.isPending}
          pendingText="Asking…"
          onClick={() => extend.mutate()}
        >
          More time
        </Button>
      )}
      {extend.isSuccess && <output className="visually-hidden">Your places are kept longer now.</output>}
      {refusal !== null && (
        <Notice type="warning" role="alert">
          {errorText(refusal)}
        </Notice>
      )}
    </div>
  );
}
