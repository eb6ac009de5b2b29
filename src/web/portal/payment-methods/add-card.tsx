import { Suspense, useEffect, useRef } from 'react';
import { CardFormSkeleton, CardProvider } from '#web/features/payment/card-provider.tsx';
import { usePaymentState } from '#web/features/payment/payment.ts';
import { PaymentCheck } from '#web/features/payment/payment-check.tsx';
import { ProblemBox } from '#web/features/payment/problem-box.tsx';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import type { CardSetup } from './card-setup.ts';

const AddCardForm = lazyComponent(() => import('./add-card-form.tsx').then((module) => module.AddCardForm));

type AddCardProps = { setup: CardSetup; hasPrimary: boolean; onCancel: () => void };

/** Not in a dialog, because the bank's page opens above it. */
export function AddCard({ setup, hasPrimary, onCancel }: AddCardProps) {
  const state = usePaymentState(setup);
  const heading = useRef<HTMLHeadingElement>(null);
  useBusyWhile(true, 'a card being added');
  useEffect(() => heading.current?.focus(), []);
  return (
    <Card
      title={
        <span ref={heading} tabIndex={-1}>
          Add a card
        </span>
      }
    >
      {state.name === 'unknown' ? (
        <PaymentCheck payment={setup} texts={CHECK_TEXTS} />
      ) : (
        <Stack>
          <ProblemBox title="Not added yet" text={state.problem} />
          <CardProvider>
            {(stripe) => (
              <Suspense fallback={<CardFormSkeleton />}>
                <AddCardForm stripe={stripe} setup={setup} hasPrimary={hasPrimary} onCancel={onCancel} />
              </Suspense>
            )}
          </CardProvider>
        </Stack>
      )}
    </Card>
  );
}

const CHECK_TEXTS = {
  waiting: 'Checking whether your card was added…',
  title: 'We’re still checking whether your card was added',
  intro: 'Our card provider has not answered yet. We’ll keep checking. Nothing has been charged.',
};
