import { transferValue } from '#contract/trip-cards/endpoints.ts';
import { request } from '#web/platform/api/request.ts';
import type { TripCard } from '#web/platform/api/types.ts';
import { MESSAGES } from '#web/platform/forms/messages.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { AmountField } from '../amount-field.tsx';
import { parseAmount } from '../amounts.ts';
import { cardTitle, titleWithNumber } from '../labels.ts';
import { transferTargets } from '../rights.ts';
import { useCardForm } from '../use-card-action.ts';
import { FormDialog } from './form-dialog.tsx';

type TransferDialogProps = { card: TripCard; cards: readonly TripCard[]; onClose: () => void };

export function TransferDialog({ card, cards, onClose }: TransferDialogProps) {
  const { available, currency } = card;
  const targets = transferTargets(card, cards);
  const form = useCardForm({
    initial: { toCardId: targets[0]?.id ?? '', amount: '' },
    check: (values): { amount?: string } => {
      const amount = parseAmount(values.amount, currency);
      if (!amount) return { amount: MESSAGES.amount };
      return amount > available ? { amount: `Enter ${formatMoney(available, currency)} at most.` } : {};
    },
    byCode: { insufficient_balance: 'amount' },
    toBody: ({ toCardId, amount }) => ({ toCardId, amount: parseAmount(amount, currency) ?? 0 }),
    send: (body, idempotencyKey) => request(transferValue, { params: { id: card.id }, body, idempotencyKey }),
    onDone: (_, { toCardId, amount }) => {
      const to = targets.find(({ id }) => id === toCardId);
      notify(`${formatMoney(amount, currency)} moved to ${to ? cardTitle(to) : 'the other card'}.`, {
        type: 'success',
      });
      onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title={`Move money from ${cardTitle(card)}`}
      submit="Move"
      pendingText="Moving…"
      problemTitle="Nothing was moved"
      onClose={onClose}
    >
      <Select
        {...form.input('toCardId')}
        label="To"
        options={targets.map((each) => ({ value: each.id, label: titleWithNumber(each) }))}
      />
      <AmountField
        {...form.input('amount')}
        label="Amount"
        currency={currency}
        hint={`${formatMoney(available, currency)} can be moved from ${cardTitle(card)}.`}
      />
    </FormDialog>
  );
}
