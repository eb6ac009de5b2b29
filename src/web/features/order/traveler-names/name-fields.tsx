import { useId } from 'react';
import { t } from '#web/language/texts.ts';
import { TextField, type TextFieldProps } from '#web/ui/form/field.tsx';
import styles from './name-fields.module.css';
import { type NameValues, nameField, type Traveler } from './travelers.ts';

type NameFieldsProps = {
  travelers: readonly Traveler[];
  /** Offered in each field until one of the travelers has that name. */
  buyer: string;
  /** Of the field of a name, by its place in the order's list of names. */
  hintOf?: (index: number) => string | undefined;
  form: {
    values: NameValues;
    input: (name: keyof NameValues) => Pick<TextFieldProps, 'id' | 'name' | 'error' | 'onChange'>;
  };
};

/** One field for each traveler's name. */
export function NameFields({ travelers, buyer, hintOf, form: { values, input } }: NameFieldsProps) {
  const buyerId = useId();
  const isOne = travelers.length === 1;
  const isBuyerOffered = buyer !== '' && travelers.every(({ index }) => values[nameField(index)] !== buyer);
  return (
    <fieldset className={styles.names}>
      <legend className="visually-hidden">{t('Travelers’ names')}</legend>
      <p className={styles.hint}>
        {t(
          isOne
            ? 'Add their name to the ticket. A first name is enough.'
            : 'They appear on the tickets, so you can tell them apart. First names are enough.',
        )}
      </p>
      {travelers.map(({ key, label, index }) => (
        <TextField
          {...input(nameField(index))}
          key={key}
          label={isOne ? t('Traveler’s name') : label}
          hint={hintOf?.(index)}
          // The browser would offer the buyer's name for every traveler.
          autoComplete="off"
          autoCapitalize="words"
          spellCheck={false}
          dir="auto"
          list={isOne ? undefined : buyerId}
        />
      ))}
      {!isOne && <datalist id={buyerId}>{isBuyerOffered && <option value={buyer} />}</datalist>}
    </fieldset>
  );
}
