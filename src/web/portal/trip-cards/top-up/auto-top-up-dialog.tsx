import { useState } from 'react';
import { setAutoTopUp } from '#contract/trip-cards/endpoints.ts';
import { isTopUpAmount, topUpLimits } from '#domain/trip-cards/card-charges.ts';
import { spokenCardName } from '#web/features/payment/card-name.tsx';
import { request } from '#web/platform/api/request.ts';
import type { InputOf } from '#web/platform/api/request-types.ts';
import type { PaymentCard, TripCard } from '#web/platform/api/types.ts';
import type { Problems } from '#web/platform/forms/problems.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { useFirstFocus } from '#web/portal/step-up/use-first-focus.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { describeLimits, parseAmount, typedAmount } from '../amounts.ts';
import { FormDialog } from '../dialogs/form-dialog.tsx';
import { useFormAction } from '../dialogs/use-form-action.ts';
import { cardTitle } from '../labels.ts';

type AutoTopUpInput = InputOf<typeof setAutoTopUp>['body'];

type AutoTopUpDialogProps = { card: TripCard; payWith: readonly PaymentCard[]; onClose: () => void };

export function AutoTopUpDialog({ card, payWith, onClose }: AutoTopUpDialogProps) {
  const { currency, autoTopUp } = card;
  const limits = topUpLimits(useSettings().top_up, currency);
  const { presets, min, max } = limits;
  const [threshold, setThreshold] = useState(typedAmount(autoTopUp?.threshold ?? 1000, currency));
  const [amount, setAmount] = useState(typedAmount(autoTopUp?.amount ?? presets[0] ?? min, currency));
  const [paymentCardId, setPaymentCardId] = useState(chosenCard(payWith, autoTopUp?.paymentCardId));
  const [maxPerDay, setMaxPerDay] = useState(String(autoTopUp?.maxPerDay ?? 1));
  const first = useFirstFocus<HTMLInputElement>();
  const form = useFormAction({
    fields: FIELDS,
    byCode: { top_up_amount: 'amount' },
    act: (body: AutoTopUpInput) => request(setAutoTopUp, { params: { id: card.id }, body }),
    onDone: () => {
      notify(`${cardTitle(card)} will be topped up automatically.`, { type: 'success' });
      onClose();
    },
  });

  function check(): Problems<(typeof FIELDS)[number]> {
    const problems: Problems<(typeof FIELDS)[number]> = {};
    const sum = parseAmount(amount, currency);
    if (!parseAmount(threshold, currency)) problems.threshold = 'Enter an amount, like 10.00.';
    if (sum === null || !isTopUpAmount(sum, limits)) problems.amount = describeLimits(limits, currency);
    if (paymentCardId === '') problems.payment_card_id = 'Choose a payment card.';
    return problems;
  }

  return (
    <FormDialog
      title="Automatic top-up"
      submit="Save"
      pendingText="Saving…"
      isPending={form.isPending}
      problemTitle="Nothing was changed"
      errors={form.errors}
      formProblem={form.formProblem}
      onSubmit={() =>
        form.submit(check(), () => ({
          threshold: parseAmount(threshold, currency) ?? 0,
          amount: parseAmount(amount, currency) ?? 0,
          paymentCardId,
          maxPerDay: Number(maxPerDay),
        }))
      }
      onClose={onClose}
    >
      <TextField
        {...form.fieldProps('threshold')}
        ref={first}
        label={`When the balance falls below (${currency})`}
        inputMode="decimal"
        autoComplete="off"
        maxLength={12}
        value={threshold}
        onChange={(event) => setThreshold(event.target.value)}
      />
      <TextField
        {...form.fieldProps('amount')}
        label={`Add (${currency})`}
        hint={`From ${formatMoney(min, currency)} to ${formatMoney(max, currency)}.`}
        inputMode="decimal"
        autoComplete="off"
        maxLength={12}
        value={amount}
        onChange={(event) => setAmount(event.target.value)}
      />
      <Select
        {...form.fieldProps('payment_card_id')}
        label="Paid with"
        value={paymentCardId}
        placeholder={paymentCardId === '' ? 'Choose a card' : undefined}
        onChange={(event) => setPaymentCardId(event.target.value)}
        options={payWith.map((each) => ({ value: each.id, label: spokenCardName(each) }))}
      />
      <Select
        {...form.fieldProps('max_per_day')}
        label="At most"
        value={maxPerDay}
        onChange={(event) => setMaxPerDay(event.target.value)}
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

const FIELDS = ['threshold', 'amount', 'payment_card_id', 'max_per_day'] as const;

/** The one chosen before, where it can still be charged; else the primary one. */
function chosenCard(cards: readonly PaymentCard[], before: string | undefined): string {
  const known = cards.find(({ id }) => id === before);
  return (known ?? (before === undefined ? cards[0] : undefined))?.id ?? '';
}
