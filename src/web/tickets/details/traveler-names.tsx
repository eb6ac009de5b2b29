import { useState } from 'react';
import type { FieldError } from '#web/ui/error-summary.tsx';
import { TextField } from '#web/ui/field.tsx';
import { changeDraft, draftStore, useDraft } from '../draft.ts';
import { problemOf } from '../trip/trip-problems.ts';
import styles from './traveler-names.module.css';
import { type Traveler, travelersOf } from './travelers.ts';

/** Names for the tickets, folded away until asked for. */
export function TravelerNames({ problems }: { problems: readonly FieldError[] }) {
  const draft = useDraft();
  const [isToggled, setIsToggled] = useState<boolean | null>(null);
  const travelers = travelersOf(draft);
  const isOne = travelers.length === 1;
  const hasNames = travelers.some(({ key }) => draft.travelerNames[key]);
  const hasProblem = travelers.some(({ fieldId }) => problemOf(problems, fieldId) !== undefined);
  const isOpen = hasProblem || (isToggled ?? hasNames);
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => {
        // The summary of errors leads to the field.
        if (hasProblem) currentTarget.open = true;
        else if (currentTarget.open !== isOpen) setIsToggled(currentTarget.open);
      }}
    >
      <summary className={styles.summary}>
        {isOne ? 'Buying for someone else?' : 'Add travelers’ names (optional)'}
      </summary>
      {isOpen && (
        <fieldset className={styles.names}>
          <legend className="visually-hidden">Travelers’ names</legend>
          <p className={styles.hint}>
            {isOne
              ? 'Add their name to the ticket. A first name is enough.'
              : 'They appear on the tickets, so you can tell them apart. First names are enough.'}
          </p>
          {travelers.map((traveler) => (
            <NameField
              key={traveler.key}
              traveler={traveler}
              label={isOne ? 'Traveler’s name' : traveler.label}
              error={problemOf(problems, traveler.fieldId)}
              list={isOne ? undefined : BUYER}
            />
          ))}
          {!isOne && <BuyersName />}
        </fieldset>
      )}
    </details>
  );
}

type NameFieldProps = {
  traveler: Traveler;
  label: string;
  error: string | undefined;
  list: string | undefined;
};

function NameField({ traveler: { key, fieldId }, label, error, list }: NameFieldProps) {
  const { travelerNames } = useDraft();
  return (
    <TextField
      id={fieldId}
      label={label}
      // Other people's names: the browser knows only the buyer's own.
      autoComplete="off"
      autoCapitalize="words"
      spellCheck={false}
      dir="auto"
      list={list}
      value={travelerNames[key] ?? ''}
      error={error}
      onChange={({ target }) =>
        changeDraft({ travelerNames: { ...draftStore.get().travelerNames, [key]: target.value } })
      }
    />
  );
}

const BUYER = 'buyer-name';

/** The buyer may be one of the travelers, and is offered until chosen. */
function BuyersName() {
  const { contact, travelerNames } = useDraft();
  const name = contact.name.trim();
  const isOffered = name !== '' && !Object.values(travelerNames).includes(name);
  return <datalist id={BUYER}>{isOffered && <option value={name} />}</datalist>;
}
