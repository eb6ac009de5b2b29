import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { staffPages } from '#contract/paths.ts';
import type { Message } from '#messages/translate.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { formatWhenCapitalized } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import type { WorkItem } from '#web/platform/api/types.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { type Column, Table } from '#web/ui/data/table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button, ButtonLink } from '#web/ui/form/button.tsx';
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
import { WorkFilterFields } from './work-filter-fields.tsx';
import { readWorkFilters, workQuery } from './work-filters.ts';
import { WORK_KINDS } from './work-kinds.ts';

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

function Lists() {
  const [params] = useSearchParams();
  const filters = readWorkFilters(params);
  const query = useQuery(workQuery(filters));
  useLiveWork();
  if (query.data === undefined) {
    return (
      <QueryFallback query={query} problem={t('We could not load the list')} loading={t('Loading…')}>
        <Skeleton height="16rem" />
      </QueryFallback>
    );
  }
  const { boats, items, fares, payouts, hasMore } = query.data;
  const isFiltered = filters.kind !== '' || filters.boat !== '';
  const isEmpty = items.length + fares.length + payouts.length === 0;
  if (isEmpty && !isFiltered) return <EmptyState icon="check" title={t('Nothing to do')} />;
  return (
    <Stack>
      <WorkFilterFields filters={filters} boats={boats} />
      {isEmpty && <NothingOfThis />}
      {WORK_KINDS.map(({ kind, ...texts }) => {
        const own = items.filter((item) => item.kind === kind);
        return own.length > 0 && <List key={kind} {...texts} items={own} now={query.dataUpdatedAt} />;
      })}
      <FareLists fares={fares} now={query.dataUpdatedAt} />
      <PayoutLists payouts={payouts} />
      {hasMore && <p>{t('There are more. They appear when some of these are done.')}</p>}
    </Stack>
  );
}

function NothingOfThis() {
  return (
    <EmptyState
      icon="check"
      title={t('Nothing of this to do')}
      action={
        <ButtonLink variant="secondary" to={staffPages.work}>
          {t('Show everything to do')}
        </ButtonLink>
      }
    />
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
