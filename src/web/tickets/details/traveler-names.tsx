import { useState } from 'react';
import { NameFields } from '#web/features/order/traveler-names/name-fields.tsx';
import { travelersOf } from '#web/features/order/traveler-names/travelers.ts';
import type { FieldError } from '#web/ui/form/error-summary.tsx';
import { Disclosure } from '#web/ui/layout/disclosure.tsx';
import { useDraft, usePurchase } from '../purchase.ts';
import { problemOf } from '../trip/trip-problems.ts';

/** Names for the tickets, folded away at first. */
export function TravelerNames({ problems }: { problems: readonly FieldError[] }) {
  const { get, change } = usePurchase();
  const draft = useDraft();
  const [isToggled, setIsToggled] = useState<boolean | null>(null);
  const travelers = travelersOf(draft.quote?.lines ?? []);
  const names = travelers.map(({ key }) => draft.travelerNames[key] ?? '');
  const hasProblem = travelers.some(({ fieldId }) => problemOf(problems, fieldId) !== undefined);
  const isOpen = hasProblem || (isToggled ?? names.some((name) => name !== ''));
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
      {isOpen && (
        <NameFields
          travelers={travelers}
          names={names}
          buyer={draft.contact.name.trim()}
          problems={problems}
          onChange={(index, name) => {
            const key = travelers[index]?.key ?? '';
            change({ travelerNames: { ...get().travelerNames, [key]: name } });
          }}
        />
      )}
    </Disclosure>
  );
}
