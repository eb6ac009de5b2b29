import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { CardFormSkeleton } from '#web/features/payment/card-provider.tsx';
import { usePaymentState } from '#web/features/payment/payment.ts';
import { ProblemBox } from '#web/features/payment/problem-box.tsx';
import { StartFailure } from '#web/features/payment/start-failure.tsx';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import type { Order } from '#web/platform/api/types.ts';
import { useSession } from '#web/platform/session/session.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import type { TripCardPart } from '../purchase.ts';
import { NewCard } from './new-card.tsx';
import type { OrderPayment } from './order-payment.ts';

/** For signed-in customers only. */
const SavedCards = lazyComponent(() => import('./saved-cards.tsx').then((module) => module.SavedCards));
const TripCardFirst = lazyComponent(() =>
  import('./trip-card-first.tsx').then((module) => module.TripCardFirst),
);

type CardPaymentProps = { order: Order; payment: OrderPayment };

/** By payment card, by the customer's trip card, or by both. */
export function CardPayment(props: CardPaymentProps) {
  const { isAuthenticated } = useSession();
  if (!isAuthenticated) return <PayByCard {...props} part={null} />;
  return (
    <Suspense fallback={<CardFormSkeleton />}>
      <TripCardFirst
        {...props}
        payByCard={(part) => <PayByCard key={part?.tripCardId ?? ''} {...props} part={part} />}
      />
    </Suspense>
  );
}

function PayByCard({ order, payment, part }: CardPaymentProps & { part: TripCardPart }) {
  const { isAuthenticated } = useSession();
  const { problem } = usePaymentState(payment);
  const start = useQuery({
    queryKey: ['started-payment', order.id, part],
    queryFn: () => payment.start(part),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const { data: started, error } = start;
  const isFinal = hasErrorCode(error, 'order_blocked') || hasErrorCode(error, 'order_closed');
  const open = started && { payment, part, started, canSave: isAuthenticated };

  return (
    <Card title={part ? 'Payment card for the rest' : 'Card'}>
      {error ? (
        <StartFailure start={start} canRetry={!isFinal} />
      ) : (
        <Stack>
          <ProblemBox title="Not paid yet" text={problem} />
          {isAuthenticated ? (
            <Suspense fallback={<CardFormSkeleton />}>
              <SavedCards open={open} />
            </Suspense>
          ) : (
            <NewCard open={open} />
          )}
        </Stack>
      )}
    </Card>
  );
}
