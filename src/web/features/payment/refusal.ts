import { declineErrors, presentDecline } from '#contract/payments/declines.ts';

type ProviderError = { type: string; code?: string; decline_code?: string; message?: string };

/** Whether the bank or the form refused the card: nothing was charged, and another can be tried. */
export function isRefusal({ type, code }: ProviderError): boolean {
  return type === 'card_error' || type === 'validation_error' || isAuthenticationFailure(code);
}

/** Why the card was refused and what to try next. The form's own checks have the provider's texts. */
export function refusalText({ type, code, decline_code, message }: ProviderError): string {
  if (type === 'validation_error') return message ?? declineErrors.payment_failed.message;
  return presentDecline(decline_code ?? code ?? '').message;
}

function isAuthenticationFailure(code: string | undefined): boolean {
  return code?.endsWith('_intent_authentication_failure') ?? false;
}
