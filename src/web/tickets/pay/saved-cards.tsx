import { CardFormSkeleton, CardProvider, useCardProvider } from '#web/features/payment/card-provider.tsx';
import { usePaymentState } from '#web/features/payment/payment.ts';
import { SavedCardPicker, useCardChoice, useSavedCards } from '#web/features/payment/saved-cards.tsx';
import { t } from '#web/language/texts.ts';
import type { PaymentCard } from '#web/platform/api/types.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { ChargeForm, NewCard, NewCardForm, type OpenPayment, WithWallets } from './new-card.tsx';

/** The customer's cards, the primary one chosen. Without any, or if they fail to load, the form of a new card. */
export function SavedCards({ open }: { open: OpenPayment | undefined }) {
  const provider = useCardProvider();
  const { cards, isPending } = useSavedCards();
  if (isPending) return <CardFormSkeleton />;
  if (cards.length === 0) return <NewCard open={open} />;
  if (!open) return <CardFormSkeleton />;
  return (
    <WithWallets stripe={provider.data ?? null} open={open} placement="below">
      {() => <AnyCard open={open} cards={cards} />}
    </WithWallets>
  );
}

type AnyCardProps = { open: OpenPayment; cards: readonly PaymentCard[] };

function AnyCard({ open, cards }: AnyCardProps) {
  const { payment, part, started } = open;
  const [chosen, choose] = useCardChoice(cards);
  const { isPaying } = usePaymentState(payment);

  function handleChoice(id: string) {
    if (isPaying) return;
    payment.dispatch({ type: 'problem', problem: null });
    choose(id);
  }

  return (
    <Stack>
      <SavedCardPicker cards={cards} chosen={chosen} onChoose={handleChoice} />
      {chosen ? (
        <ChargeForm
          payment={payment}
          input={{ method: 'saved-card', paymentCardId: chosen.id, part }}
          icon="card"
        >
          {t('Pay {amount}', { amount: formatMoney(started.amount, started.currency) })}
        </ChargeForm>
      ) : (
        <CardProvider>{() => <NewCardForm open={open} showsTerms />}</CardProvider>
      )}
    </Stack>
  );
}
