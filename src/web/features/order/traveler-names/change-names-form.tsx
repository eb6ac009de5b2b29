import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { changeOrder } from '#contract/orders/endpoints.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { Order } from '#web/platform/api/types.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { Button } from '#web/ui/form/button.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { buyerProof } from '../buyer-proof.ts';
import { NameFields } from './name-fields.tsx';
import { labelTicketHolders, type NameValues, nameField, replaceNames } from './travelers.ts';

export type ChangeNamesProps = {
  order: Order;
  /** The query with which the screen loads the order. */
  queryKey: QueryKey;
  /** Of the order of a guest. */
  buyerSecret?: string | null;
};

type ChangeNamesFormProps = ChangeNamesProps & { onSaved: () => void };

export function ChangeNamesForm({ order, queryKey, buyerSecret = null, onSaved }: ChangeNamesFormProps) {
  const client = useQueryClient();
  const travelers = labelTicketHolders(order.tickets);
  useBusyWhile(true, 'travelers’ names being typed');
  const form = useForm({
    initial: (): NameValues =>
      Object.fromEntries(
        travelers.map(({ index }) => [nameField(index), order.travelerNames?.[index] ?? '']),
      ),
    send: (values) => {
      const travelerNames = replaceNames(order.travelerNames ?? [], { travelers, values });
      const body = { travelerNames, ...buyerProof(buyerSecret) };
      return request(changeOrder, { params: { id: order.id }, body });
    },
    onDone: (changed) => {
      client.setQueryData(queryKey, changed);
      notify(t('The names on the tickets are saved.'), { type: 'success' });
      onSaved();
    },
  });
  return (
    <Form form={form}>
      <NameFields travelers={travelers} buyer={order.contact.name} form={form} />
      <Button
        type="submit"
        variant="secondary"
        needsConnection
        isPending={form.isPending}
        pendingText={t('Saving…')}
      >
        {t('Save names')}
      </Button>
    </Form>
  );
}
