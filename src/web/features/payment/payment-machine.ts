import type { ProviderStatus } from './provider.ts';

/**
 * How a payment, or the saving of a card, gets from the press of the button to its known outcome: a machine without
 * requests, storage or provider. From `mark-sent` on money may be on its way: until the outcome is known the machine
 * never returns to `ready`, where the customer could pay again.
 */
export type PaymentState<Input, Result> =
  /** Nothing is on its way. `problem`: why the last attempt failed. */
  | { name: 'ready'; problem: string | null }
  /** The provider's form checks what was entered. */
  | { name: 'submitting'; input: Input; form: ProviderForm }
  /** The server prepares the payment. */
  | { name: 'preparing'; input: Input; form: ProviderForm }
  /** The provider, or without a form the server, is charging the card. */
  | { name: 'confirming'; form: ProviderForm | null }
  /** The provider no longer accepts this payment: it ended elsewhere, paid or not. */
  | { name: 'dead'; form: ProviderForm }
  /** The bank wants to authenticate its customer. `isOpen`: this page has opened the bank's, and awaits its answer. */
  | { name: 'bank'; clientSecret: string; isOpen: boolean }
  /** Sent; the outcome is asked for until it is known. `form`: null after a reload. */
  | { name: 'unknown'; form: ProviderForm | null; isLikelyPaid: boolean }
  | { name: 'paid'; result: Result };

/** One press of a button of the provider's form, or of one of its wallets. */
export type ProviderForm = {
  /** @returns the problem to show; null if there is none */
  submit: () => Promise<string | null>;
  /** Adopts the prepared payment. @returns false if it is not the form's payment */
  adopt: (clientSecret: string) => Promise<boolean>;
  confirm: () => Promise<Confirmation>;
  fetchStatus: () => Promise<ProviderStatus>;
  /** Reports to the wallet, if it is one, that the payment failed. */
  fail: () => void;
};

/** The result of confirming, according to the provider's form. */
export type Confirmation =
  /** Nothing was charged. */
  | { kind: 'refused'; text: string }
  | { kind: 'dead' }
  /** `isLikelyPaid`: the provider said that it was paid; the server's confirmation is missing. */
  | { kind: 'unknown'; isLikelyPaid: boolean };

/** Without an answer the outcome is unknown, and is asked for. */
export const UNKNOWN = { kind: 'unknown', isLikelyPaid: false } as const;
export const LIKELY_PAID = { kind: 'unknown', isLikelyPaid: true } as const;

export type PaymentAnswer<Result> =
  | Confirmation
  /** Nothing was charged. The next attempt is a new payment. */
  | { kind: 'over'; text: string }
  | { kind: 'bank'; clientSecret: string }
  | { kind: 'paid'; result: Result };

export type PaymentEvent<Input, Result> =
  | { type: 'pay-by-form'; input: Input; form: ProviderForm }
  /** Pays with what the server can charge: a saved card, a trip card. */
  | { type: 'charge'; input: Input }
  | { type: 'submitted'; problem: string | null }
  /** `isSame`: the server still has the form's payment, not another one. */
  | { type: 'prepared'; isSame: boolean }
  | { type: 'not-prepared'; problem: string }
  | { type: 'answered'; answer: PaymentAnswer<Result> }
  | { type: 'status'; status: ProviderStatus }
  /** It was sent from another tab, or before a reload. */
  | { type: 'sent-elsewhere' }
  | { type: 'open-bank' }
  | { type: 'give-up' }
  /** Another payment after one that was paid. */
  | { type: 'start-over' }
  /** Clears the last problem (null), or shows one of the form. */
  | { type: 'problem'; problem: string | null };

export type PaymentEffect<Input, Result> =
  | { do: 'submit'; form: ProviderForm }
  | { do: 'prepare'; form: ProviderForm; input: Input }
  /** Remembers over a reload that money may be on its way. */
  | { do: 'mark-sent'; input: Input }
  | { do: 'confirm'; form: ProviderForm }
  | { do: 'charge'; input: Input }
  | { do: 'open-bank'; clientSecret: string }
  | { do: 'fetch-status'; form: ProviderForm }
  | { do: 'fail-form'; form: ProviderForm }
  /** The payment was not made; it can be tried again. */
  | { do: 'mark-unsent' }
  /** Drops the payment. The next attempt is a new one. */
  | { do: 'end' }
  /** Reloads what the server knows. */
  | { do: 'refresh' }
  | { do: 'finish'; result: Result };

export type PaymentStep<Input, Result> = readonly [
  PaymentState<Input, Result>,
  ...PaymentEffect<Input, Result>[],
];

export const READY = { name: 'ready', problem: null } as const;
/** Sent before this page was loaded. */
export const SENT = { name: 'unknown', form: null, isLikelyPaid: false } as const;

