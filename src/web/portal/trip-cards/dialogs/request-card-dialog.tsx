import { addTripCard } from '#contract/trip-cards/endpoints.ts';
import { request } from '#web/platform/api/request.ts';
import type { TripCard } from '#web/platform/api/types.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { TextField } from '#web/ui/form/field.tsx';
import { cardTitle } from '../labels.ts';
import { useCardForm } from '../use-card-action.ts';
import { FormDialog } from './form-dialog.tsx';

type RequestCardDialogProps = { onClose: () => void; onAdded: (card: TripCard) => void };

export function RequestCardDialog({ onClose, onAdded }: RequestCardDialogProps) {
  const form = useCardForm({
    initial: { name: '' },
    toBody: ({ name }) => (name.trim() === '' ? {} : { name: name.trim() }),
    send: (body, idempotencyKey) => request(addTripCard, { body, idempotencyKey }),
    onDone: (card) => {
      notify(`${cardTitle(card)} is ready. Top it up to pay with it.`, { type: 'success' });
      onAdded(card);
    },
  });
  return (
    <FormDialog
      form={form}
      title="Get a new card"
      submit="Get the card"
      pendingText="Opening…"
      problemTitle="No card was added"
      onClose={onClose}
    >
      <p>It’s free. Top it up, then show its code at the gate.</p>
      <TextField
        {...form.input('name')}
        label="Name"
        hint="For example, “Work”."
        isOptional
        autoComplete="off"
        maxLength={60}
      />
    </FormDialog>
  );
}
