import { useState } from 'react';
import { transferValue } from '#contract/trip-cards/endpoints.ts';
import { request } from '#web/platform/api/request.ts';
import type { InputOf } from '#web/platform/api/request-types.ts';
import type { TripCard } from '#web/platform/api/types.ts';
import type { Problems } from '#web/platform/forms/problems.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { useFirstFocus } from '#web/portal/step-up/use-first-focus.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Select } from '#web/ui/form/select.tsx';
import { parseAmount } from '../amounts.ts';
import { cardTitle, titleWithNumber } from '../labels.ts';
import { transferTargets } from '../rights.ts';
import { FormDialog } from './form-dialog.tsx';
import { useFormAction } from './use-form-action.ts';

type TransferDialogProps = { card: TripCard; cards: readonly TripCard[]; onClose: () => void };

export function TransferDialog({ card, cards, onClose }: TransferDialogProps) {
  const targets = transferTargets(card, cards);
  const [toCardId, setToCardId] = useState(targets[0]?.id ?? '');
  const [amount, setAmount] = useState('');
  const first = useFirstFocus<HTMLSelectElement>();
  const form = useFormAction({
    fields: FIELDS,
    byCode: { insufficient_balance: 'amount' },
    act: (move: InputOf<typeof transferValue>['body'], key) =>
      request(transferValue, { params: { id: card.id }, body: move, idempotencyKey: key }),
    onDone: (_, move) => {
      const to = targets.find(({ id }) => id === move.toCardId);
      notify(
        `${formatMoney(move.amount, card.currency)} moved to ${to ? cardTitle(to) : 'the other card'}.`,
        { type: 'success' },
      );
      onClose();
    },
  });
  return (
    <FormDialog
      title={`Move money from ${cardTitle(card)}`}
      submit="Move"
      pendingText="Moving…"
      isPending={form.isPending}
      problemTitle="Nothing was moved"
      errors={form.errors}
      formProblem={form.formProblem}
      onSubmit={() =>
        form.submit(check(amount, card), () => ({
          toCardId,
          amount: parseAmount(amount, card.currency) ?? 0,
        }))
      }
      onClose={onClose}
    >
      <Select
        {...form.fieldProps('to_card_id')}
        ref={first}
        label="To"
        value={toCardId}
        onChange={(event) => setToCardId(event.target.value)}
        options={targets.map((each) => ({ value: each.id, label: titleWithNumber(each) }))}
      />
      <TextField
        {...form.fieldProps('amount')}
        label={`Amount (${card.currency})`}
        hint={`${formatMoney(card.available, card.currency)} can be moved from ${cardTitle(card)}.`}
        inputMode="decimal"
        autoComplete="off"
        maxLength={12}
        value={amount}
        onChange={(event) => setAmount(event.target.value)}
      />
    </FormDialog>
  );
}

const FIELDS = ['to_card_id', 'amount'] as const;

function check(text: string, { available, currency }: TripCard): Problems<'amount'> {
  const amount = parseAmount(text, currency);
  if (amount === null || amount === 0) return { amount: 'Enter an amount, like 10.00.' };
  if (amount > available) return { amount: `Enter ${formatMoney(available, currency)} at most.` };
  return {};
}
