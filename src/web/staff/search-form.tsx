import { type FormEvent, useState } from 'react';
import { t } from '#web/language/texts.ts';
import { Button } from '#web/ui/form/button.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import styles from './search-form.module.css';

type SearchFormProps = {
  /** What the list shows now. Use it as the key, too. */
  search: string;
  label: string;
  hint: string;
  autoFocus?: boolean;
  onSearch: (search: string) => void;
};

/** A search whose result has an address. */
export function SearchForm({ search, label, hint, autoFocus = false, onSearch }: SearchFormProps) {
  const [typed, setTyped] = useState(search);
  function submit(event: FormEvent) {
    event.preventDefault();
    onSearch(typed.trim());
  }
  return (
    <search>
      <form className={styles.search} onSubmit={submit}>
        <TextField
          type="search"
          label={label}
          hint={hint}
          autoComplete="off"
          autoFocus={autoFocus}
          spellCheck={false}
          maxLength={100}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit">{t('Search')}</Button>
      </form>
    </search>
  );
}
