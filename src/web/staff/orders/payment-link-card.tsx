import { useState } from 'react';
import { cancelPaymentLink, mailPaymentLink } from '#contract/desk/orders/endpoints.ts';
import { LegList } from '#web/features/order/leg-list.tsx';
import { ConfirmDialog } from '#web/features/site/dialogs.tsx';
import { ActionButton } from '#web/features/site/problem.tsx';
import { formatWhen } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { StaffOrder } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { useRequestOnce } from '#web/platform/idempotency/use-request-once.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { usePermission } from '../session/staff-session.ts';
import { TakePaymentDialog } from './actions/take-payment-dialog.tsx';
import { useShowOrder } from './staff-order.ts';

type PaymentLinkCardProps = { staffOrder: StaffOrder; now: number };

/** An order or a change whose buyer has to pay yet, by a mailed link or in person. `now` in milliseconds. */
export function PaymentLinkCard({ staffOrder, now }: PaymentLinkCardProps) {
  const { order, paymentLink } = staffOrder;
  const mayServe = usePermission('serve_orders');
  const maySell = usePermission('sell_tickets');
  const show = useShowOrder();
  const [isTaking, setIsTaking] = useState(false);
  const [isCanceling, setIsCanceling] = useState(false);
  const requestOnce = useRequestOnce();
  const isChange = paymentLink?.change != null;
  const params = { reference: order.reference };
  const mail = useAction(() => requestOnce(mailPaymentLink, { params }), {
    onDone: (mailed) => show(mailed, t('The link is on its way to {email}.', order.contact)),
  });
  const cancel = useAction(() => request(cancelPaymentLink, { params }), {
    onDone: (canceled) => {
      setIsCanceling(false);
      show(
        canceled,
        isChange
          ? t('The order stays as it is. The places are free again.')
          : t('The order is canceled. Its places are free again.'),
      );
    },
  });
  if (paymentLink === null) return null;
  const { email } = order.contact;
  const time = formatWhen(paymentLink.payUntil, now);
  return (
    <Card title={isChange ? t('A change waits for payment') : t('Waits for payment')}>
      <Stack>
        {paymentLink.change && (
          <>
            <LegList legs={paymentLink.change.legs} />
            <p>
              {t('They pay {amount}. The order stays as it is until then.', {
                amount: formatMoney(paymentLink.change.difference, order.currency),
              })}
            </p>
          </>
        )}
        <p>
          {paymentLink.isMailed && email !== ''
            ? t('{email} has a link to pay by card. The places are held until {time}.', { email, time })
            : t('The buyer pays at the pier. The places are held until {time}.', { time })}
        </p>
        <Cluster>
          {maySell && !isChange && (
            <Button needsConnection onClick={() => setIsTaking(true)}>
              {t('Take the payment')}
            </Button>
          )}
          {mayServe && email !== '' && (
            <ActionButton action={mail} needsConnection>
              {paymentLink.isMailed ? t('Mail the link again') : t('Mail a payment link')}
            </ActionButton>
          )}
          {mayServe && (
            <Button variant="danger" needsConnection onClick={() => setIsCanceling(true)}>
              {isChange ? t('Take the change back') : t('Cancel the order')}
            </Button>
          )}
        </Cluster>
      </Stack>
      {isTaking && <TakePaymentDialog staffOrder={staffOrder} onClose={() => setIsTaking(false)} />}
      {isCanceling && (
        <ConfirmDialog
          action={cancel}
          title={isChange ? t('Take the change back?') : t('Cancel order {reference}?', params)}
          cancel={t('Keep it')}
          confirm={isChange ? t('Take the change back') : t('Cancel the order')}
          onClose={() => setIsCanceling(false)}
        >
          <p>{t('Its places are free at once, and it cannot be paid any more.')}</p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
