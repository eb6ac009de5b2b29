import { CARD_NAME_LENGTH } from '#contract/limits.ts';
import { addTripCard } from '#contract/trip-cards/endpoints.ts';
import { parseTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import { FormDialog } from '#web/features/site/dialogs.tsx';
import { cardTitle } from '#web/features/trip-card/trip-card.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { TripCard } from '#web/platform/api/types.ts';
import { TextField, type TextFieldProps } from '#web/ui/form/field.tsx';
import { useCardForm } from '../use-card-action.ts';

type NewCardDialogProps = { onClose: () => void; onAdded: (card: TripCard) => void };

export function RequestCardDialog({ onClose, onAdded }: NewCardDialogProps) {
  const form = useCardForm({
    initial: { name: '' },
    toBody: optionalName,
    send: (body, idempotencyKey) => request(addTripCard, { body, idempotencyKey }),
    describeSuccess: (card) => t('{card} is ready. Top it up to pay with it.', { card: cardTitle(card) }),
    onDone: onAdded,
  });
  return (
    <FormDialog
      form={form}
      title={t('Get a new card')}
      confirm={t('Get the card')}
      pendingText={t('Opening…')}
      problemTitle={t('No card was added')}
      onClose={onClose}
    >
      <p>{t('It’s free. Top it up, then show its code at the gate.')}</p>
      <NameField {...form.input('name')} hint={t('For example, “Work”.')} isOptional />
    </FormDialog>
  );
}

export function AddPlasticCardDialog({ onClose, onAdded }: NewCardDialogProps) {
  const form = useCardForm({
    initial: { number: '', pin: '', name: '' },
    check: ({ number, pin }) => ({
      ...(parseTripCardNumber(number) === null && {
        number: t('Check the card number. It has 16 digits and starts with 9.'),
      }),
      ...(!/^\d{4,8}$/.test(pin.trim()) && { pin: t('Enter the PIN, 4 to 8 digits.') }),
    }),
    byCode: { trip_card_refused: 'number' },
    toBody: ({ number, pin, name }) => ({
      number: parseTripCardNumber(number) ?? number,
      pin: pin.trim(),
      ...optionalName({ name }),
    }),
    send: (body, idempotencyKey) => request(addTripCard, { body, idempotencyKey }),
    describeSuccess: (card) => t('{card} is on your account.', { card: cardTitle(card) }),
    onDone: onAdded,
  });
  return (
    <FormDialog
      form={form}
      title={t('Add a plastic card')}
      confirm={t('Add card')}
      pendingText={t('Adding…')}
      problemTitle={t('The card was not added')}
      onClose={onClose}
    >
      <p>{t('The number and PIN are printed on the card. You can keep using it at the gate.')}</p>
      <DigitsField
        {...form.input('number')}
        label={t('Card number')}
        hint={t('16 digits, starting with 9.')}
        maxLength={40}
      />
      <DigitsField {...form.input('pin')} label={t('PIN')} hint={t('4 to 8 digits.')} maxLength={12} />
      <NameField
        {...form.input('name')}
        hint={t('A name you will recognize, like “Family card”.')}
        isOptional
      />
    </FormDialog>
  );
}

function DigitsField(props: TextFieldProps) {
  return <TextField {...props} inputMode="numeric" autoComplete="off" />;
}

export function NameField(props: Omit<TextFieldProps, 'label'>) {
  return <TextField {...props} label={t('Name')} autoComplete="off" maxLength={CARD_NAME_LENGTH} />;
}

function optionalName({ name }: { name: string }): { name?: string } {
  return name.trim() === '' ? {} : { name: name.trim() };
}
