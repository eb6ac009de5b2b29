import { queryOptions, useQuery } from '@tanstack/react-query';
import { listPromoCodes } from '#contract/desk/timetable/endpoints.ts';
import { getNumberFormat } from '#messages/intl.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { PromoCodeUses } from '#web/platform/api/types.ts';
import { formatDay } from '#web/ui/calendar/calendar.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import type { Column } from '#web/ui/data/table.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { SortedTable } from '../lists/sorted-table.tsx';

type PromoCode = PromoCodeUses['promoCodes'][number];

export const promoCodesQuery = queryOptions({
  queryKey: ['staff-promo-codes'] as const,
  queryFn: ({ signal }) => request(listPromoCodes, { signal }),
});

/** What each promo code is worth, and what it brought. */
export function PromoCodes() {
  const query = useQuery(promoCodesQuery);
  if (query.data === undefined) {
    return (
      <QueryFallback query={query} problem={t('We could not load the promo codes')} loading={t('Loading…')}>
        <Skeleton height="10rem" />
      </QueryFallback>
    );
  }
  const { currency, promoCodes } = query.data;
  const columns: Column<PromoCode>[] = [
    { id: 'code', header: t('Code'), sortBy: ({ code }) => code, cell: ({ code }) => code },
    { id: 'value', header: t('Worth'), cell: (promo) => formatWorth(promo, currency) },
    { id: 'valid', header: t('Valid'), cell: describeValidity },
    {
      id: 'orders',
      header: t('Orders'),
      sortBy: ({ orders }) => orders,
      cell: ({ orders, maxRedemptions }) =>
        maxRedemptions === null ? orders : t('{count} of {limit}', { count: orders, limit: maxRedemptions }),
      isFigure: true,
    },
    {
      id: 'discount',
      header: t('Discounts'),
      sortBy: ({ discount }) => discount,
      cell: ({ discount }) => formatMoney(discount, currency),
      isFigure: true,
    },
    {
      id: 'revenue',
      header: t('Revenue'),
      sortBy: ({ revenue }) => revenue,
      cell: ({ revenue }) => formatMoney(revenue, currency),
      isFigure: true,
    },
  ];
  return (
    <SortedTable
      caption={t('What promo codes brought')}
      columns={columns}
      rows={promoCodes}
      getKey={({ code }) => code}
    />
  );
}

function formatWorth({ kind, value }: PromoCode, currency: string): string {
  if (kind === 'amount') return formatMoney(value, currency);
  return getNumberFormat(textLanguage(), { style: 'percent', maximumFractionDigits: 2 }).format(
    value / 10_000,
  );
}

function describeValidity({ isActive, startsOn, endsOn }: PromoCode): string {
  if (!isActive) return t('Ended|a promo code');
  const [from, until] = [startsOn, endsOn].map((day) => (day === null ? null : formatDay(day, 'date')));
  if (from && until) return t('{from} until {until}', { from, until });
  if (from) return t('From {day}', { day: from });
  return until ? t('Until {day}', { day: until }) : t('Always|valid');
}
