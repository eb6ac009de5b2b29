import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { abandonChange } from '#contract/orders/change/endpoints.ts';
import { usePaymentState } from '#web/features/payment/payment.ts';
import { PaymentCheck } from '#web/features/payment/payment-check.tsx';
import { isOutcomePending } from '#web/features/payment/payment-machine.ts';
import { Questions } from '#web/features/site/contact-ways.tsx';
import { t } from '#web/language/texts.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { Order } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import { CUSTOMER_ORDERS_KEY } from '#web/platform/query/query-keys.ts';
import { beginBusy } from '#web/platform/updates/busy.ts';
import { Money } from '#web/ui/data/money.tsx';
import { Notice, Problem } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { HoldClock } from '../hold-clock.tsx';
import { createOrderPayment } from '../pay/order-payment.ts';
import { CardPayment } from '../pay/pay-step.tsx';
import { type Draft, useDraft, usePurchase } from '../purchase.ts';
import { StepMain, StepStatus } from '../step-layout.tsx';
import { confirmationPath } from '../steps.ts';

type PayChangeProps = { order: Order; change: NonNullable<Draft['change']> };

/** Pays the difference of a change. The order stays as it is until then. */
export function PayChange({ order, change }: PayChangeProps) {
  const purchase = usePurchase();
  const { hold } = useDraft();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [payment] = useState(() => createOrderPayment(purchase, order.id, client));
  const state = usePaymentState(payment);
  const { name } = state;
  const [isOver, setIsOver] = useState(false);
  useEffect(() => beginBusy('payment open'), []);
  useEffect(() => {
    if (name !== 'paid') return;
    const leave = () => {
      purchase.clear();
      void client.invalidateQueries({ queryKey: CUSTOMER_ORDERS_KEY });
      void navigate(confirmationPath(order.id), { replace: true });
    };
    void client.refetchQueries(orderQuery(order.id)).then(leave, leave);
  }, [name, purchase, client, navigate, order.id]);
  const giveUp = useAction(
    async () => {
      const params = { id: order.id, change_id: change.id };
      await request(abandonChange, { params }).catch((error: unknown) => {
        if (!hasErrorCode(error, 'not_found')) throw error;
      });
    },
    { onDone: () => purchase.clear() },
  );

  if (name === 'paid' || isOutcomePending(state)) {
    return (
      <Card>
        <PaymentCheck payment={payment}>
          {t(
            'You can also close this page. If the payment goes through, we email your new tickets. Otherwise, nothing is charged and your order stays as it was.',
          )}{' '}
          <Questions />
        </PaymentCheck>
      </Card>
    );
  }
  if (isOver) {
    return (
      <Notice
        type="warning"
        role="alert"
        title={t('The time to pay is over')}
        action={<Button onClick={() => purchase.clear()}>{t('Choose again')}</Button>}
      >
        {t('Nothing was charged, and your order is as it was.')}
      </Notice>
    );
  }
  return (
    <>
      {hold && (
        <StepStatus>
          <HoldClock
            hold={hold}
            onExpire={() => {
              if (!purchase.get().isPaymentOpen) setIsOver(true);
            }}
          />
        </StepStatus>
      )}
      <StepMain>
        <Card title={t('Change of your order')}>
          <Stack>
            <Cluster justify="between" align="baseline">
              <span>{t('To pay now')}</span>
              <Money amount={change.difference} currency={order.currency} size="large" />
            </Cluster>
            <p>{t('Your tickets stay valid until this is paid.')}</p>
          </Stack>
        </Card>
        <CardPayment order={{ ...order, total: change.difference }} payment={payment} />
        <div>
          <Button
            variant="quiet"
            isPending={giveUp.isPending}
            pendingText={t('Canceling…|what was begun')}
            onClick={() => giveUp.run()}
          >
            {t('Keep my order as it is')}
          </Button>
          <Problem text={giveUp.problem} />
        </div>
      </StepMain>
    </>
  );
}
