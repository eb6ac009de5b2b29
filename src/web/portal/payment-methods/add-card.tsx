import { useEffect, useRef } from 'react';
import { addPaymentCard, startCardSetup } from '#contract/payment-cards/endpoints.ts';
import { message } from '#messages/translate.ts';
import { CardProvider } from '#web/features/payment/card-provider.tsx';
import { createPayment, usePaymentState } from '#web/features/payment/payment.ts';
import { PaymentCheck } from '#web/features/payment/payment-check.tsx';
import { READY, SENT, UNKNOWN } from '#web/features/payment/payment-machine.ts';
import { ProblemBox } from '#web/features/payment/problem-box.tsx';
import { t } from '#web/language/texts.ts';
import { ApiError, errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { PaymentCard } from '#web/platform/api/types.ts';
import { readStoredJson, removeStored, writeStored } from '#web/platform/browser-storage.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { AddCardForm, type CardSetup, type CardSetupInput } from './add-card-form.tsx';

type AddCardProps = { setup: CardSetup; hasPrimary: boolean; onCancel: () => void };

/** Not in a dialog, because the bank's page opens above it. */
export function AddCard({ setup, hasPrimary, onCancel }: AddCardProps) {
  const state = usePaymentState(setup);
  const heading = useRef<HTMLHeadingElement>(null);
  useBusyWhile(true, 'a card being added');
  useEffect(() => heading.current?.focus(), []);
  return (
    <Card
      title={
        <span ref={heading} tabIndex={-1}>
          {t('Add a card')}
        </span>
      }
    >
      {state.name === 'unknown' ? (
        <PaymentCheck payment={setup} texts={CHECK_TEXTS} />
      ) : (
        <Stack>
          <ProblemBox title={t('Not added yet')} text={state.problem} />
          <CardProvider>
            {(stripe) => (
              <AddCardForm stripe={stripe} setup={setup} hasPrimary={hasPrimary} onCancel={onCancel} />
            )}
          </CardProvider>
        </Stack>
      )}
    </Card>
  );
}

const CHECK_TEXTS = {
  waiting: message('Checking whether your card was added…'),
  title: message('We’re still checking whether your card was added'),
  intro: message('Our card provider has not answered yet. We’ll keep checking. Nothing has been charged.'),
};

/** A card sent to the provider, with an unknown outcome. Contains no secret. */
type PendingSetup = CardSetupInput & { setupIntentId: string };

const KEY = 'card-setup';
const ID = /^seti_[A-Za-z0-9_]{1,200}$/;
const CHECK_EVERY_MS = 2000;

/**
 * Saving a card without paying. What must survive a reload is in the tab's storage.
 * @param query of the page's address; the bank's page adds the setup to it
 */
export function createCardSetup(query: URLSearchParams, onAdded: (card: PaymentCard) => void): CardSetup {
  let pending = findPendingSetup(query);
  /** A declined card leaves its setup open for the next one. */
  let setupIntent: { setupIntentId: string; clientSecret: string } | null = null;

  function forget(): void {
    pending = null;
    removeStored(KEY, 'sessionStorage');
  }

  const payment = createPayment<CardSetupInput, PaymentCard>(
    {
      expired: '',
      prepare: async () => {
        setupIntent ??= await request(startCardSetup, { body: {} });
        return setupIntent.clientSecret;
      },
      check: async (_, signal) => {
        if (pending === null) return UNKNOWN;
        // A checked setup cannot be used again.
        setupIntent = null;
        try {
          return { kind: 'paid', result: await request(addPaymentCard, { body: pending, signal }) };
        } catch (error) {
          if (isRefused(error)) return { kind: 'over', text: errorText(error) };
          throw error;
        }
      },
      checkAfter: () => CHECK_EVERY_MS,
      markSent: ({ primary }) => {
        if (setupIntent === null) return;
        pending = { setupIntentId: setupIntent.setupIntentId, primary };
        writeStored(KEY, JSON.stringify(pending), 'sessionStorage');
      },
      markUnsent: forget,
      end: forget,
      finish: (card) => {
        forget();
        // The form is ready for the next card.
        payment.dispatch({ type: 'start-over' });
        onAdded(card);
      },
    },
    pending === null ? READY : SENT,
  );
  return payment;
}

/** A repeated request may succeed after any other error. */
function isRefused(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (hasErrorCode(error, 'setup_unfinished') ||
      hasErrorCode(error, 'setup_refused') ||
      hasErrorCode(error, 'invalid_input'))
  );
}

/** The card this tab was adding, or the one a bank's page returns from. */
function findPendingSetup(query: URLSearchParams): PendingSetup | null {
  const stored = readStoredJson(KEY, 'sessionStorage');
  if (typeof stored === 'object' && stored !== null && 'setupIntentId' in stored) {
    const { setupIntentId } = stored;
    const primary = 'primary' in stored && stored.primary === true;
    if (typeof setupIntentId === 'string' && ID.test(setupIntentId)) return { setupIntentId, primary };
  }
  const returned = query.get('setup_intent') ?? '';
  return ID.test(returned) ? { setupIntentId: returned, primary: false } : null;
}
