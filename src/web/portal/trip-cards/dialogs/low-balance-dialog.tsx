import { useState } from 'react';
import { changeTripCard } from '#contract/trip-cards/endpoints.ts';
import { request } from '#web/platform/api/request.ts';

import type { TripCard } from '#web/platform/api/types.ts';
import type { Problems } from '#web/platform/forms/problems.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { useFirstFocus } from '#web/portal/step-up/use-first-focus.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Switch } from '#web/ui/form/switch.tsx';
import { parseAmount, typedAmount } from '../amounts.ts';
import { cardTitle } from '../labels.ts';
import { FormDialog } from './form-dialog.tsx';
import { useFormAction } from './use-form-action.ts';

export function LowBalanceDialog({ card, onClose }: { card: TripCard; onClose: () => void }) {
  const { currency, lowBalanceAt } = card;
  const [isOn, setIsOn] = useState(true);
  const [line, setLine] = useState(lowBalanceAt === null ? '' : typedAmount(lowBalanceAt, currency));
  const first = useFirstFocus<HTMLInputElement>();
  const form = useFormAction({
    fields: FIELDS,
    act: (to: number | null) =>
      request(changeTripCard, { params: { id: card.id }, body: { lowBalanceAt: to } }),
    onDone: (_, to) => {
      notify(
        to === null
          ? `We won’t email you about the balance of ${cardTitle(card)}.`
          : `We email you when ${cardTitle(card)} falls below ${formatMoney(to, currency)}.`,
        { type: 'success' },
      );
      onClose();
    },
  });
  return (
    <FormDialog
      title="Low-balance alert"
      submit="Save"
      pendingText="Saving…"
      isPending={form.isPending}
      problemTitle="The alert was not changed"
      errors={form.errors}
      formProblem={form.formProblem}
      onSubmit={() =>
        form.submit(isOn ? check(line, currency) : {}, () => (isOn ? parseAmount(line, currency) : null))
      }
      onClose={onClose}
    >
      <Switch
        label="Email me when the balance gets low"
        checked={isOn}
        onChange={(event) => setIsOn(event.target.checked)}
      />
      {isOn && (
        <TextField
          {...form.fieldProps('low_balance_at')}
          ref={first}
          label={`Below (${currency})`}
          hint="One email each time the balance falls below it."
          inputMode="decimal"
          autoComplete="off"
          maxLength={12}
          value={line}
          onChange={(event) => setLine(event.target.value)}
        />
      )}
    </FormDialog>
  );
}

const FIELDS = ['low_balance_at'] as const;

function check(line: string, currency: string): Problems<'low_balance_at'> {
  const amount = parseAmount(line, currency);
  return amount === null || amount === 0 ? { low_balance_at: 'Enter an amount, like 10.00.' } : {};
}
