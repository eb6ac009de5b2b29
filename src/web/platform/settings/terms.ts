import type { WebSettings } from '#contract/settings/schemas.ts';

/** True if the current terms are accepted, or the operator has none. */
export function hasAcceptedTerms(terms: WebSettings['terms'], acceptedVersion: string | null): boolean {
  return terms.text.length === 0 || acceptedVersion === terms.version;
}

/** True if paying accepts the terms, so that there is no checkbox. */
export function acceptsTermsByPaying({ text, acceptance }: WebSettings['terms']): boolean {
  return text.length > 0 && acceptance === 'pay_button';
}
