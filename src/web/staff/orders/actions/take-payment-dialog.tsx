import { takeOrderPayment } from '#contract/desk/orders/endpoints.ts';
import { FormDialog } from '#web/features/site/dialogs.tsx';
import { t } from '#web/language/texts.ts';
import type { StaffOrder } from '#web/platform/api/types.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { useRequestOnce } from '#web/platform/idempotency/use-request-once.ts';
import { PaymentFields, readPayment, type TypedPayment } from '#web/staff/gate/payment-fields.tsx';
import { formatMoney } from '#web/ui/data/money.tsx';
import { useShowOrder } from '../staff-order.ts';

/** Takes the price of an order in person, whose places are held for its buyer. */
export function TakePaymentDialog({ staffOrder, onClose }: { staffOrder: StaffOrder; onClose: () => void }) {
  const { reference, total, currency } = staffOrder.order;
  const show = useShowOrder();
  const requestOnce = useRequestOnce();
  const form = useForm({
    initial: (): TypedPayment => ({ method: 'cash', typed: '' }),
    check: (values) => ({ ...(readPayment(values) === null && { typed: t('Enter it to go on.') }) }),
    send: (values) => {
      const payment = readPayment(values);
      if (payment === null) throw new Error('The payment was not checked.');
      return requestOnce(takeOrderPayment, { params: { reference }, body: { payment } });
    },
    onDone: (paid) => {
      onClose();
      show(paid, t('The order is paid.'));
    },
    byCode: {
      ...{ unknown_trip_card: 'typed', insufficient_balance: 'typed' },
      ...{ trip_card_frozen: 'typed', trip_card_lost: 'typed' },
    },
    busyReason: 'a payment being taken',
  });
  return (
    <FormDialog
      form={form}
      title={t('Take the payment')}
      confirm={t('{price} taken: sell', { price: formatMoney(total, currency) })}
      problemTitle={t('Nothing is sold yet')}
      onClose={onClose}
    >
      <PaymentFields payment={form.values} {...form.field('typed')} onChange={form.change} />
    </FormDialog>
  );
}
