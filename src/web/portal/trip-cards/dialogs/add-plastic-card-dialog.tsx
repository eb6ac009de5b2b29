import { addTripCard } from '#contract/trip-cards/endpoints.ts';
import { parseTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import { request } from '#web/platform/api/request.ts';
import type { TripCard } from '#web/platform/api/types.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { TextField } from '#web/ui/form/field.tsx';
import { cardTitle } from '../labels.ts';
import { useCardForm } from '../use-card-action.ts';
import { FormDialog } from './form-dialog.tsx';

type AddPlasticCardDialogProps = { onClose: () => void; onAdded: (card: TripCard) => void };

export function AddPlasticCardDialog({ onClose, onAdded }: AddPlasticCardDialogProps) {
  const form = useCardForm({
    initial: { number: '', pin: '', name: '' },
    check: ({ number, pin }) => ({
      ...(parseTripCardNumber(number) === null && {
        number: 'Check the card number. It has 16 digits and starts with 9.',
      }),
      ...(!/^\d{4,8}$/.test(pin.trim()) && { pin: 'Enter the PIN, 4 to 8 digits.' }),
    }),
    byCode: { trip_card_refused: 'number' },
    toBody: ({ number, pin, name }) => ({
      number: parseTripCardNumber(number) ?? number,
      pin: pin.trim(),
      ...(name.trim() === '' ? {} : { name: name.trim() }),
    }),
    send: (body, idempotencyKey) => request(addTripCard, { body, idempotencyKey }),
    onDone: (card) => {
      notify(`${cardTitle(card)} is on your account.`, { type: 'success' });
      onAdded(card);
    },
  });
  return (
    <FormDialog
      form={form}
      title="Add a plastic card"
      submit="Add card"
      pendingText="Adding…"
      problemTitle="The card was not added"
      onClose={onClose}
    >
      <p>The number and PIN are printed on the card. You can keep using it at the gate.</p>
      <TextField
        {...form.input('number')}
        label="Card number"
        hint="16 digits, starting with 9."
        inputMode="numeric"
        autoComplete="off"
        maxLength={40}
      />
      <TextField
        {...form.input('pin')}
        label="PIN"
        hint="4 to 8 digits."
        inputMode="numeric"
        autoComplete="off"
        maxLength={12}
      />
      <TextField
        {...form.input('name')}
        label="Name"
        hint="A name you will recognize, like “Family card”."
        isOptional
        autoComplete="off"
        maxLength={60}
      />
    </FormDialog>
  );
}
