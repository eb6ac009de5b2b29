import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { ApiError, errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { addPaymentCard } from '#web/platform/api/payment-cards.ts';
import type { PaymentCard } from '#web/platform/api/types.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import type { PendingSetup } from './pending-setup.ts';

export type SetupCheckProps = {
  setup: PendingSetup;
  onAdded: (card: PaymentCard) => void;
  onRefused: (text: string) => void;
};

const ASK_EVERY_MS = 2000;

type Finding = { card: PaymentCard } | { refusal: string };

/** Between "sent" and "known": asks until the server says whether the card is there. */
export function SetupCheck({ setup, onAdded, onRefused }: SetupCheckProps) {
  const check = useQuery({
    queryKey: ['card-setup', setup.setupIntentId],
    queryFn: ({ signal }) => findOutcome(setup, signal),
    refetchInterval: ({ state }) => (state.data === undefined ? ASK_EVERY_MS : false),
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const settle = useEffectEvent((finding: Finding) => {
    if ('card' in finding) onAdded(finding.card);
    else onRefused(finding.refusal);
  });
  const { data } = check;
  useEffect(() => {
    if (data) settle(data);
  }, [data]);
  if (!check.isError) return <Spinner size="large" label="Checking whether your card was added…" />;
  return (
    <Notice
      type="warning"
      role="alert"
      title="We’re still checking whether your card was added"
      action={
        <Button variant="secondary" isPending={check.isFetching} onClick={() => void check.refetch()}>
          Check now
        </Button>
      }
    >
      Our card provider has not answered yet. We’ll keep checking. Nothing has been charged.
    </Notice>
  );
}

async function findOutcome(setup: PendingSetup, signal: AbortSignal): Promise<Finding> {
  try {
    return { card: await addPaymentCard(setup, { signal }) };
  } catch (error) {
    if (isRefused(error)) return { refusal: errorText(error) };
    throw error;
  }
}

/** Anything else may go better the next time. */
function isRefused(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (hasErrorCode(error, 'setup_unfinished') ||
      hasErrorCode(error, 'setup_refused') ||
      hasErrorCode(error, 'invalid_input'))
  );
}
