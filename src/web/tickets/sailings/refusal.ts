import type { Quote as WireQuote } from '#contract/orders/buy/schemas.ts';
import { ApiError, errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { camelCased } from '#web/platform/api/case-conversion.ts';
import type { Quote } from '#web/platform/api/types.ts';

/** Why the places could not be held. */
export type Refusal =
  | { kind: 'price_changed'; quote: Quote | null }
  /** `alternatives`: ids of later sailings on the same route with room for the party. */
  | { kind: 'sold_out'; text: string; alternatives: string[] }
  | { kind: 'sailing_gone'; text: string }
  | { kind: 'other'; text: string };

type Details = { quote?: WireQuote; alternatives?: { sailing_id: string }[] };

export function readRefusal(error: unknown): Refusal {
  const text = errorText(error);
  const details: Details = (error instanceof ApiError && error.errors[0]?.details) || {};
  if (hasErrorCode(error, 'price_changed') || hasErrorCode(error, 'quote_expired')) {
    return { kind: 'price_changed', quote: details.quote ? camelCased(details.quote) : null };
  }
  if (hasErrorCode(error, 'sold_out')) {
    const alternatives = details.alternatives ?? [];
    return { kind: 'sold_out', text, alternatives: alternatives.map(({ sailing_id }) => sailing_id) };
  }
  return { kind: GONE.some((code) => hasErrorCode(error, code)) ? 'sailing_gone' : 'other', text };
}

const GONE = ['sales_closed', 'sailing_canceled', 'connection_missed'] as const;
