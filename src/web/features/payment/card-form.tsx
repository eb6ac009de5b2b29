import { PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js';
import { type FormEvent, type ReactNode, useState } from 'react';
import { t } from '#web/language/texts.ts';
import { Stack } from '#web/ui/layout/stack.tsx';
import type { Payment } from './payment.ts';
import { createProviderForm, type FormIntent } from './provider-form.ts';

type CardFormProps<Input, Result> = {
  payment: Pick<Payment<Input, Result>, 'dispatch'>;
  intent: FormIntent;
  input: Input;
  /** The customer wants the card saved. */
  saveCard?: boolean;
  /** More fields, below the card. */
  children?: ReactNode;
  /** The button that sends the form. */
  button: ReactNode;
};

/** The provider's form for a card that is entered; the card itself is never sent to us. */
export function CardForm<Input, Result>(props: CardFormProps<Input, Result>) {
  const { payment, intent, input, saveCard = false, children, button } = props;
  const stripe = useStripe();
  const elements = useElements();
  const [isReady, setIsReady] = useState(false);

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (!stripe || !elements || !isReady) {
      const problem = t('The card form is still loading. One moment, please.');
      return payment.dispatch({ type: 'problem', problem });
    }
    payment.dispatch({
      type: 'pay-by-form',
      input,
      form: createProviderForm(stripe, elements, intent, { saveCard }),
    });
  }

  return (
    <form onSubmit={handleSubmit} noValidate>
      <Stack>
        <PaymentElement
          options={intent.mode === 'setup' ? SETUP : PAYMENT}
          onReady={() => setIsReady(true)}
          onLoadError={() =>
            payment.dispatch({
              type: 'problem',
              problem: t('The card form could not load. Please reload this page; nothing is lost.'),
            })
          }
        />
        {children}
      </Stack>
      {button}
    </form>
  );
}

const SETUP = { layout: 'tabs', terms: { card: 'never' } } as const;
/** Wallets have buttons above the form. */
const PAYMENT = { layout: 'tabs', wallets: { applePay: 'never', googlePay: 'never' } } as const;
