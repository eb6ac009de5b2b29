import { type ReactNode, useState } from 'react';
import { type Message, message } from '#messages/translate.ts';
import { t } from '#web/language/texts.ts';
import { Button } from '#web/ui/form/button.tsx';
import { Tabs } from '#web/ui/layout/tabs.tsx';
import type { OrdersSearch, OrdersView } from './orders-search.ts';
import { SearchForm } from './search-form.tsx';
import { useShowOrders } from './show-orders.ts';

const VIEWS: { id: OrdersView; label: Message }[] = [
  { id: 'upcoming', label: message('Upcoming') },
  { id: 'past', label: message('Past') },
  { id: 'all', label: message('All') },
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
      label={t('Which orders to show')}
      tabs={VIEWS.map(({ id, label }) => ({ id, label: t(label) }))}
      current={search.view}
      onChange={(view) => show({ ...search, view })}
    >
      {isSearching && <SearchForm search={search} startsFocused={isAsked && !hasSearch} />}
      {children}
      {!isSearching && (
        <p>
          <Button variant="quiet" onClick={() => setIsAsked(true)}>
            {t('Search your orders')}
          </Button>
        </p>
      )}
    </Tabs>
  );
}
