import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
import { importProvider } from '#web/parts/card-form/import-provider.ts';
import { StillUnknown } from '#web/parts/card-form/still-unknown.tsx';
import { useElapsed } from '#web/parts/card-form/use-elapsed.ts';
import type { TopUp } from '#web/platform/api/types.ts';
import { useReadableOffline } from '#web/platform/connection/readable-offline.ts';
import { useBusyWhile } from '#web/platform/updates/use-busy-while.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { Cluster } from '#web/ui/stack.tsx';
import { findOutcome, type Outcome } from './find-outcome.ts';
import { findPendingTopUp, type PendingTopUp } from './pending-top-up.ts';

export type TopUpCheckProps = {
  pending: PendingTopUp;
  /** It was sent before this page was loaded. */
  isRepeated: boolean;
  onPaid: (topUp: TopUp) => void;
  onUnpaid: (text: string, isOver: boolean) => void;
  /** The bank was not answered: nothing is paid. */
  onGiveUp: () => void;
};

const ASK_EVERY_MS = 1500;
/** A request without an answer is repeated more and more slowly. */
const REPEAT_AFTER_MS = 3000;
const REPEAT_AT_LEAST_EVERY_MS = 30_000;
/** After this long the customer is told that we don't know, and what not to do. */
const LATE_AFTER_MS = 15_000;

/** Between "sent" and "known": asks until the truth is there, and never offers to pay in the meantime. */
export function TopUpCheck({ pending, isRepeated, onPaid, onUnpaid, onGiveUp }: TopUpCheckProps) {
  useReadableOffline();
  const isLate = useElapsed(LATE_AFTER_MS);
  // Until it is said that it may be left: it goes on without this page.
  useBusyWhile(!isLate, 'payment on its way', 'hard');
  const wasSent = useRef(isRepeated);
  const check = useQuery({
    queryKey: ['top-up-check', pending.key],
    queryFn: ({ signal }) => {
      const now = findPendingTopUp(pending.tripCardId);
      const outcome = findOutcome(now?.key === pending.key ? now : pending, {
        isRepeated: wasSent.current,
        signal,
      });
      wasSent.current = true;
      return outcome;
    },
    refetchInterval: ({ state }) => waitAfter(state.data, state.dataUpdateCount),
    refetchIntervalInBackground: true,
    retry: false,
    gcTime: 0,
    staleTime: 0,
  });
  const settle = useEffectEvent((outcome: Outcome) => {
    if (outcome.kind === 'paid') onPaid(outcome.topUp);
    if (outcome.kind === 'unpaid') onUnpaid(outcome.text, outcome.isOver);
  });
  const { data } = check;
  useEffect(() => {
    if (data) settle(data);
  }, [data]);

  if (data?.kind === 'bank') {
    return (
      <BankCheck
        clientSecret={data.clientSecret}
        startsAtOnce={!isRepeated}
        isAsking={check.isFetching}
        onAnswered={() => void check.refetch()}
        onGiveUp={onGiveUp}
      />
    );
  }
  if (!isLate && !check.isError) return <Spinner size="large" label="Waiting for your bank’s answer…" />;
  return (
    <StillUnknown isAsking={check.isFetching} onAsk={() => void check.refetch()}>
      You can close this page. If the payment goes through, the money will be on your trip card. If it fails,
      you are not charged.
    </StillUnknown>
  );
}

type BankCheckProps = {
  clientSecret: string;
  /** Somebody is there who has just pressed "Pay". */
  startsAtOnce: boolean;
  isAsking: boolean;
  onAnswered: () => void;
  onGiveUp: () => void;
};

function BankCheck({ clientSecret, startsAtOnce, isAsking, onAnswered, onGiveUp }: BankCheckProps) {
  const goToBank = useMutation({
    mutationFn: async () => (await importProvider()).handleNextAction({ clientSecret }),
    onSettled: onAnswered,
  });
  const hasStarted = useRef(!startsAtOnce);
  const start = useEffectEvent(() => {
    if (hasStarted.current) return;
    hasStarted.current = true;
    goToBank.mutate();
  });
  useEffect(() => start(), []);
  const isWaiting = goToBank.isPending || (startsAtOnce && goToBank.isIdle);
  if (isWaiting) return <Spinner size="large" label="Your bank asks you to confirm the payment…" />;
  return (
    <Notice
      type="warning"
      role="alert"
      title="Your bank needs to check it’s you"
      action={
        <Cluster>
          <Button isPending={isAsking} onClick={() => goToBank.mutate()}>
            Continue to my bank
          </Button>
          <Button variant="quiet" onClick={onGiveUp}>
            Do not pay
          </Button>
        </Cluster>
      }
    >
      Nothing has been charged yet.
    </Notice>
  );
}

function waitAfter(outcome: Outcome | undefined, asked: number): number | false {
  if (outcome === undefined) return ASK_EVERY_MS;
  if (outcome.kind !== 'unknown') return false;
  if (outcome.topUpId !== null) return ASK_EVERY_MS;
  return Math.min(REPEAT_AT_LEAST_EVERY_MS, REPEAT_AFTER_MS * 2 ** Math.min(asked, 8));
}
