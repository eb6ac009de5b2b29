import type { FormEvent, ReactNode } from 'react';
import { usePaymentState } from '#web/features/payment/payment.ts';
import { TermsSentence } from '#web/features/site/terms.tsx';
import { Button } from '#web/ui/form/button.tsx';
import type { IconName } from '#web/ui/icon.tsx';
import { StickyBar } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import type { OrderPayment, OrderPaymentInput } from './order-payment.ts';

type PayBarProps = {
  icon: IconName;
  isPaying: boolean;
  /** False if the terms are already shown beside another pay button. */
  showsTerms?: boolean;
  children: ReactNode;
};

/** The pay button, with the terms that pressing it accepts. */
export function PayBar({ icon, isPaying, showsTerms = true, children }: PayBarProps) {
  return (
    <StickyBar>
      <Stack gap="sm">
        {showsTerms && <TermsSentence action="paying" />}
        <Button type="submit" size="large" block icon={icon} isPending={isPaying} pendingText="Paying…">
          {children}
        </Button>
      </Stack>
    </StickyBar>
  );
}

type ChargeFormProps = Omit<PayBarProps, 'isPaying'> & { payment: OrderPayment; input: OrderPaymentInput };

/** Pays with a saved card or a trip card, so there is nothing to enter. */
export function ChargeForm({ payment, input, ...bar }: ChargeFormProps) {
  const { isPaying } = usePaymentState(payment);

  function pay(event: FormEvent) {
    event.preventDefault();
    payment.tell({ type: 'charge', input });
  }

  return (
    <form onSubmit={pay} noValidate>
      <PayBar isPaying={isPaying} {...bar} />
    </form>
  );
}
