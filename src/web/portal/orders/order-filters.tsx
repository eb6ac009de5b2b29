import { type FormEvent, type ReactNode, useState } from 'react';
import { useNavigate } from '#web/platform/router/use-router.ts';
import { Button } from '#web/ui/form/button.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Tabs } from '#web/ui/layout/tabs.tsx';
import styles from './order-filters.module.css';
import { type OrdersSearch, type OrdersView, ordersPath, tidyReference } from './orders-search.ts';

const VIEWS: { id: OrdersView; label: string }[] = [
  { id: 'upcoming', label: 'Upcoming' },
  { id: 'past', label: 'Past' },
  { id: 'all', label: 'All' },
];

type OrderFiltersProps = {
  search: OrdersSearch;
  /** Shows the search by reference. */
  hasSearch: boolean;
  children: ReactNode;
};

export function OrderFilters({ search, hasSearch, children }: OrderFiltersProps) {
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
    <Tabs label="Which orders to show" tabs={VIEWS} current={search.view} onChange={(view) => show({ view })}>
      {(hasSearch || search.reference !== '') && (
        // biome-ignore lint/a11y/useSemanticElements: phones of 2022 do not know <search>
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
      )}
      {children}
    </Tabs>
  );
}
