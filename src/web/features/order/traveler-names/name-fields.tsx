import { useId } from 'react';
import type { FieldError } from '#web/ui/form/error-summary.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import styles from './name-fields.module.css';
import type { Traveler } from './travelers.ts';

export type NameFieldsProps = {
  travelers: readonly Traveler[];
  /** By position. */
  names: readonly string[];
  /** Offered in each field until one of the travelers has that name. */
  buyer: string;
  problems: readonly FieldError[];
  onChange: (index: number, name: string) => void;
};

/** One field for each traveler's name. */
export function NameFields({ travelers, names, buyer, problems, onChange }: NameFieldsProps) {
  const buyerId = useId();
  const isOne = travelers.length === 1;
  const isBuyerOffered = buyer !== '' && !names.includes(buyer);
  return (
    <fieldset className={styles.names}>
      <legend className="visually-hidden">Travelers’ names</legend>
      <p className={styles.hint}>
        {isOne
          ? 'Add their name to the ticket. A first name is enough.'
          : 'They appear on the tickets, so you can tell them apart. First names are enough.'}
      </p>
      {travelers.map(({ key, label, fieldId }, index) => (
        <TextField
          key={key}
          id={fieldId}
          label={isOne ? 'Traveler’s name' : label}
          // Other people's names: the browser knows only the buyer's own.
          autoComplete="off"
          autoCapitalize="words"
          spellCheck={false}
          dir="auto"
          list={isOne ? undefined : buyerId}
          value={names[index] ?? ''}
          error={problems.find((problem) => problem.fieldId === fieldId)?.message}
          onChange={({ target }) => onChange(index, target.value)}
        />
      ))}
      {!isOne && <datalist id={buyerId}>{isBuyerOffered && <option value={buyer} />}</datalist>}
    </fieldset>
  );
}
