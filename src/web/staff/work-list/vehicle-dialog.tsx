import { useQueryClient } from '@tanstack/react-query';
import { settleMeasurement } from '#contract/gate/vehicles/endpoints.ts';
import { FormDialog } from '#web/features/site/dialogs.tsx';
import { t } from '#web/language/texts.ts';
import type { WorkItem } from '#web/platform/api/types.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { useRequestOnce } from '#web/platform/idempotency/use-request-once.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { PaymentFields, readPayment, type TypedPayment } from '../gate/payment-fields.tsx';

type Values = TypedPayment & { isWaived: boolean };
type VehicleDialogProps = { item: WorkItem; measurementId: string; onClose: () => void };

/** Takes what a vehicle costs beyond its booking, or does without it. */
export function VehicleDialog({ item, measurementId, onClose }: VehicleDialogProps) {
  const client = useQueryClient();
  const requestOnce = useRequestOnce();
  const money = item.amount === null ? null : formatMoney(item.amount, item.currency);
  const form = useForm({
    initial: (): Values => ({ method: 'cash', typed: '', isWaived: money === null }),
    check: (values) =>
      !values.isWaived && readPayment(values) === null ? { typed: t('Enter it to go on.') } : {},
    send: (values) => {
      const body = { payment: values.isWaived ? null : readPayment(values) };
      return requestOnce(settleMeasurement, { params: { id: measurementId }, body });
    },
    onDone: async () => {
      await client.invalidateQueries({ queryKey: ['desk-work'] });
      notify(t('Settled.'), { type: 'success' });
      onClose();
    },
    byCode: {
      ...{ unknown_trip_card: 'typed', insufficient_balance: 'typed' },
      ...{ trip_card_frozen: 'typed', trip_card_lost: 'typed' },
    },
    busyReason: 'a vehicle being settled',
  });
  const { values, change } = form;
  return (
    <FormDialog
      form={form}
      title={
        money === null
          ? t('No fare covers the vehicle of order {reference}', { reference: item.reference })
          : t('Take {money} for order {reference}', { money, reference: item.reference })
      }
      confirm={values.isWaived || money === null ? t('Do without it') : t('{money} is taken', { money })}
      problemTitle={t('It is not settled yet')}
      onClose={onClose}
    >
      {money === null ? (
        <p>{t('If you agreed on an amount, take it outside of this order.')}</p>
      ) : (
        <Checkbox
          label={t('Take nothing')}
          checked={values.isWaived}
          onChange={({ target }) => change({ isWaived: target.checked })}
        />
      )}
      {!values.isWaived && <PaymentFields payment={values} {...form.field('typed')} onChange={change} />}
    </FormDialog>
  );
}
