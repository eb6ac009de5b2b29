import type { QueryKey } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { portalPages } from '#contract/paths.ts';
import { EmailAddress } from '#web/features/site/email-address.tsx';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import type { CancellationQuote, Order } from '#web/platform/api/types.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { Notice, Problem } from '#web/ui/feedback/notice.tsx';
import { Button, ButtonLink, type ButtonProps } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import { BuyerCodeForm, useBuyerCodeForm, useMailedCode } from '../buyer-code.tsx';
import { ChooseTickets } from './choose-tickets.tsx';
import { RefundDestination } from './refund-destination.tsx';
import { CancellationResult, RefundSummary } from './refund-summary.tsx';
import { type JourneyChoices, listJourneyChoices } from './ticket-choices.ts';
import { explainUnknown, type Step, useCancellation } from './use-cancellation.ts';

export type CancelTicketsProps = {
  order: Order;
  /** The query with which the screen loads the order. */
  queryKey: QueryKey;
};

type CancelDialogProps = CancelTicketsProps & {
  /** Ids of the tickets that are chosen at first. */
  preselected?: readonly string[];
  onClose: () => void;
};

/** Cancels tickets in steps: which ones, the refund, for guests a mailed code, and the result. */
export function CancelDialog(props: CancelDialogProps) {
  return props.order.needsProof === 'sign_in' ? <SignInFirst {...props} /> : <Steps {...props} />;
}

/** For a reader who has the link of an order that belongs to an account. */
function SignInFirst({ order, onClose }: CancelDialogProps) {
  const page = `${pageConfig().origins.portal}${portalPages.orders}?order=${order.reference}`;
  return (
    <Modal
      title={t('Cancel tickets')}
      onClose={onClose}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {t('Close')}
          </Button>
          <ButtonLink to={page}>{t('Open in My Orders')}</ButtonLink>
        </>
      }
    >
      <p>{t('This order belongs to an account. Sign in to that account to cancel tickets.')}</p>
    </Modal>
  );
}

function Steps({ order, queryKey, preselected, onClose }: CancelDialogProps) {
  const formId = useId();
  const journeys = listJourneyChoices(order, serverNow());
  const cancellation = useCancellation({
    order,
    queryKey,
    initial: () => preselected ?? findOnlyChoice(journeys),
  });
  const { step, setStep, chosen, setChosen, findCard, quote, cancel } = cancellation;
  const code = useMailedCode(order.id, () =>
    setStep((now) => ('quote' in now ? { name: 'code', quote: now.quote } : now)),
  );
  const form = useBuyerCodeForm({
    mailed: code.mailed,
    send: async (proof) => ('quote' in step ? cancellation.sendWithProof(step.quote, proof) : step),
    onDone: setStep,
    explain: explainUnknown,
  });
  useBusyWhile(step.name !== 'done', 'a cancellation');
  const isPending = quote.isPending || cancel.isPending || form.isPending || code.mail.isPending;

  function getView(): View {
    switch (step.name) {
      case 'choose':
        return {
          title: t('Cancel tickets'),
          content: (
            <>
              <Problem text={quote.problem} />
              <Warning sentences={step.notices} />
              <p>
                {t('Which tickets do you want to cancel? You see your refund before anything is canceled.')}
              </p>
              <ChooseTickets journeys={journeys} chosen={chosen} onChange={setChosen} />
            </>
          ),
          back: { text: t('Keep tickets'), go: onClose },
          main: { children: t('See your refund'), onClick: showRefund },
        };
      case 'review':
        return {
          title: t('Your refund'),
          content: (
            <>
              <Problem text={cancel.problem ?? code.mail.problem} />
              <Warning sentences={step.changes} />
              <RefundDestination
                quote={step.quote}
                reference={order.reference}
                card={findCard(step.quote)}
                onChange={cancellation.chooseCard}
              />
              <RefundSummary quote={step.quote} order={order} card={findCard(step.quote)} />
              {step.quote.needsCode && order.contact.email && (
                <p>
                  {rich(
                    'Only the buyer can cancel tickets, so we email a code to <address>{email}</address>.',
                    {
                      address: () => <EmailAddress>{order.contact.email}</EmailAddress>,
                      email: order.contact.email,
                    },
                  )}
                </p>
              )}
            </>
          ),
          back: { text: t('Back'), go: () => setStep({ name: 'choose', notices: [] }) },
          main: step.quote.needsCode
            ? { children: t('Email me a code'), onClick: () => goToCode(step.quote) }
            : { ...cancelButton(step.quote), onClick: () => cancel.run(step.quote) },
        };
      case 'code':
        return {
          title: t('Enter the code'),
          content: <BuyerCodeForm {...code} id={formId} form={form} />,
          back: { text: t('Back'), go: () => setStep({ name: 'review', quote: step.quote, changes: [] }) },
          main: { ...cancelButton(step.quote), type: 'submit', form: formId },
        };
      case 'done':
        return {
          title: nameResult(step.quote),
          content: (
            <CancellationResult quote={step.quote} card={findCard(step.quote)} email={order.contact.email} />
          ),
          back: null,
          main: { children: t('Done'), needsConnection: false, onClick: onClose },
        };
    }
  }

  function showRefund() {
    if (chosen.length > 0) quote.run(null);
    else setStep({ name: 'choose', notices: [t('Choose at least one ticket.')] });
  }

  /** A code that was mailed for an earlier quote is still good. */
  function goToCode(quoted: CancellationQuote) {
    if (code.mailed === null) code.mail.run();
    else setStep({ name: 'code', quote: quoted });
  }

  return <StepModal name={step.name} view={getView()} isPending={isPending} onClose={onClose} />;
}

