import { type FormEvent, useState } from 'react';
import { t } from '#web/language/texts.ts';
import { Button } from '#web/ui/form/button.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import type { OrdersSearch } from './orders-search.ts';
import styles from './search-form.module.css';
import { useShowOrders } from './show-orders.ts';

/** A search covers all orders, because people remember a trip and not which list it is in. */
export function SearchForm({ search, startsFocused }: { search: OrdersSearch; startsFocused: boolean }) {
  const show = useShowOrders();
  const [typed, setTyped] = useState(search.text);
  const [applied, setApplied] = useState(search.text);
  if (applied !== search.text) {
    setApplied(search.text);
    setTyped(search.text);
  }

  function handleSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const text = typed.trim();
    show({ ...search, text, view: text === '' ? search.view : 'all' });
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: phones of 2022 do not know <search>
    <form role="search" className={styles.form} onSubmit={handleSubmit}>
      <TextField
        label={t('Search your orders')}
        hint={t('Port, day, name, license plate or reference')}
        name="search"
        type="search"
        className={styles.field}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        maxLength={100}
        autoFocus={startsFocused}
      />
      <Button type="submit" variant="secondary">
        {t('Search')}
      </Button>
    </form>
  );
}
