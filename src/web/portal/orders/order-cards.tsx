import { message } from '#messages/translate.ts';
import { OrderSummaryCard } from '#web/features/order/order-summary-card.tsx';
import { findNextLeg } from '#web/features/order/trips.ts';
import { t } from '#web/language/texts.ts';
import type { OrderSummary } from '#web/platform/api/types.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { Stack } from '#web/ui/layout/stack.tsx';
import styles from '../parts/cards.module.css';
import { type OrdersSearch, ordersPath } from './orders-search.ts';

type OrderCardsProps = {
  orders: readonly OrderSummary[];
  search: OrdersSearch;
};

/** Results of a search, upcoming trips apart from past ones; any other list under one heading. */
export function OrderCards({ orders, search }: OrderCardsProps) {
  const now = serverNow();
  const isAhead = ({ legs }: OrderSummary) => findNextLeg(legs, now) !== null;
  if (search.text === '') {
    return (
      <>
        <h2 className="visually-hidden">{t(HEADINGS[search.view])}</h2>
        <Cards orders={orders} search={search} />
      </>
    );
  }
  const parts = [
    { title: t('Upcoming'), label: t('Upcoming orders'), orders: orders.filter(isAhead) },
    { title: t('Past'), label: t('Past orders'), orders: orders.filter((order) => !isAhead(order)) },
  ];
  return (
    <Stack>
      {parts.map((part) =>
        part.orders.length === 0 ? null : (
          <Stack key={part.title} as="section" gap="sm" aria-label={part.label}>
            <h2>{part.title}</h2>
            <Cards orders={part.orders} search={search} />
          </Stack>
        ),
      )}
    </Stack>
  );
}

function Cards({ orders, search }: OrderCardsProps) {
  return (
    <ul className={styles.cards}>
      {orders.map((order) => (
        <li key={order.id} data-order={order.reference}>
          <OrderSummaryCard order={order} to={ordersPath({ ...search, order: order.reference })} />
        </li>
      ))}
    </ul>
  );
}

const HEADINGS = {
  upcoming: message('Upcoming trips'),
  past: message('Past trips'),
  all: message('All orders'),
};
