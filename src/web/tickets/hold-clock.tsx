import { useMutation } from '@tanstack/react-query';
import { createPortal } from 'react-dom';
import { t } from '#web/language/texts.ts';
import { errorText } from '#web/platform/api/api-error.ts';
import { Remaining, useCountdown } from '#web/ui/feedback/countdown.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Cluster } from '#web/ui/layout/stack.tsx';
import { useBarSlot } from '#web/ui/layout/sticky-bar.tsx';
import { extendHold, isHoldLost, readHoldClock } from './hold.ts';
import styles from './hold-clock.module.css';
import { type HeldPlaces, usePurchase } from './purchase.ts';

/** Seconds before the end. */
const URGENT_FROM = 120;

type HoldClockProps = {
  hold: HeldPlaces;
  onExpire: () => void;
  /** The server no longer knows the hold. Without this, the server's error is shown. */
  onLost?: () => void;
};

/** How long the places are held, and a button for more time. Shown in the sticky bar for the last two minutes. */
export function HoldClock({ hold, onExpire, onLost }: HoldClockProps) {
  const bar = useBarSlot();
  const purchase = usePurchase();
  const extend = useMutation({
    mutationFn: async () => hold.id !== null && extendHold(purchase, hold.id),
    onError: (error) => {
      if (isHoldLost(error)) onLost?.();
    },
  });
  const { seconds, announcement } = useCountdown({
    expiresAt: hold.expiresAt,
    now: () => readHoldClock(hold),
    onExpire,
  });
  const refusal = onLost && isHoldLost(extend.error) ? null : extend.error;
  const canExtend = hold.canExtend && hold.id !== null && refusal === null;
  const clock = (
    <Cluster gap="xs" justify="between">
      <Remaining seconds={seconds} label={t('Held for you:')} />
      {canExtend && (
        <Button
          size="small"
          variant="quiet"
          isPending={extend.isPending}
          pendingText={t('Asking…')}
          onClick={() => extend.mutate()}
        >
          {t('More time')}
        </Button>
      )}
      {refusal !== null && (
        <Notice type="warning" role="alert">
          {errorText(refusal)}
        </Notice>
      )}
    </Cluster>
  );
  const isInBar = seconds <= URGENT_FROM && bar !== null;
  return (
    <>
      {/* Keeps its height, so that nothing below moves. */}
      <div className={styles.place}>{!isInBar && clock}</div>
      {isInBar && createPortal(clock, bar)}
      <output className="visually-hidden">
        {announcement !== '' && t('Your places are held for you: {remaining}.', { remaining: announcement })}
        {announcement !== '' && canExtend && ` ${t('Choose “More time” to keep them longer.')}`}
      </output>
      {extend.isSuccess && (
        <output className="visually-hidden">{t('You have more time. Your places are still held.')}</output>
      )}
    </>
  );
}
