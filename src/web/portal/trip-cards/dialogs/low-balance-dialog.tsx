import { changeTripCard } from '#contract/trip-cards/endpoints.ts';
import { request } from '#web/platform/api/request.ts';
import type { TripCard } from '#web/platform/api/types.ts';
import { MESSAGES } from '#web/platform/forms/messages.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { useFirstFocus } from '#web/portal/step-up/use-first-focus.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Switch } from '#web/ui/form/switch.tsx';
import { AmountField } from '../amount-field.tsx';
import { formatAmountInput, parseAmount } from '../amounts.ts';
import { cardTitle } from '../labels.ts';
import { useCardForm } from '../use-card-action.ts';
import { FormDialog } from './form-dialog.tsx';

export function LowBalanceDialog({ card, onClose }: { card: TripCard; onClose: () => void }) {
  const { currency } = card;
  const amountField = useFirstFocus<HTMLInputElement>();
  const form = useCardForm({
    initial: {
      isOn: true,
      lowBalanceAt: card.lowBalanceAt === null ? '' : formatAmountInput(card.lowBalanceAt, currency),
    },
    check: ({ isOn, lowBalanceAt }): { lowBalanceAt?: string } =>
      isOn && !parseAmount(lowBalanceAt, currency) ? { lowBalanceAt: MESSAGES.amount } : {},
    toBody: (values) => ({ lowBalanceAt: values.isOn ? parseAmount(values.lowBalanceAt, currency) : null }),
    send: (body) => request(changeTripCard, { params: { id: card.id }, body }),
    onDone: (_, { lowBalanceAt }) => {
      notify(
        lowBalanceAt === null
          ? `We won’t email you about the balance of ${cardTitle(card)}.`
          : `We email you when ${cardTitle(card)} falls below ${formatMoney(lowBalanceAt, currency)}.`,
        { type: 'success' },
      );
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title="Low-balance alert"
      submit="Save"
      pendingText="Saving…"
      problemTitle="The alert was not changed"
      startsFocused={false}
      onClose={onClose}
    >
      <Switch
        label="Email me when the balance gets low"
        checked={form.values.isOn}
        onChange={(event) => form.change({ isOn: event.target.checked })}
      />
      {form.values.isOn && (
        <AmountField
          {...form.input('lowBalanceAt')}
          ref={amountField}
          label="Below"
          currency={currency}
          hint="One email each time the balance falls below it."
        />
      )}
    </FormDialog>
  );
}
