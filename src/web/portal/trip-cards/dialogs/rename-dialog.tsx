import { changeTripCard } from '#contract/trip-cards/endpoints.ts';
import { request } from '#web/platform/api/request.ts';
import type { TripCard } from '#web/platform/api/types.ts';
import { MESSAGES } from '#web/platform/forms/messages.ts';
import { TextField } from '#web/ui/form/field.tsx';
import { cardTitle, hasOwnName } from '../labels.ts';
import { useCardForm } from '../use-card-action.ts';
import { FormDialog } from './form-dialog.tsx';

export function RenameDialog({ card, onClose }: { card: TripCard; onClose: () => void }) {
  const form = useCardForm({
    initial: { name: hasOwnName(card) ? card.name : '' },
    check: ({ name }): { name?: string } => (name.trim() === '' ? { name: MESSAGES.label } : {}),
    toBody: ({ name }) => ({ name: name.trim() }),
    send: (body) => request(changeTripCard, { params: { id: card.id }, body }),
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={`Rename ${cardTitle(card)}`}
      submit="Save"
      pendingText="Saving…"
      problemTitle="The name was not changed"
      onClose={onClose}
    >
      <TextField {...form.input('name')} label="Name" autoComplete="off" maxLength={60} />
    </FormDialog>
  );
}
