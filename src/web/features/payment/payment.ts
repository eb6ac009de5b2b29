import { errorText } from '#web/platform/api/api-error.ts';
import { createStore, type ReadableStore, useStore } from '#web/platform/create-store.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import {
  isPaying,
  type PaymentAnswer,
  type PaymentEffect,
  type PaymentEvent,
  type PaymentState,
  paymentStep,
  READY,
  UNKNOWN,
} from './payment-machine.ts';
import type { ProviderStatus } from './provider.ts';

/** The order, top-up or card setup that the machine runs for. */
export type PaymentSubject<Input, Result> = {
  /** The message for a payment that expired or was canceled elsewhere. */
  expired: string;
  /** Prepares the payment on the server. @returns the intent's secret; null if nothing has changed */
  prepare: (input: Input) => Promise<string | null>;
  /** Pays without the provider's form. */
  charge?: (input: Input) => Promise<PaymentAnswer<Result>>;
  openBank?: (clientSecret: string) => Promise<PaymentAnswer<Result>>;
  /** Asks the server for the outcome of the payment that was sent. */
  check: (sent: SentPayment, signal: AbortSignal) => Promise<PaymentAnswer<Result>>;
  /** Milliseconds until the next check. */
  checkAfter: (checks: number) => number;
  markSent: (input: Input) => void;
  markUnsent: () => void;
  end: () => void;
  refresh?: () => void;
  finish?: (result: Result) => void;
};

export type SentPayment = {
  /** The provider said that it was paid; the server's confirmation is missing. */
  isLikelyPaid: boolean;
  /** Asks the provider; null after a reload. */
  fetchStatus: (() => Promise<ProviderStatus>) | null;
};

export type Payment<Input, Result> = {
  store: ReadableStore<PaymentState<Input, Result>>;
  dispatch: (event: PaymentEvent<Input, Result>) => void;
  subject: PaymentSubject<Input, Result>;
};

/** Runs the machine for a subject. Presses during a running payment are ignored. */
export function createPayment<Input, Result>(
  subject: PaymentSubject<Input, Result>,
  begin: PaymentState<Input, Result> = READY,
): Payment<Input, Result> {
  const store = createStore(begin);

  function dispatch(event: PaymentEvent<Input, Result>): void {
    const [next, ...effects] = paymentStep(store.get(), event, subject.expired);
    store.set(next);
    for (const effect of effects) run(effect);
  }

  async function answer(asked: Promise<PaymentAnswer<Result>> = Promise.resolve(UNKNOWN)): Promise<void> {
    dispatch({ type: 'answered', answer: await asked.catch(() => UNKNOWN) });
  }

  function run(effect: PaymentEffect<Input, Result>): unknown {
    switch (effect.do) {
      case 'submit':
        return effect.form
          .submit()
          .catch(errorText)
          .then((problem) => dispatch({ type: 'submitted', problem }));
      case 'prepare':
        return prepare(effect).then(
          (isSame) => dispatch({ type: 'prepared', isSame }),
          (error) => dispatch({ type: 'not-prepared', problem: errorText(error) }),
        );
      case 'mark-sent':
        return subject.markSent(effect.input);
      case 'confirm':
        return answer(effect.form.confirm());
      case 'charge':
        return answer(subject.charge?.(effect.input));
      case 'open-bank':
        return answer(subject.openBank?.(effect.clientSecret));
      case 'fetch-status':
        return effect.form.fetchStatus().then((status) => dispatch({ type: 'status', status }));
      case 'fail-form':
        return effect.form.fail();
      case 'mark-unsent':
        return subject.markUnsent();
      case 'end':
        return subject.end();
      case 'refresh':
        return subject.refresh?.();
      case 'finish':
        return subject.finish?.(effect.result);
    }
  }

  async function prepare({ form, input }: Extract<PaymentEffect<Input, Result>, { do: 'prepare' }>) {
    const clientSecret = await subject.prepare(input);
    return clientSecret === null || form.adopt(clientSecret);
  }

  return { store, dispatch, subject };
}

/** The payment's state. The page must not be reloaded while a payment is running. */
export function usePaymentState<Input, Result>({ store }: Pick<Payment<Input, Result>, 'store'>) {
  const state = useStore(store);
  const isBusy = isPaying(state);
  useBusyWhile(isBusy, 'payment on its way', 'hard');
  return { ...state, isPaying: isBusy, problem: state.name === 'ready' ? state.problem : null };
}
