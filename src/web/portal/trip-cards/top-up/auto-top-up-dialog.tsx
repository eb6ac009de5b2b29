import { setAutoTopUp } from '#contract/trip-cards/endpoints.ts';
import { getTopUpLimits, isTopUpAmount } from '#domain/trip-cards/card-charges.ts';
import { spokenCardName } from '#web/features/payment/card-name.tsx';
import { request } from '#web/platform/api/request.ts';
import type { MoneyCard, PaymentCard } from '#web/platform/api/types.ts';
import { MESSAGES } from '#web/platform/forms/messages.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { FormDialog } from '#web/portal/parts/dialogs.tsx';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { AmountField, describeLimits, formatAmountInput, parseAmount } from '../amounts.tsx';
import { cardTitle } from '../trip-card.ts';
import { useCardForm } from '../use-card-action.ts';

type AutoTopUpDialogProps = { card: MoneyCard; payWith: readonly PaymentCard[]; onClose: () => void };

export function AutoTopUpDialog({ card, payWith, onClose }: AutoTopUpDialogProps) {
  const { currency, autoTopUp } = card;
  const limits = getTopUpLimits(useSettings().top_up, currency);
  const { presets, min, max } = limits;
  const form = useCardForm({
    initial: {
      threshold: formatAmountInput(autoTopUp?.threshold ?? 1000, currency),
      amount: formatAmountInput(autoTopUp?.amount ?? presets[0] ?? min, currency),
      paymentCardId: choosePaymentCard(payWith, autoTopUp?.paymentCardId),
      maxPerDay: String(autoTopUp?.maxPerDay ?? 1),
    },
    check: (values) => {
      const amount = parseAmount(values.amount, currency);
      return {
        ...(!parseAmount(values.threshold, currency) && { threshold: MESSAGES.amount }),
        ...((amount === null || !isTopUpAmount(amount, limits)) && {
          amount: describeLimits(limits, currency),
        }),
        ...(values.paymentCardId === '' && { paymentCardId: 'Choose a payment card.' }),
      };
    },
    byCode: { top_up_amount: 'amount' },
    toBody: ({ threshold, amount, paymentCardId, maxPerDay }) => ({
      threshold: parseAmount(threshold, currency) ?? 0,
      amount: parseAmount(amount, currency) ?? 0,
      paymentCardId,
      maxPerDay: Number(maxPerDay),
    }),
    send: (body) => request(setAutoTopUp, { params: { id: card.id }, body }),
    describeSuccess: () => `${cardTitle(card)} will be topped up automatically.`,
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title="Automatic top-up"
      confirm="Save"
      pendingText="Saving…"
      problemTitle="Nothing was changed"
      onClose={onClose}
    >
      <AmountField {...form.input('threshold')} label="When the balance falls below" unit={{ currency }} />
      <AmountField
        {...form.input('amount')}
        label="Add"
        unit={{ currency }}
        hint={`From ${formatMoney(min, currency)} to ${formatMoney(max, currency)}.`}
      />
      <Select
        {...form.input('paymentCardId')}
        label="Paid with"
        placeholder={form.values.paymentCardId === '' ? 'Choose a card' : undefined}
        options={payWith.map((each) => ({ value: each.id, label: spokenCardName(each) }))}
      />
      <Select
        {...form.input('maxPerDay')}
        label="At most"
        options={['1', '2', '3', '4', '5'].map((value) => ({
          value,
          label: value === '1' ? 'Once a day' : `${value} times a day`,
        }))}
      />
      <p>
        You agree that we may charge this card automatically within these limits until you turn it off. We’ll
        email you each time.
      </p>
    </FormDialog>
  );
}

/** The current card if it can still be charged, or the primary card if there is none yet. */
function choosePaymentCard(cards: readonly PaymentCard[], current: string | undefined): string {
  const card = current === undefined ? cards[0] : cards.find(({ id }) => id === current);
  return card?.id ?? '';
}
