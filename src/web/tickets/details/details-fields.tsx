import { useState } from 'react';
import { NameFields } from '#web/features/order/traveler-names/name-fields.tsx';
import { nameField, travelersOf } from '#web/features/order/traveler-names/travelers.ts';
import { EmailField, PhoneField, TextField } from '#web/ui/form/field.tsx';
import { Disclosure } from '#web/ui/layout/disclosure.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { useDraft } from '../purchase.ts';
import type { DetailsForm } from './details-form.ts';

type DetailsFieldsProps = { form: DetailsForm; isPlateNeeded: boolean | null };

export function DetailsFields({ form, isPlateNeeded }: DetailsFieldsProps) {
  const { input } = form;
  return (
    <Stack>
      <TextField {...input('contact.name')} label="Name" autoComplete="name" maxLength={120} />
      <EmailField {...input('contact.email')} label="Email" maxLength={254} />
      <PhoneField
        {...input('contact.phone')}
        label="Phone"
        isOptional
        hint="Only for news about your sailing."
        maxLength={32}
      />
      {isPlateNeeded !== null && (
        <TextField
          {...input('plate')}
          label="License plate"
          isOptional={!isPlateNeeded}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={12}
        />
      )}
      <TravelerNames form={form} />
    </Stack>
  );
}

/** Names for the tickets, folded away at first. */
function TravelerNames({ form }: { form: DetailsForm }) {
  const { quote } = useDraft();
  const [isToggled, setIsToggled] = useState<boolean | null>(null);
  const travelers = travelersOf(quote?.lines ?? []);
  const fields = travelers.map((_, index) => nameField(index));
  const hasProblem = fields.some((field) => form.problems[field] !== undefined);
  const isOpen = hasProblem || (isToggled ?? fields.some((field) => form.values[field] !== ''));
  return (
    <Disclosure
      summary={travelers.length === 1 ? 'Buying for someone else?' : 'Add travelers’ names (optional)'}
      open={isOpen}
      onToggle={({ currentTarget }) => {
        // The error summary links to the field.
        if (hasProblem) currentTarget.open = true;
        else if (currentTarget.open !== isOpen) setIsToggled(currentTarget.open);
      }}
    >
      {isOpen && <NameFields travelers={travelers} buyer={form.values['contact.name'].trim()} form={form} />}
    </Disclosure>
  );
}
