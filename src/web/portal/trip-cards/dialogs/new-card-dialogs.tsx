import { CARD_NAME_LENGTH } from '#contract/limits.ts';
import { addTripCard } from '#contract/trip-cards/endpoints.ts';
import { parseTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import { request } from '#web/platform/api/request.ts';
import type { TripCard } from '#web/platform/api/types.ts';
import { FormDialog } from '#web/portal/parts/dialogs.tsx';
import { TextField, type TextFieldProps } from '#web/ui/form/field.tsx';
import { cardTitle } from '../trip-card.ts';
import { useCardForm } from '../use-card-action.ts';

type NewCardDialogProps = { onClose: () => void; onAdded: (card: TripCard) => void };

export function RequestCardDialog({ onClose, onAdded }: NewCardDialogProps) {
  const form = useCardForm({
    initial: { name: '' },
    toBody: optionalName,
    send: (body, idempotencyKey) => request(addTripCard, { body, idempotencyKey }),
    describeSuccess: (card) => `${cardTitle(card)} is ready. Top it up to pay with it.`,
    onDone: onAdded,
  });
  return (
    <FormDialog
      form={form}
      title="Get a new card"
      confirm="Get the card"
      pendingText="Opening…"
      problemTitle="No card was added"
      onClose={onClose}
    >
      <p>It’s free. Top it up, then show its code at the gate.</p>
      <NameField {...form.input('name')} hint="For example, “Work”." isOptional />
    </FormDialog>
  );
}

export function AddPlasticCardDialog({ onClose, onAdded }: NewCardDialogProps) {
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
      ...optionalName({ name }),
    }),
    send: (body, idempotencyKey) => request(addTripCard, { body, idempotencyKey }),
    describeSuccess: (card) => `${cardTitle(card)} is on your account.`,
    onDone: onAdded,
  });
  return (
    <FormDialog
      form={form}
      title="Add a plastic card"
      confirm="Add card"
      pendingText="Adding…"
      problemTitle="The card was not added"
      onClose={onClose}
    >
      <p>The number and PIN are printed on the card. You can keep using it at the gate.</p>
      <DigitsField
        {...form.input('number')}
        label="Card number"
        hint="16 digits, starting with 9."
        maxLength={40}
      />
      <DigitsField {...form.input('pin')} label="PIN" hint="4 to 8 digits." maxLength={12} />
      <NameField {...form.input('name')} hint="A name you will recognize, like “Family card”." isOptional />
    </FormDialog>
  );
}

function DigitsField(props: TextFieldProps) {
  return <TextField {...props} inputMode="numeric" autoComplete="off" />;
}

export function NameField(props: Omit<TextFieldProps, 'label'>) {
  return <TextField {...props} label="Name" autoComplete="off" maxLength={CARD_NAME_LENGTH} />;
}

function optionalName({ name }: { name: string }): { name?: string } {
  return name.trim() === '' ? {} : { name: name.trim() };
}
