import type { Quote as WireQuote } from '#contract/checkout/schemas.ts';
import { ApiError, errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { camelCased } from '#web/platform/api/case-conversion.ts';
import type { Quote } from '#web/platform/api/types.ts';

/** Why the places could not be taken, and what the customer can do instead. */
export type Refusal =
  | { kind: 'price_changed'; quote: Quote | null }
  /** `alternatives`: ids of later sailings of the same route with room for the party. */
  | { kind: 'sold_out'; text: string; alternatives: string[] }
  | { kind: 'sailing_gone'; text: string }
  | { kind: 'other'; text: string };

export function readRefusal(error: unknown): Refusal {
  if (hasErrorCode(error, 'price_changed') || hasErrorCode(error, 'quote_expired')) {
    return { kind: 'price_changed', quote: findQuote(error) };
  }
  const text = errorText(error);
  if (hasErrorCode(error, 'sold_out'))
    return { kind: 'sold_out', text, alternatives: findAlternatives(error) };
  if (hasErrorCode(error, 'sales_closed') || hasErrorCode(error, 'sailing_cancelled')) {
    return { kind: 'sailing_gone', text };
  }
  return { kind: 'other', text };
}

function findQuote(error: unknown): Quote | null {
  const quote = detailsOf(error).quote;
  return isRecord(quote) && typeof quote.id === 'string' ? camelCased(quote as WireQuote) : null;
}

function findAlternatives(error: unknown): string[] {
  const { alternatives } = detailsOf(error);
  if (!Array.isArray(alternatives)) return [];
  return alternatives
    .map((each: unknown) => (isRecord(each) ? each.sailing_id : null))
    .filter((id) => typeof id === 'string');
}

function detailsOf(error: unknown): Record<string, unknown> {
  return (error instanceof ApiError ? error.errors[0]?.details : null) ?? {};
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
