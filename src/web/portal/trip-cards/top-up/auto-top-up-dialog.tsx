import { setAutoTopUp } from '#contract/trip-cards/endpoints.ts';
import { getTopUpLimits, isTopUpAmount } from '#domain/trip-cards/card-charges.ts';
import { spokenCardName } from '#web/features/payment/card-name.tsx';
import { FormDialog } from '#web/features/site/dialogs.tsx';
import { cardTitle } from '#web/features/trip-card/trip-card.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { MoneyCard, PaymentCard } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { AmountField, describeAmount, describeLimits, formatAmountInput, parseAmount } from '../amounts.tsx';
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
        ...(!parseAmount(values.threshold, currency) && { threshold: describeAmount(card) }),
        ...((amount === null || !isTopUpAmount(amount, limits)) && {
          amount: describeLimits(limits, currency),
        }),
        ...(values.paymentCardId === '' && { paymentCardId: t('Choose a payment card.') }),
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
    describeSuccess: () => t('{card} will be topped up automatically.', { card: cardTitle(card) }),
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={t('Automatic top-up')}
      confirm={t('Save')}
      pendingText={t('Saving…')}
      problemTitle={t('Nothing was changed')}
      onClose={onClose}
    >
      <AmountField
        {...form.input('threshold')}
        label={t('When the balance falls below')}
        unit={{ currency }}
      />
      <AmountField
        {...form.input('amount')}
        // Translators: the amount that is added to the balance.
        label={t('Add')}
        unit={{ currency }}
        hint={t('From {min} to {max}.', {
          min: formatMoney(min, currency),
          max: formatMoney(max, currency),
        })}
      />
      <Select
        {...form.input('paymentCardId')}
        label={t('Paid with')}
        placeholder={form.values.paymentCardId === '' ? t('Choose a card') : undefined}
        options={payWith.map((each) => ({ value: each.id, label: spokenCardName(each) }))}
      />
      <Select
        {...form.input('maxPerDay')}
        // Translators: before “Once a day”.
        label={t('At most')}
        options={['1', '2', '3', '4', '5'].map((value) => ({
          value,
          label: t('{count, plural, =1 {Once a day} other {# times a day}}', { count: Number(value) }),
        }))}
      />
      <p>
        {t(
          'You agree that we may charge this card automatically within these limits until you turn it off. We’ll email you each time.',
        )}
      </p>
    </FormDialog>
  );
}

/** The current card if it can still be charged, or the primary card if there is none yet. */
function choosePaymentCard(cards: readonly PaymentCard[], current: string | undefined): string {
  const card = current === undefined ? cards[0] : cards.find(({ id }) => id === current);
  return card?.id ?? '';
}
