import { declineTexts, presentDecline } from '#contract/payments/declines.ts';
import { t } from '#web/language/texts.ts';
import type {
  Provider,
  ProviderError,
  ProviderFields,
  WalletPayment,
} from '#web/platform/card-provider/types.ts';
import { type Confirmation, LIKELY_PAID, type ProviderForm, UNKNOWN } from './payment-machine.ts';
import { fetchIntentStatus } from './provider.ts';

export type FormIntent =
  | {
      mode: 'payment';
      clientSecret: string;
      /** The address to which the bank's page returns. */
      returnUrl: string;
    }
  /** Saves a card. Its intent is created when the form is sent. */
  | { mode: 'setup'; returnUrl: string };

export type FormOptions = { saveCard?: boolean; wallet?: WalletPayment | null };

/** The provider's form for one press of a button. */
export function createProviderForm(
  stripe: Provider,
  elements: ProviderFields,
  intent: FormIntent,
  { saveCard = false, wallet = null }: FormOptions = {},
): ProviderForm {
  const shared = {
    submit: async () => {
      const { error } = await elements.submit();
      return error ? refusalText(error) : null;
    },
    fail: () => wallet?.paymentFailed(),
  };
  const options = {
    elements,
    redirect: 'if_required' as const,
    confirmParams: {
      return_url: intent.returnUrl,
      // Stored with the card, because other people may also pay for the order.
      ...(saveCard ? { payment_method_data: { allow_redisplay: 'always' as const } } : {}),
    },
  };
  if (intent.mode === 'setup') {
    let clientSecret = '';
    return {
      ...shared,
      adopt: async (prepared) => {
        clientSecret = prepared;
        return true;
      },
      confirm: () => createConfirmation(stripe.confirmSetup({ ...options, clientSecret })),
      fetchStatus: async () => 'unknown',
    };
  }
  const { clientSecret } = intent;
  return {
    ...shared,
    adopt: async (prepared) => {
      if (prepared !== clientSecret) return false;
      await elements.fetchUpdates();
      return true;
    },
    confirm: () => createConfirmation(stripe.confirmPayment(options)),
    fetchStatus: () => fetchIntentStatus(stripe, clientSecret),
  };
}

async function createConfirmation(
  confirmed: Promise<{ error?: ProviderError | undefined; paymentIntent?: { status: string } | undefined }>,
): Promise<Confirmation> {
  const { error, paymentIntent } = await confirmed;
  if (!error) return isLikelyPaid(paymentIntent?.status) ? LIKELY_PAID : UNKNOWN;
  if (isRefusal(error)) return { kind: 'refused', text: refusalText(error) };
  // The provider no longer accepts the intent.
  return error.type === 'invalid_request_error' ? { kind: 'dead' } : UNKNOWN;
}

function isLikelyPaid(status = ''): boolean {
  return ['succeeded', 'processing'].includes(status);
}

/** Whether the bank or the form refused the card. Nothing was charged. */
export function isRefusal({ type, code }: ProviderError): boolean {
  return type === 'card_error' || type === 'validation_error' || isAuthenticationFailure(code);
}

/** Why the card was refused and what to try next. The form's own checks have the provider's texts. */
export function refusalText({ type, code, decline_code, message }: ProviderError): string {
  if (type === 'validation_error') return message ?? t(declineTexts.payment_failed);
  return presentDecline(t, decline_code ?? code ?? '').message;
}

function isAuthenticationFailure(code: string | undefined): boolean {
  return code?.endsWith('_intent_authentication_failure') ?? false;
}
