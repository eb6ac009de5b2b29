import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { listPasses } from '#contract/passes/endpoints.ts';
import { fillPath, staffPages } from '#contract/paths.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { formatWhenCapitalized } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { CardSaleSummary } from '#web/platform/api/types.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Table } from '#web/ui/data/table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { SearchForm } from '../search-form.tsx';
import { Permitted } from '../session/permitted.tsx';
import { usePermission } from '../session/staff-session.ts';
import { cardSalesQuery, nameSale } from './card-sale-query.ts';
import { describePayment } from './card-sale-texts.ts';
import { SaleForm } from './sale-form.tsx';

/** Sells a pass or value on several trip cards at once, as a school or a company orders them. */
export function CardSalesScreen() {
  return (
    <Permitted permission="see_orders">
      <PageHeader
        title={t('Trip cards')}
        intro={t('Passes or money on many cards at once, for a school or a company.')}
      />
      <CardSales />
    </Permitted>
  );
}

function CardSales() {
  const maySell = usePermission('sell_tickets');
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const search = params.get('q') ?? '';
  const query = useQuery(cardSalesQuery(search));
  const passes = useQuery({
    queryKey: ['passes-on-sale'] as const,
    queryFn: ({ signal }) => request(listPasses, { signal }),
  });
  if (query.data === undefined || passes.data === undefined) {
    const failed = query.data === undefined ? query : passes;
    return (
      <QueryFallback query={failed} problem={t('We could not load the sales')} loading={t('Loading…')}>
        <Skeleton height="24rem" />
      </QueryFallback>
    );
  }
  const { sales, currency } = query.data;
  return (
    <Stack>
      {maySell && search === '' && <SaleForm passes={passes.data} currency={currency} />}
      <SearchForm
        key={search}
        search={search}
        label={t('Find a sale')}
        hint={t('By the name of the school or company, the invoice, or the number of a card.')}
        onSearch={(q) =>
          void navigate(
            q === '' ? staffPages.cardSales : `${staffPages.cardSales}?${new URLSearchParams({ q })}`,
          )
        }
      />
      {sales.length > 0 && <LastSales sales={sales} now={query.dataUpdatedAt} />}
      {sales.length === 0 && (
        <EmptyState
          icon="trip-card"
          title={search === '' ? t('Nothing is sold yet') : t('No sale matches “{search}”', { search })}
        />
      )}
    </Stack>
  );
}

function LastSales({ sales, now }: { sales: readonly CardSaleSummary[]; now: number }) {
  return (
    <Card title={t('Last sales')}>
      <Table
        caption={t('Last sales')}
        isCaptionHidden
        rows={sales}
        getKey={({ id }) => id}
        columns={[
          {
            id: 'sale',
            header: t('Sale'),
            cell: (sale) => <Link to={fillPath(staffPages.cardSale, { id: sale.id })}>{nameSale(sale)}</Link>,
          },
          { id: 'recipient', header: t('For|whom'), cell: ({ recipient }) => recipient ?? '–' },
          { id: 'at', header: t('Sold'), cell: ({ soldAt }) => formatWhenCapitalized(soldAt, now) },
          { id: 'payment', header: t('Payment'), cell: describePayment },
          {
            id: 'total',
            header: t('Total'),
            isFigure: true,
            cell: ({ total, currency }) => formatMoney(total, currency),
          },
        ]}
      />
    </Card>
  );
}
