import { useState } from 'react';
import { addTripCard } from '#contract/trip-cards/endpoints.ts';
import { request } from '#web/platform/api/request.ts';
import type { InputOf } from '#web/platform/api/request-types.ts';
import type { TripCard } from '#web/platform/api/types.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { useFirstFocus } from '#web/portal/step-up/use-first-focus.ts';
import { TextField } from '#web/ui/form/field.tsx';
import { cardTitle } from '../labels.ts';
import { FormDialog } from './form-dialog.tsx';
import { useFormAction } from './use-form-action.ts';

type RequestCardDialogProps = { onClose: () => void; onAdded: (card: TripCard) => void };

export function RequestCardDialog({ onClose, onAdded }: RequestCardDialogProps) {
  const [name, setName] = useState('');
  const first = useFirstFocus<HTMLInputElement>();
  const form = useFormAction({
    fields: ['name'] as const,
    act: (body: InputOf<typeof addTripCard>['body'], idempotencyKey) =>
      request(addTripCard, { body, idempotencyKey }),
    onDone: (card: TripCard) => {
      notify(`${cardTitle(card)} is ready. Top it up to pay with it.`, { type: 'success' });
      onAdded(card);
    },
  });
  return (
    <FormDialog
      title="Get a new card"
      submit="Get the card"
      pendingText="FirstPaintResult…"
      isPending={form.isPending}
      problemTitle="No card was added"
      errors={form.errors}
      formProblem={form.formProblem}
      onSubmit={() => form.submit({}, () => (name.trim() === '' ? {} : { name: name.trim() }))}
      onClose={onClose}
    >
      <p>It’s free. Top it up, then show its code at the gate.</p>
      <TextField
        {...form.fieldProps('name')}
        ref={first}
        label="Name"
        hint="For example, “Work”."
        isOptional
        autoComplete="off"
        maxLength={60}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  );
}
