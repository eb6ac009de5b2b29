import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/field.tsx';
import { Segmented } from '#web/ui/segmented.tsx';
import { Stack } from '#web/ui/stack.tsx';
import styles from './order-filters.module.css';
import { type OrdersSearch, type OrdersView, ordersPath, tidyReference } from './orders-search.ts';

const OPTIONS: { value: OrdersView; label: string }[] = [
  { value: 'upcoming', label: 'Upcoming' },
  { value: 'past', label: 'Past' },
  { value: 'all', label: 'All' },
];

export function OrderFilters({ search }: { search: OrdersSearch }) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState(search.reference);
  const [applied, setApplied] = useState(search.reference);
  if (applied !== search.reference) {
    setApplied(search.reference);
    setTyped(search.reference);
  }

  function show(change: Partial<OrdersSearch>) {
    void navigate(ordersPath({ ...search, ...change }), { replace: true, preventScrollReset: true });
  }

  function handleSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    show({ reference: tidyReference(typed) });
  }

  return (
    <Stack>
      <Segmented
        legend="Which orders to show"
        isLegendHidden
        value={search.view}
        onChange={(view) => show({ view })}
        options={OPTIONS}
      />
      {/* biome-ignore lint/a11y/useSemanticElements: phones of 2022 do not know <search> */}
      <form role="search" className={styles.form} onSubmit={handleSubmit}>
        <TextField
          label="Find by reference"
          name="reference"
          type="search"
          className={styles.field}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={20}
        />
        <Button type="submit" variant="secondary">
          Search
        </Button>
      </form>
    </Stack>
  );
}
