import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { fillPath, staffPages } from '#contract/paths.ts';
import { parseReference } from '#domain/orders/reference.ts';
import { OrderCrossings, OrderTerms } from '#web/features/order/order-details.tsx';
import { OrderTitle } from '#web/features/order/order-title.tsx';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { t } from '#web/language/texts.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import type { StaffOrder } from '#web/platform/api/types.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Columns } from '#web/ui/layout/columns.tsx';
import { FoldGroup } from '#web/ui/layout/fold.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { InvoiceLink } from '../invoices/invoice-link.tsx';
import { PrintTickets } from '../print/print-tickets.tsx';
import { Permitted } from '../session/permitted.tsx';
import { usePermission } from '../session/staff-session.ts';
import { OrderActions } from './actions/order-actions.tsx';
import { OrderHistory } from './order-history.tsx';
import { OrderNotes } from './order-notes.tsx';
import { OrderStates } from './order-states.tsx';
import { PaymentLinkCard } from './payment-link-card.tsx';
import { RefundRequestCard } from './refund-request-card.tsx';
import { SentTicketsCard } from './sent-tickets-card.tsx';
import { hasValidTickets, staffOrderQuery } from './staff-order.ts';
import { StaffOrderBadge } from './staff-order-badge.tsx';
import { StaffReceipts } from './staff-receipts.tsx';
import { TicketTable } from './ticket-table.tsx';

/** One order as its buyer sees it, and what happened to it. */
export function OrderScreen() {
  const { reference: written = '' } = useParams();
  const reference = parseReference(written);
  return (
    <Permitted permission="see_orders">
      {reference === null ? <UnknownOrder reference={written} /> : <OpenOrder reference={reference} />}
    </Permitted>
  );
}

function OpenOrder({ reference }: { reference: string }) {
  const query = useQuery(staffOrderQuery(reference));
  if (query.data !== undefined) return <ShownOrder staffOrder={query.data} now={query.dataUpdatedAt} />;
  if (hasErrorCode(query.error, 'not_found')) return <UnknownOrder reference={reference} />;
  return (
    <QueryFallback query={query} problem={t('We could not load the order')} loading={t('Loading…')}>
      <Skeleton height="24rem" />
    </QueryFallback>
  );
}

function ShownOrder({ staffOrder, now }: { staffOrder: StaffOrder; now: number }) {
  const { order } = staffOrder;
  const mayManageInvoices = usePermission('manage_invoices');
  return (
    <>
      <PageHeader
        back={{ to: staffPages.orders, label: t('Orders') }}
        title={<OrderTitle order={order} />}
        intro={<StaffOrderBadge order={order} />}
        action={
          <ButtonLink
            variant="secondary"
            size="small"
            icon="eye"
            to={fillPath(staffPages.orderAsCustomer, { reference: order.reference })}
          >
            {t('View as the customer')}
          </ButtonLink>
        }
      />
      <Stack>
        <OrderStates staffOrder={staffOrder} now={now} />
        {staffOrder.refundRequest && (
          <RefundRequestCard asked={staffOrder.refundRequest} currency={order.currency} now={now} />
        )}
        <PaymentLinkCard staffOrder={staffOrder} now={now} />
        <OrderActions staffOrder={staffOrder} />
        <Columns
          aside={
            <Stack gap="lg">
              <OrderNotes staffOrder={staffOrder} now={now} />
              <OrderHistory staffOrder={staffOrder} now={now} />
            </Stack>
          }
        >
          <TicketTable order={order} />
          {hasValidTickets(staffOrder) && <PrintTickets load={async () => order} />}
          <SentTicketsCard staffOrder={staffOrder} now={now} />
          <OrderCrossings order={order} />
          <FoldGroup>
            <OrderTerms order={order} />
            <StaffReceipts staffOrder={staffOrder} />
          </FoldGroup>
          {staffOrder.invoice && (
            <Card tone="sunken">
              {mayManageInvoices ? (
                <InvoiceLink {...staffOrder.invoice} />
              ) : (
                t('Invoice {number}', { number: staffOrder.invoice.number })
              )}
            </Card>
          )}
          <Card tone="sunken">
            {staffOrder.customerId === null ? (
              t('Bought without an account.')
            ) : (
              <Link to={fillPath(staffPages.customer, { id: staffOrder.customerId })}>
                {t('The customer with all orders and trip cards')}
              </Link>
            )}
          </Card>
        </Columns>
      </Stack>
    </>
  );
}

function UnknownOrder({ reference }: { reference: string }) {
  return (
    <EmptyState
      icon="ticket"
      titleAs="h1"
      title={t('No order matches “{search}”', { search: reference })}
      action={
        <ButtonLink to={staffPages.orders} variant="secondary">
          {t('Orders')}
        </ButtonLink>
      }
    />
  );
}
