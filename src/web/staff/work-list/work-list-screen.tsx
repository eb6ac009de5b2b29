import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listWork } from '#contract/desk/endpoints.ts';
import type { WorkKind } from '#contract/desk/schemas.ts';
import { type Message, message } from '#messages/translate.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { formatWhenCapitalized } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { WorkItem } from '#web/platform/api/types.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { type Column, Table } from '#web/ui/data/table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { InvoiceLink } from '../invoices/invoice-link.tsx';
import { useLiveWork } from '../live/use-live.ts';
import { OrderLink } from '../orders/order-link.tsx';
import { Permitted } from '../session/permitted.tsx';
import { usePermission } from '../session/staff-session.ts';
import { FareLists } from './fare-lists.tsx';
import { PaidOutDialog } from './paid-out-dialog.tsx';
import { PayoutLists } from './payout-list.tsx';
import { VehicleDialog } from './vehicle-dialog.tsx';

/** Others work on it, too. In milliseconds. */
const REFRESH_MS = 60_000;

const workQuery = queryOptions({
  queryKey: ['desk-work'] as const,
  queryFn: ({ signal }) => request(listWork, { signal }),
  refetchInterval: REFRESH_MS,
});

/** What needs a person: money, mails and answers. */
export function WorkListScreen() {
  return (
    <Permitted permission="see_orders">
      <PageHeader
        title={t('To do')}
        intro={t('Refunds, payments, mails, fares and payouts to take care of.')}
      />
      <Lists />
    </Permitted>
  );
}

/** In the order in which they matter. `about`: what to do. */
const KINDS: readonly { kind: WorkKind; title: Message; about: Message }[] = [
  {
    kind: 'refund_asked',
    title: message('Refunds to approve'),
    about: message(
      'A colleague asks for more than one person may refund. A manager opens the order and decides.',
    ),
  },
  {
    kind: 'refund_due',
    title: message('Refunds to pay out'),
    about: message(
      'They were paid in cash, at a card terminal or by bank transfer. Pay them out the same way, and note it here.',
    ),
  },
  {
    kind: 'refund_returned',
    title: message('Refunds that a bank returned'),
    about: message('The card is closed, for example. Ask the buyer where the money shall go.'),
  },
  {
    kind: 'refund_overdue',
    title: message('Refunds that could not be made'),
    about: message(
      'The boat did not run and the deadline is over, but the payment is disputed or its card is gone.',
    ),
  },
  {
    kind: 'payment_doubtful',
    title: message('Payments with an unknown outcome'),
    about: message('Look them up at the card provider before you promise anything.'),
  },
  {
    kind: 'payment_disputed',
    title: message('Disputed payments'),
    about: message('Answer at the card provider with the order, its tickets and whether they were used.'),
  },
  {
    kind: 'vehicle_unpaid',
    title: message('Vehicles that were not as booked'),
    about: message('The gate had no connection and let them aboard. Take the difference, or do without it.'),
  },
  {
    kind: 'invoice_overdue',
    title: message('Invoices that are overdue'),
    about: message('Look for the transfer on the bank statement, or mail a reminder, in “Invoices”.'),
  },
  {
    kind: 'mail_refused',
    title: message('Mails that could not be delivered'),
    about: message('The address may be wrong. Call the buyer.'),
  },
  {
    kind: 'choice_open',
    title: message('Passengers who have not answered'),
    about: message('Their boat does not run as bought. At the deadline they get what the offer says.'),
  },
];

function Lists() {
  const query = useQuery(workQuery);
  useLiveWork();
  if (query.data === undefined) {
    return (
      <QueryFallback query={query} problem={t('We could not load the list')} loading={t('Loading…')}>
        <Skeleton height="16rem" />
      </QueryFallback>
    );
  }
  const { items, fares, payouts, hasMore } = query.data;
  if (items.length + fares.length + payouts.length === 0)
    return <EmptyState icon="check" title={t('Nothing to do')} />;
  return (
    <Stack>
      {KINDS.map(({ kind, ...texts }) => {
        const own = items.filter((item) => item.kind === kind);
        return own.length > 0 && <List key={kind} {...texts} items={own} now={query.dataUpdatedAt} />;
      })}
      <FareLists fares={fares} now={query.dataUpdatedAt} />
      <PayoutLists payouts={payouts} />
      {hasMore && <p>{t('There are more. They appear when some of these are done.')}</p>}
    </Stack>
  );
}

type ListProps = { title: Message; about: Message; items: readonly WorkItem[]; now: number };

function List({ title, about, items, now }: ListProps) {
  const [open, setOpen] = useState<WorkItem | null>(null);
  const mayRefund = usePermission('refund_orders');
  const maySell = usePermission('sell_tickets');
  const isMine = ({ refundId, measurementId }: WorkItem) =>
    (mayRefund && refundId !== null) || (maySell && measurementId !== null);
  return (
    <Card title={t(title)}>
      <Stack>
        <p className="muted">{t(about)}</p>
        <Table
          caption={t(title)}
          isCaptionHidden
          columns={[...listColumns(now), ...(items.some(isMine) ? [describeAction(setOpen)] : [])]}
          rows={items}
          getKey={({ reference, refundId, measurementId, invoiceNumber }) =>
            refundId ?? measurementId ?? invoiceNumber ?? reference
          }
        />
      </Stack>
      {open?.refundId && <PaidOutDialog item={open} onClose={() => setOpen(null)} />}
      {open?.measurementId && (
        <VehicleDialog item={open} measurementId={open.measurementId} onClose={() => setOpen(null)} />
      )}
    </Card>
  );
}

function listColumns(now: number): Column<WorkItem>[] {
  return [
    {
      id: 'reference',
      header: t('Order'),
      cell: ({ reference, invoiceNumber }) =>
        invoiceNumber === null ? (
          <OrderLink reference={reference} />
        ) : (
          <InvoiceLink number={invoiceNumber} state="overdue" />
        ),
    },
    { id: 'name', header: t('Name'), cell: ({ contactName }) => contactName },
    {
      id: 'contact',
      header: t('Contact'),
      cell: ({ phone, contactEmail }) => (phone === '' ? contactEmail : <a href={`tel:${phone}`}>{phone}</a>),
    },
    {
      id: 'when',
      header: t('When'),
      cell: ({ since, due }) =>
        due === null
          ? formatWhenCapitalized(since, now)
          : t('Until {time}', { time: formatWhenCapitalized(due, now) }),
    },
    {
      id: 'amount',
      header: t('Amount'),
      cell: ({ amount, currency }) => (amount === null ? '–' : formatMoney(amount, currency)),
      isFigure: true,
    },
  ];
}

function describeAction(onOpen: (item: WorkItem) => void): Column<WorkItem> {
  return {
    id: 'action',
    header: t('Action'),
    cell: (item) => (
      <Button
        size="small"
        variant="secondary"
        needsConnection
        aria-label={
          item.measurementId === null
            ? t('Paid out: {reference}', { reference: item.reference })
            : t('Settle: {reference}', { reference: item.reference })
        }
        onClick={() => onOpen(item)}
      >
        {item.measurementId === null ? t('Paid out') : t('Settle')}
      </Button>
    ),
  };
}
