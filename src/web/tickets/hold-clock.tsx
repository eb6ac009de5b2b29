import { useMutation } from '@tanstack/react-query';
import { errorText } from '#web/platform/api/api-error.ts';
import { Button } from '#web/ui/button.tsx';
import { Countdown } from '#web/ui/countdown.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { HeldPlaces } from './draft.ts';
import { extendHold, serverNow } from './hold.ts';
import styles from './hold-clock.module.css';

export type HoldClockProps = { hold: HeldPlaces; onExpire: () => void };

/** How long the places are kept, and the one press for more time. */
export function HoldClock({ hold, onExpire }: HoldClockProps) {
  const extend = useMutation({ mutationFn: () => extendHold(hold.id) });
  return (
    <div className={styles.clock}>
      <Countdown
        key={hold.expiresAt}
        label="Places kept for"
        expiresAt={hold.expiresAt}
        now={() => serverNow(hold)}
        onExpire={onExpire}
      />
      {hold.canExtend && !extend.isError && (
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
      {extend.isError && (
        <Notice type="warning" role="alert">
          {errorText(extend.error)}
        </Notice>
      )}
    </div>
  );
}
