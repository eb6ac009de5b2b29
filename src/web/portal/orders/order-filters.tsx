import { type ReactNode, useState } from 'react';
import { Button } from '#web/ui/form/button.tsx';
import { Tabs } from '#web/ui/layout/tabs.tsx';
import type { OrdersSearch, OrdersView } from './orders-search.ts';
import { SearchForm } from './search-form.tsx';
import { useShowOrders } from './show-orders.ts';

const VIEWS: { id: OrdersView; label: string }[] = [
  { id: 'upcoming', label: 'Upcoming' },
  { id: 'past', label: 'Past' },
  { id: 'all', label: 'All' },
];

type OrderFiltersProps = {
  search: OrdersSearch;
  /** Whether the search is shown at once. */
  hasSearch: boolean;
  children: ReactNode;
};

export function OrderFilters({ search, hasSearch, children }: OrderFiltersProps) {
  const show = useShowOrders();
  const [isAsked, setIsAsked] = useState(false);
  const isSearching = hasSearch || isAsked || search.text !== '';
  return (
    <Tabs
      label="Which orders to show"
      tabs={VIEWS}
      current={search.view}
      onChange={(view) => show({ ...search, view })}
    >
      {isSearching && <SearchForm search={search} startsFocused={isAsked && !hasSearch} />}
      {children}
      {!isSearching && (
        <p>
          <Button variant="quiet" onClick={() => setIsAsked(true)}>
            Search your orders
          </Button>
        </p>
      )}
    </Tabs>
  );
}
