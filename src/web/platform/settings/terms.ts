import type { WebSettings } from '#contract/settings/schemas.ts';

/** Whether the current terms are accepted. Where the operator has no terms there is nothing to accept. */
export function hasAcceptedTerms(terms: WebSettings['terms'], acceptedVersion: string | null): boolean {
  return terms.text.length === 0 || acceptedVersion === terms.version;
}

/** Whether the button that pays accepts the terms, so that no checkbox asks for it. */
export function acceptsTermsByPaying({ text, acceptance }: WebSettings['terms']): boolean {
  return text.length > 0 && acceptance === 'pay_button';
}
