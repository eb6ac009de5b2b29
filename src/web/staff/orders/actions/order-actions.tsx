import { useState } from 'react';
import { mailStaffTickets } from '#contract/desk/orders/endpoints.ts';
import { listJourneysAhead } from '#web/features/order/actions/rules-now.ts';
import { hasCancellableTickets } from '#web/features/order/cancel/ticket-choices.ts';
import { moneyBack } from '#web/features/order/order-status.ts';
import { labelTicketHolders } from '#web/features/order/traveler-names/travelers.ts';
import { ActionButton } from '#web/features/site/problem.tsx';
import { t } from '#web/language/texts.ts';
import type { StaffOrder } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { useRequestOnce } from '#web/platform/idempotency/use-request-once.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { usePermission } from '#web/staff/session/staff-session.ts';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Cluster } from '#web/ui/layout/stack.tsx';
import { hasValidTickets, useShowOrder } from '../staff-order.ts';
import { CancelDialog } from './cancel-dialog.tsx';
import { ContactDialog } from './contact-dialog.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { NamesDialog } from './names-dialog.tsx';
import { RefundDialog } from './refund-dialog.tsx';

type Open = 'contact' | 'names' | 'move' | 'cancel' | 'refund';

/** What may be done on an order for its buyer. */
export function OrderActions({ staffOrder }: { staffOrder: StaffOrder }) {
  const [open, setOpen] = useState<Open | null>(null);
  const mayServe = usePermission('serve_orders');
  const mayRefund = usePermission('refund_orders');
  const { order } = staffOrder;
  const isUsable = order.status !== 'expired' && (order.confirmedAt !== null || order.status !== 'canceled');
  if (!mayServe || !isUsable) return null;
  const close = () => setOpen(null);
  return (
    <Card title={t('For the buyer')}>
      <Cluster>
        {hasValidTickets(staffOrder) && <MailTickets staffOrder={staffOrder} />}
        <Button variant="secondary" needsConnection onClick={() => setOpen('contact')}>
          {t('Correct the contact')}
        </Button>
        {labelTicketHolders(order.tickets).length > 0 && (
          <Button variant="secondary" needsConnection onClick={() => setOpen('names')}>
            {t('Correct names')}
          </Button>
        )}
        {hasValidTickets(staffOrder) && listJourneysAhead(order, serverNow()).length > 0 && (
          <Button variant="secondary" needsConnection onClick={() => setOpen('move')}>
            {t('Another day or boat')}
          </Button>
        )}
        {hasCancellableTickets(order, serverNow()) && (
          <Button variant="secondary" needsConnection onClick={() => setOpen('cancel')}>
            {t('Cancel tickets')}
          </Button>
        )}
        {mayRefund && isRefundable(staffOrder) && staffOrder.refundRequest === null && (
          <Button variant="secondary" needsConnection onClick={() => setOpen('refund')}>
            {t('Refund beyond the rules')}
          </Button>
        )}
      </Cluster>
      {open === 'contact' && <ContactDialog staffOrder={staffOrder} onClose={close} />}
      {open === 'names' && <NamesDialog staffOrder={staffOrder} onClose={close} />}
      {open === 'move' && <MoveDialog staffOrder={staffOrder} onClose={close} />}
      {open === 'cancel' && <CancelDialog staffOrder={staffOrder} onClose={close} />}
      {open === 'refund' && <RefundDialog staffOrder={staffOrder} onClose={close} />}
    </Card>
  );
}

/** Whether money is left to be refunded, a refund failed, or tickets are left to be canceled. */
function isRefundable(staffOrder: StaffOrder): boolean {
  const { order } = staffOrder;
  const isMoneyLeft = order.paid > moneyBack(order).amount;
  const hasFailed = order.refunds.some(({ status }) => status === 'failed');
  return order.paid > 0 && (isMoneyLeft || hasFailed || hasValidTickets(staffOrder));
}

function MailTickets({ staffOrder: { order } }: { staffOrder: StaffOrder }) {
  const show = useShowOrder();
  const requestOnce = useRequestOnce();
  const mail = useAction(() => requestOnce(mailStaffTickets, { params: { reference: order.reference } }), {
    onDone: (staffOrder) => show(staffOrder, t('The tickets are on their way to {email}.', order.contact)),
  });
  if (order.contact.email === '') return null;
  return (
    <ActionButton action={mail} needsConnection>
      {t('Mail the tickets again')}
    </ActionButton>
  );
}
