import { useMutation } from '@tanstack/react-query';
import { createPortal } from 'react-dom';
import { errorText } from '#web/platform/api/api-error.ts';
import { Remaining, useCountdown } from '#web/ui/feedback/countdown.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { useBarSlot } from '#web/ui/layout/bar-slot.ts';
import type { HeldPlaces } from './draft.ts';
import { extendHold, serverNow } from './hold.ts';
import styles from './hold-clock.module.css';
import { isHoldLost } from './take-places-again.ts';

/** Seconds before the end at which the clock moves to where it is always seen. */
const URGENT_FROM = 120;

export type HoldClockProps = {
  hold: HeldPlaces;
  onExpire: () => void;
  /** The server does not know the hold any more; without it, its answer is shown. */
  onLost?: () => void;
};

/** How long the places are held, and the one press for more time. Its last two minutes are in the sticky bar. */
export function HoldClock({ hold, onExpire, onLost }: HoldClockProps) {
  const bar = useBarSlot();
  const extend = useMutation({
    mutationFn: () => extendHold(hold.id),
    onError: (error) => {
      if (isHoldLost(error)) onLost?.();
    },
  });
  const { seconds, announcement } = useCountdown({
    expiresAt: hold.expiresAt,
    now: () => serverNow(hold),
    onExpire,
  });
  const refusal = onLost && isHoldLost(extend.error) ? null : extend.error;
  const canExtend = hold.canExtend && refusal === null;
  const clock = (
    <div className={styles.clock}>
      <Remaining seconds={seconds} label="Held for you:" />
      {canExtend && (
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
      {refusal !== null && (
        <Notice type="warning" role="alert">
          {errorText(refusal)}
        </Notice>
      )}
    </div>
  );
  const isInBar = seconds <= URGENT_FROM && bar !== null;
  return (
    <>
      {/* Its place stays, so that nothing moves under the finger. */}
      <div className={styles.place}>{!isInBar && clock}</div>
      {isInBar && createPortal(clock, bar)}
      <output className="visually-hidden">
        {announcement !== '' && `Your places are held for you: ${announcement}.`}
        {announcement !== '' && canExtend && ' Choose “More time” to keep them longer.'}
      </output>
      {extend.isSuccess && (
        <output className="visually-hidden">You have more time. Your places are still held.</output>
      )}
    </>
  );
}