type View = {
  title: string;
  content: ReactNode;
  back: { text: string; go: () => void } | null;
  main: ButtonProps;
};

type StepModalProps = { name: Step['name']; view: View; isPending: boolean; onClose: () => void };

function StepModal({ name, view, isPending, onClose }: StepModalProps) {
  const { title, content, back, main } = view;
  const body = useRef<HTMLElement>(null);
  const shown = useRef(name);
  // The pressed button is gone. The code's field takes the focus by itself.
  useEffect(() => {
    if (shown.current !== name && name !== 'code') body.current?.focus();
    shown.current = name;
  }, [name]);
  return (
    <Modal
      title={title}
      onClose={onClose}
      canClose={!isPending}
      footer={
        <>
          {back && (
            <Button variant="secondary" aria-disabled={isPending} onClick={back.go}>
              {back.text}
            </Button>
          )}
          <Button needsConnection {...main} isPending={isPending} />
        </>
      }
    >
      <section ref={body} key={name} tabIndex={-1} aria-label={title}>
        <Stack>{content}</Stack>
      </section>
    </Modal>
  );
}

function Warning({ sentences }: { sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <Notice type="warning" role="alert">
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Notice>
  );
}

function cancelButton(quote: CancellationQuote): ButtonProps {
  return { variant: 'danger', pendingText: t('Canceling…|tickets'), children: nameCancellation(quote) };
}

/** "Cancel 2 tickets", "Cancel all tickets". */
function nameCancellation({ isWholeOrder, tickets }: CancellationQuote): string {
  if (tickets.length === 1) return t('Cancel this ticket');
  return isWholeOrder
    ? t('Cancel all tickets')
    : t('Cancel {count, plural, one {# ticket} other {# tickets}}', { count: tickets.length });
}

function nameResult({ isWholeOrder, tickets }: CancellationQuote): string {
  if (isWholeOrder) return t('Your order is canceled');
  return t(tickets.length === 1 ? 'Your ticket is canceled' : 'Your tickets are canceled');
}

/** The only ticket of an order need not be chosen. */
function findOnlyChoice(journeys: readonly JourneyChoices[]): readonly string[] {
  const [only, ...others] = journeys.flatMap(({ choices }) => choices);
  return only && others.length === 0 && only.refusal === null ? only.ticketIds : [];
}
