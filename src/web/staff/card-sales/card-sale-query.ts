import { queryOptions } from '@tanstack/react-query';
import { getCardSale, listCardSales } from '#contract/desk/card-sales/endpoints.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { CardSaleSummary } from '#web/platform/api/types.ts';

/** The key of every list of sales. */
export const CARD_SALES_KEY = ['staff-card-sales'] as const;

export function cardSalesQuery(q: string) {
  return queryOptions({
    queryKey: [...CARD_SALES_KEY, q] as const,
    queryFn: ({ signal }) => request(listCardSales, { query: q === '' ? {} : { q }, signal }),
  });
}

export function cardSaleQuery(id: string) {
  return queryOptions({
    queryKey: ['staff-card-sale', id] as const,
    queryFn: ({ signal }) => request(getCardSale, { params: { id }, signal }),
  });
}

/** "24 trip cards: 10 trips" */
export function nameSale({ cards: count, passName }: Pick<CardSaleSummary, 'cards' | 'passName'>): string {
  const what = passName ?? t('Money|on trip cards');
  return t('{count, plural, one {# trip card} other {# trip cards}}: {what}', { count, what });
}