/** `expired`: the message for a payment that ended elsewhere, unpaid. */
export function paymentStep<Input, Result>(
  state: PaymentState<Input, Result>,
  event: PaymentEvent<Input, Result>,
  expired: string,
): PaymentStep<Input, Result> {
  switch (event.type) {
    case 'pay-by-form': {
      const { form, input } = event;
      if (state.name !== 'ready') return [state, { do: 'fail-form', form }];
      return to({ name: 'submitting', input, form }, { do: 'submit', form });
    }
    case 'charge': {
      if (state.name !== 'ready') return [state];
      const { input } = event;
      return to({ name: 'confirming', form: null }, { do: 'mark-sent', input }, { do: 'charge', input });
    }
    case 'submitted': {
      if (state.name !== 'submitting') return [state];
      const { form, input } = state;
      if (event.problem !== null) return returnToReady(form, event.problem);
      return to({ name: 'preparing', form, input }, { do: 'prepare', form, input });
    }
    case 'prepared': {
      if (state.name !== 'preparing') return [state];
      const { form, input } = state;
      if (!event.isSame) return returnToReady(form, expired, { do: 'end' });
      return to({ name: 'confirming', form }, { do: 'mark-sent', input }, { do: 'confirm', form });
    }
    case 'not-prepared':
      return state.name === 'preparing' ? returnToReady(state.form, event.problem) : [state];
    case 'answered':
      return onAnswer(state, event.answer);
    case 'status':
      if (state.name !== 'dead') return [state];
      if (event.status === 'failed') return returnToReady(state.form, expired, { do: 'end' });
      return [{ name: 'unknown', form: state.form, isLikelyPaid: event.status === 'paid' }];
    case 'sent-elsewhere':
      return state.name === 'ready' ? [SENT] : [state];
    case 'open-bank':
      return state.name === 'bank' && !state.isOpen ? openBank(state.clientSecret) : [state];
    case 'give-up':
      return state.name === 'ready' || state.name === 'bank' ? [READY, { do: 'end' }] : [state];
    case 'start-over':
      return state.name === 'paid' ? [READY] : [state];
    case 'problem':
      return state.name === 'ready' ? [{ name: 'ready', problem: event.problem }] : [state];
  }
}

/** Whether a payment is running. */
export function isPaying({ name }: { name: PaymentState<never, never>['name'] }): boolean {
  return name !== 'ready' && name !== 'unknown' && name !== 'paid';
}

/** Whether only the server knows the outcome, which is asked for. The bank's page may be open elsewhere. */
export function isOutcomePending(state: PaymentState<unknown, unknown>): boolean {
  return state.name === 'unknown' || (state.name === 'bank' && !state.isOpen);
}

function onAnswer<Input, Result>(
  state: PaymentState<Input, Result>,
  answer: PaymentAnswer<Result>,
): PaymentStep<Input, Result> {
  if (state.name !== 'confirming' && state.name !== 'bank' && state.name !== 'unknown') return [state];
  const form = state.name === 'confirming' ? state.form : null;
  switch (answer.kind) {
    case 'paid':
      return to({ name: 'paid', result: answer.result }, { do: 'finish', result: answer.result });
    case 'over':
      return returnToReady(form, answer.text, { do: 'end' });
    case 'refused':
      return isOutcomePending(state)
        ? returnToReady(form, answer.text, { do: 'mark-unsent' }, { do: 'refresh' })
        : returnToReady(form, answer.text, { do: 'mark-unsent' });
    case 'dead':
      return form === null ? [SENT] : to({ name: 'dead', form }, { do: 'fetch-status', form });
    case 'bank':
      // Only a press opens the bank's page: after a reload the customer may not be looking.
      if (state.name === 'confirming') return openBank(answer.clientSecret);
      if (state.name === 'bank') return [state];
      return [{ name: 'bank', clientSecret: answer.clientSecret, isOpen: false }];
    case 'unknown':
      if (isOutcomePending(state)) return [state];
      return [{ name: 'unknown', form, isLikelyPaid: answer.isLikelyPaid }];
  }
}

function openBank<Input, Result>(clientSecret: string): PaymentStep<Input, Result> {
  return to({ name: 'bank', clientSecret, isOpen: true }, { do: 'open-bank', clientSecret });
}

function returnToReady<Input, Result>(
  form: ProviderForm | null,
  problem: string,
  ...effects: PaymentEffect<Input, Result>[]
): PaymentStep<Input, Result> {
  const ready = { name: 'ready', problem } as const;
  return form === null ? to(ready, ...effects) : to(ready, { do: 'fail-form', form }, ...effects);
}

function to<Input, Result>(...step: PaymentStep<Input, Result>): PaymentStep<Input, Result> {
  return step;
}
