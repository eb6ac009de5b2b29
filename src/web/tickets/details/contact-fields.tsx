import type { FieldError } from '#web/ui/form/error-summary.tsx';
import { EmailField, PhoneField, TextField } from '#web/ui/form/field.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { useDraft, usePurchase } from '../purchase.ts';
import { problemOf } from '../trip/trip-problems.ts';
import { detailsFields } from './details-form.ts';
import { TravelerNames } from './traveler-names.tsx';

type ContactFieldsProps = { needsPlate: boolean | null; problems: readonly FieldError[] };

export function ContactFields({ needsPlate, problems }: ContactFieldsProps) {
  const { get, change } = usePurchase();
  const { contact, plate } = useDraft();
  const field = (name: keyof typeof contact, id: string) => ({
    id,
    value: contact[name],
    error: problemOf(problems, id),
    onChange: (event: { target: { value: string } }) =>
      change({ contact: { ...get().contact, [name]: event.target.value } }),
  });
  return (
    <Stack>
      <TextField {...field('name', detailsFields.name)} label="Name" autoComplete="name" maxLength={120} />
      <EmailField {...field('email', detailsFields.email)} label="Email" maxLength={254} />
      <PhoneField
        {...field('phone', detailsFields.phone)}
        label="Phone"
        isOptional
        hint="Only for news about your sailing."
        maxLength={32}
      />
      {needsPlate !== null && (
        <TextField
          id={detailsFields.plate}
          label="License plate"
          isOptional={!needsPlate}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={12}
          value={plate}
          error={problemOf(problems, detailsFields.plate)}
          onChange={(event) => change({ plate: event.target.value })}
        />
      )}
      <TravelerNames problems={problems} />
    </Stack>
  );
}
