import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { findStaffOrders } from '#contract/desk/orders/endpoints.ts';
import { fillPath, staffPages } from '#contract/paths.ts';
import { OrderTitle } from '#web/features/order/order-title.tsx';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { formatPhone } from '#web/features/site/phone.ts';
import { formatWhenCapitalized } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { FoundCustomer, FoundOrder } from '#web/platform/api/types.ts';
import { Money } from '#web/ui/data/money.tsx';
import { RowList } from '#web/ui/data/row-list.tsx';
import { type Column, Table } from '#web/ui/data/table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { SearchForm } from '../search-form.tsx';
import { Permitted } from '../session/permitted.tsx';
import styles from './orders.module.css';
import { StaffOrderBadge } from './staff-order-badge.tsx';

/** Finds any order. Each search has an address, to be sent to others and to come back to. */
export function OrdersScreen() {
  return (
    <Permitted permission="see_orders">
      <Orders />
    </Permitted>
  );
}

function Orders() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const search = params.get('q') ?? '';
  return (
    <>
      <PageHeader title={t('Orders')} />
      <Stack>
        <SearchForm
          key={search}
          search={search}
          label={t('Find an order')}
          hint={t(
            'Reference, name, email, phone, plate, ticket, invoice, trip card, or the last four digits of a payment card. Accounts by their whole email or trip card number.',
          )}
          autoFocus
          onSearch={(q) => void navigate(`${staffPages.orders}?${new URLSearchParams({ q })}`)}
        />
        {search !== '' && <Results search={search} />}
      </Stack>
    </>
  );
}

function Results({ search }: { search: string }) {
  const query = useQuery({
    queryKey: ['staff-orders', search] as const,
    queryFn: ({ signal }) => request(findStaffOrders, { query: { q: search }, signal }),
  });
  if (query.data === undefined) {
    return (
      <QueryFallback query={query} problem={t('We could not search the orders')} loading={t('Searching…')}>
        <Skeleton height="16rem" />
      </QueryFallback>
    );
  }
  const { orders, hasMore, customers } = query.data;
  if (orders.length === 0) {
    return customers.length > 0 ? (
      <Customers customers={customers} />
    ) : (
      <EmptyState icon="ticket" title={t('No order matches “{search}”', { search })}>
        {t('Type at least three letters or digits. Words are found by their beginning.')}
      </EmptyState>
    );
  }
  return (
    <>
      <Customers customers={customers} />
      <output className="muted">
        {hasMore
          ? t('More orders match than these {count}. Type more to find others.', { count: orders.length })
          : t('{count, plural, one {# order} other {# orders}}', { count: orders.length })}
      </output>
      <Table
        caption={t('Orders')}
        isCaptionHidden
        columns={listColumns(query.dataUpdatedAt)}
        rows={orders}
        getKey={({ id }) => id}
      />
    </>
  );
}

/** Accounts, also those that have bought nothing yet. */
function Customers({ customers }: { customers: readonly FoundCustomer[] }) {
  if (customers.length === 0) return null;
  return (
    <RowList
      label={t('Customers')}
      rows={customers.map(({ id, name, email }) => ({
        id,
        title: <Link to={fillPath(staffPages.customer, { id })}>{name === '' ? email : name}</Link>,
        details: t('Account with {email}', { email }),
      }))}
    />
  );
}

function listColumns(now: number): Column<FoundOrder>[] {
  return [
    {
      id: 'order',
      header: t('Order'),
      cell: (order) => (
        <Link to={fillPath(staffPages.order, { reference: order.reference })}>
          <OrderTitle order={order} />
        </Link>
      ),
    },
    {
      id: 'buyer',
      header: t('Buyer'),
      cell: ({ contact, plate }) => (
        <span className={styles.lines}>
          {[contact.name, contact.email, formatPhone(contact.phone), plate].filter(Boolean).map((line) => (
            <span key={line}>{line}</span>
          ))}
        </span>
      ),
    },
    { id: 'status', header: t('State'), cell: (order) => <StaffOrderBadge order={order} /> },
    { id: 'at', header: t('Bought'), cell: ({ insertedAt }) => formatWhenCapitalized(insertedAt, now) },
    {
      id: 'total',
      header: t('Total'),
      isFigure: true,
      cell: ({ total, currency }) => <Money amount={total} currency={currency} />,
    },
  ];
}
