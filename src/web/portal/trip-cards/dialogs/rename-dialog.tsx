import { useState } from 'react';
import { changeTripCard } from '#contract/trip-cards/endpoints.ts';
import { request } from '#web/platform/api/request.ts';

import type { TripCard } from '#web/platform/api/types.ts';
import { useFirstFocus } from '#web/portal/step-up/use-first-focus.ts';
import { TextField } from '#web/ui/form/field.tsx';
import { cardTitle, hasOwnName } from '../labels.ts';
import { FormDialog } from './form-dialog.tsx';
import { useFormAction } from './use-form-action.ts';

export function RenameDialog({ card, onClose }: { card: TripCard; onClose: () => void }) {
  const [name, setName] = useState(hasOwnName(card) ? card.name : '');
  const first = useFirstFocus<HTMLInputElement>();
  const form = useFormAction({
    fields: ['name'] as const,
    act: (to: string) => request(changeTripCard, { params: { id: card.id }, body: { name: to } }),
    onDone: onClose,
  });
  return (
    <FormDialog
      title={`Rename ${cardTitle(card)}`}
      submit="Save"
      pendingText="Saving…"
      isPending={form.isPending}
      problemTitle="The name was not changed"
      errors={form.errors}
      formProblem={form.formProblem}
      onSubmit={() => form.submit(name.trim() === '' ? { name: 'Enter a name.' } : {}, () => name.trim())}
      onClose={onClose}
    >
      <TextField
        {...form.fieldProps('name')}
        ref={first}
        label="Name"
        autoComplete="off"
        maxLength={60}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  );
}
