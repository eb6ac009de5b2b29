import { Suspense, useEffect, useRef } from 'react';
import { CardFormSkeleton, CardProvider } from '#web/parts/card-form/card-provider.tsx';
import type { PaymentCard } from '#web/platform/api/types.ts';
import { lazyPart } from '#web/platform/updates/missing-part.ts';
import { useBusyWhile } from '#web/platform/updates/use-busy-while.ts';
import { Card } from '#web/ui/card.tsx';
import type { PendingSetup } from './pending-setup.ts';
import { SetupCheck } from './setup-check.tsx';

const AddCardForm = lazyPart(() => import('./add-card-form.tsx').then((module) => module.AddCardForm));

export type AddCardProps = {
  hasPrimary: boolean;
  /** A card on its way, from before a reload for instance. */
  pending: PendingSetup | null;
  problem: string | null;
  onSent: (setup: PendingSetup) => void;
  onAdded: (card: PaymentCard) => void;
  onRefused: (text: string) => void;
  onCancel: () => void;
};

/** Not in a dialog: the bank's own page has to come above it. */
export function AddCard({
  hasPrimary,
  pending,
  problem,
  onSent,
  onAdded,
  onRefused,
  onCancel,
}: AddCardProps) {
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
      {pending ? (
        <SetupCheck setup={pending} onAdded={onAdded} onRefused={onRefused} />
      ) : (
        <CardProvider>
          {(stripe) => (
            <Suspense fallback={<CardFormSkeleton />}>
              <AddCardForm
                stripe={stripe}
                hasPrimary={hasPrimary}
                problem={problem}
                onSent={onSent}
                onCancel={onCancel}
              />
            </Suspense>
          )}
        </CardProvider>
      )}
    </Card>
  );
}
