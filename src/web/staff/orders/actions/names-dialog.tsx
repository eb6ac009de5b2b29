import { correctStaffOrder } from '#contract/desk/orders/endpoints.ts';
import { NameFields } from '#web/features/order/traveler-names/name-fields.tsx';
import {
  labelTicketHolders,
  type NameValues,
  nameField,
  replaceNames,
} from '#web/features/order/traveler-names/travelers.ts';
import { FormDialog } from '#web/features/site/dialogs.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { StaffOrder } from '#web/platform/api/types.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { hasValidTickets, useShowOrder } from '../staff-order.ts';

type Values = NameValues & { mailTickets: boolean };

/** Corrects the names on the tickets. Their codes stay the same, so tickets that were printed before are still good. */
export function NamesDialog({ staffOrder, onClose }: { staffOrder: StaffOrder; onClose: () => void }) {
  const { order } = staffOrder;
  const travelers = labelTicketHolders(order.tickets);
  const saved = order.travelerNames ?? [];
  const show = useShowOrder();
  const canMail = hasValidTickets(staffOrder) && order.contact.email !== '';
  const form = useForm({
    initial: (): Values => ({
      ...Object.fromEntries(travelers.map(({ index }) => [nameField(index), saved[index] ?? ''])),
      mailTickets: canMail,
    }),
    send: ({ mailTickets, ...values }) =>
      request(correctStaffOrder, {
        params: { reference: order.reference },
        body: { travelerNames: replaceNames(saved, { travelers, values }), mailTickets },
      }),
    onDone: (corrected) => {
      show(corrected, t('The names on the tickets are saved.'));
      onClose();
    },
    busyReason: 'travelers’ names being typed',
  });
  return (
    <FormDialog
      form={form}
      title={t('Correct names')}
      confirm={t('Save names')}
      pendingText={t('Saving…')}
      problemTitle={t('The names are not saved yet')}
      onClose={onClose}
    >
      <NameFields travelers={travelers} buyer={order.contact.name} form={form} />
      {order.legs.some(({ needsPassengerList }) => needsPassengerList) && (
        <p>{t('The law asks for a passenger list on this trip. Correct the details there too.')}</p>
      )}
      {canMail && (
        <Checkbox
          {...form.field('mailTickets')}
          label={t('Mail the tickets again')}
          checked={form.values.mailTickets}
          onChange={({ target }) => form.change({ mailTickets: target.checked })}
        />
      )}
    </FormDialog>
  );
}
