import { useState } from 'react';
import { addTripCard } from '#contract/trip-cards/endpoints.ts';
import { parseTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import { request } from '#web/platform/api/request.ts';
import type { InputOf } from '#web/platform/api/request-types.ts';
import type { TripCard } from '#web/platform/api/types.ts';
import type { Problems } from '#web/platform/forms/problems.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { useFirstFocus } from '#web/portal/step-up/use-first-focus.ts';
import { TextField } from '#web/ui/form/field.tsx';
import { cardTitle } from '../labels.ts';
import { FormDialog } from './form-dialog.tsx';
import { useFormAction } from './use-form-action.ts';

type AddedProps = { onClose: () => void; onAdded: (card: TripCard) => void };

export function AddPlasticCardDialog({ onClose, onAdded }: AddedProps) {
  const [number, setNumber] = useState('');
  const [pin, setPin] = useState('');
  const [name, setName] = useState('');
  const first = useFirstFocus<HTMLInputElement>();
  const form = useFormAction({
    fields: FIELDS,
    byCode: { trip_card_refused: 'number' },
    act: (body: InputOf<typeof addTripCard>['body'], idempotencyKey) =>
      request(addTripCard, { body, idempotencyKey }),
    onDone: (card: TripCard) => {
      notify(`${cardTitle(card)} is on your account.`, { type: 'success' });
      onAdded(card);
    },
  });
  return (
    <FormDialog
      title="Add a plastic card"
      submit="Add card"
      pendingText="Adding…"
      isPending={form.isPending}
      problemTitle="The card was not added"
      errors={form.errors}
      formProblem={form.formProblem}
      onSubmit={() =>
        form.submit(check(number, pin), () => ({
          number: parseTripCardNumber(number) ?? number,
          pin: pin.trim(),
          ...(name.trim() === '' ? {} : { name: name.trim() }),
        }))
      }
      onClose={onClose}
    >
      <p>The number and PIN are printed on the card. You can keep using it at the gate.</p>
      <TextField
        {...form.fieldProps('number')}
        ref={first}
        label="Card number"
        hint="16 digits, starting with 9."
        inputMode="numeric"
        autoComplete="off"
        maxLength={40}
        value={number}
        onChange={(event) => setNumber(event.target.value)}
      />
      <TextField
        {...form.fieldProps('pin')}
        label="PIN"
        hint="4 to 8 digits."
        inputMode="numeric"
        autoComplete="off"
        maxLength={12}
        value={pin}
        onChange={(event) => setPin(event.target.value)}
      />
      <TextField
        {...form.fieldProps('name')}
        label="Name"
        hint="A name you will recognize, like “Family card”."
        isOptional
        autoComplete="off"
        maxLength={60}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  );
}

const FIELDS = ['number', 'pin', 'name'] as const;

function check(number: string, pin: string): Problems<'number' | 'pin'> {
  const problems: Problems<'number' | 'pin'> = {};
  if (parseTripCardNumber(number) === null) {
    problems.number = 'Check the card number. It has 16 digits and starts with 9.';
  }
  if (!/^\d{4,8}$/.test(pin.trim())) problems.pin = 'Enter the PIN, 4 to 8 digits.';
  return problems;
}
