import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { declineErrors } from '#contract/payments/declines.ts';
import { StillUnknown } from '#web/parts/card-form/still-unknown.tsx';
import { useElapsed } from '#web/parts/card-form/use-elapsed.ts';
import { getOrder, getPayment } from '#web/platform/api/ticket-office.ts';
import type { Order } from '#web/platform/api/types.ts';
import { useReadableOffline } from '#web/platform/connection/readable-offline.ts';
import { useBusyWhile } from '#web/platform/updates/use-busy-while.ts';
import { Card } from '#web/ui/card.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { findPhase, type SentPayment } from './payment-phase.ts';

export type PaymentCheckProps = {
  order: Order;
  sent: SentPayment;
  onPaid: () => void;
  onFailed: (text: string) => void;
};

const ASK_EVERY_MS = 1500;
/** After this long the customer is told that we don't know, and what not to do. */
const LATE_AFTER_MS = 15_000;
const NOT_CHARGED = declineErrors.payment_failed.message;

type Finding = { outcome: 'paid' | 'failed' | 'unknown'; text: string };

/** Between "sent" and "known": asks until the truth is there, and never offers to pay in the meantime. */
export function PaymentCheck({ order, sent, onPaid, onFailed }: PaymentCheckProps) {
  useReadableOffline();
  const isLate = useElapsed(LATE_AFTER_MS);
  // Until it is said that it may be left: it goes on without this page.
  useBusyWhile(!isLate, 'payment on its way', 'hard');
  const check = useQuery({
    queryKey: ['payment-check', order.id, sent.paymentId],
    queryFn: ({ signal }) => findOutcome(order.id, sent, signal),
    refetchInterval: ASK_EVERY_MS,
    refetchIntervalInBackground: true,
    retry: false,
    gcTime: 0,
    staleTime: 0,
  });
  const settle = useEffectEvent((finding: Finding) => {
    if (finding.outcome === 'paid') onPaid();
    if (finding.outcome === 'failed') onFailed(finding.text);
  });
  const { data } = check;
  useEffect(() => {
    if (data) settle(data);
  }, [data]);

  if (!isLate && !check.isError) {
    return (
      <Card>
        <Spinner size="large" label="Waiting for your bank’s answer…" />
      </Card>
    );
  }
  return (
    <StillUnknown isAsking={check.isFetching} onAsk={() => void check.refetch()}>
      You can also close this page: we email your tickets if the payment went through, and you are not charged
      if it did not. Your order is <strong>{order.reference}</strong>.
    </StillUnknown>
  );
}

async function findOutcome(orderId: string, sent: SentPayment, signal: AbortSignal): Promise<Finding> {
  if (sent.paymentId === null) return findOutcomeOfOrder(orderId, sent, signal);
  const { status, failure } = await getPayment(orderId, sent.paymentId, { signal });
  if (status === 'succeeded') return { outcome: 'paid', text: '' };
  if (sent.isLikelyPaid) return { outcome: 'unknown', text: '' };
  // Our last news may be of the try before: whoever took this try knows better.
  if ((await sent.askProvider()) !== 'failed') return { outcome: 'unknown', text: '' };
  return { outcome: 'failed', text: (status === 'failed' && failure?.message) || NOT_CHARGED };
}

/** Of a payment that has no name yet. */
async function findOutcomeOfOrder(orderId: string, sent: SentPayment, signal: AbortSignal): Promise<Finding> {
  const phase = findPhase(await getOrder(orderId, { signal }));
  if (phase === 'done') return { outcome: 'paid', text: '' };
  const isOver = phase === 'lapsed' || (await sent.askProvider()) === 'failed';
  return isOver ? { outcome: 'failed', text: NOT_CHARGED } : { outcome: 'unknown', text: '' };
}
