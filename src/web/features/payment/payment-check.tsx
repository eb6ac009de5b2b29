import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { type Message, message } from '#messages/translate.ts';
import { t } from '#web/language/texts.ts';
import { useReadableOffline } from '#web/platform/connection/readable-offline.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Spinner } from '#web/ui/feedback/spinner.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { type Payment, usePaymentState } from './payment.ts';
import { isOutcomePending, SENT } from './payment-machine.ts';

type PaymentCheckProps<Input, Result> = {
  payment: Payment<Input, Result>;
  texts?: CheckTexts;
  /** What happens if the page is closed. */
  children?: ReactNode;
};

type CheckTexts = { waiting: Message; title: Message; intro: Message };

/** After this time the customer is told that the outcome is unknown. */
const LATE_AFTER_MS = 15_000;

const PAYMENT_TEXTS: CheckTexts = {
  waiting: message('Waiting for your bank’s answer…'),
  title: message('We’re still checking your payment. Please don’t pay again.'),
  intro: message('Your bank has not answered yet. This page updates by itself when it does.'),
};

/** Asks for the outcome of a sent payment until it is known, without offering to pay again. */
export function PaymentCheck<Input, Result>({
  payment,
  texts = PAYMENT_TEXTS,
  children,
}: PaymentCheckProps<Input, Result>) {
  useReadableOffline();
  const state = usePaymentState(payment);
  const isLate = useElapsed(LATE_AFTER_MS);
  // Once the customer was told, the page may be reloaded.
  useBusyWhile(!isLate, 'payment on its way', 'hard');
  const check = useCheck(payment, isOutcomePending(state));
  if (state.name === 'bank') {
    return (
      <BankNotice
        isOpen={state.isOpen}
        onOpen={() => payment.dispatch({ type: 'open-bank' })}
        onGiveUp={() => payment.dispatch({ type: 'give-up' })}
      />
    );
  }
  if (!isLate && !check.isError) return <Spinner size="large" label={t(texts.waiting)} />;
  return (
    <Notice type="warning" role="alert" title={t(texts.title)}>
      <Stack gap="sm">
        <p>{t(texts.intro)}</p>
        {children && <p>{children}</p>}
        <Button block variant="secondary" isPending={check.isFetching} onClick={() => void check.refetch()}>
          {t('Check now')}
        </Button>
      </Stack>
    </Notice>
  );
}

function useCheck<Input, Result>({ store, subject, dispatch }: Payment<Input, Result>, isPending: boolean) {
  return useQuery({
    queryKey: ['payment-check', useId()],
    queryFn: async ({ signal }) => {
      const state = store.get();
      if (!isOutcomePending(state)) return null;
      const { isLikelyPaid, form } = state.name === 'unknown' ? state : SENT;
      const answer = await subject.check({ isLikelyPaid, fetchStatus: form?.fetchStatus ?? null }, signal);
      dispatch({ type: 'answered', answer });
      return answer.kind;
    },
    enabled: isPending,
    refetchInterval: ({ state: { dataUpdateCount } }) => subject.checkAfter(dataUpdateCount),
    refetchIntervalInBackground: true,
    retry: false,
    gcTime: 0,
    staleTime: 0,
  });
}

type BankNoticeProps = { isOpen: boolean; onOpen: () => void; onGiveUp: () => void };

function BankNotice({ isOpen, onOpen, onGiveUp }: BankNoticeProps) {
  if (isOpen) return <Spinner size="large" label={t('Your bank asks you to confirm the payment…')} />;
  return (
    <Notice
      type="warning"
      role="alert"
      title={t('Your bank needs to check it’s you')}
      action={
        <Cluster>
          <Button onClick={onOpen}>{t('Continue to my bank')}</Button>
          <Button variant="quiet" onClick={onGiveUp}>
            {t('Do not pay')}
          </Button>
        </Cluster>
      }
    >
      {t('Nothing has been charged yet.')}
    </Notice>
  );
}

function useElapsed(ms: number): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isOver;
}
