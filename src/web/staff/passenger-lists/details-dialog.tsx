import { useQueryClient } from '@tanstack/react-query';
import { setTravelerDetailsAtGate } from '#contract/passenger-lists/endpoints.ts';
import { DetailsFields } from '#web/features/passenger-list/details-fields.tsx';
import {
  checkDetails,
  type DetailsValues,
  readValues,
  toDetails,
} from '#web/features/passenger-list/details-values.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { ListedTraveler } from '#web/platform/api/types.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { Button } from '#web/ui/form/button.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import { listQuery } from './queries.ts';

type DetailsDialogProps = { id: string; traveler: ListedTraveler; onClose: () => void };

/** What a traveler tells at the gate. */
export function DetailsDialog({ id, traveler, onClose }: DetailsDialogProps) {
  const client = useQueryClient();
  const { ticketId, title, code, details } = traveler;
  const asked = [{ key: 'traveler', label: `${title}, ${code}`, index: 0 }];
  const saved = Object.entries(details ?? {}).map(([field, value]) => [`traveler ${field}`, value]);
  const form = useForm<DetailsValues, unknown>({
    initial: () => readValues(asked, Object.fromEntries(saved)),
    check: (values) => checkDetails(values, [0]),
    send: async (values) => {
      const params = { id, ticket_id: ticketId };
      const list = await request(setTravelerDetailsAtGate, { params, body: toDetails(values, 0) });
      client.setQueryData(listQuery(id).queryKey, list);
    },
    onDone: onClose,
    busyReason: 'details of a traveler being typed',
  });
  return (
    <Modal title={t('Details of a traveler')} onClose={onClose}>
      <Form form={form}>
        <DetailsFields travelers={asked} form={form} />
        <Button type="submit" needsConnection isPending={form.isPending} pendingText={t('Saving…')}>
          {t('Save details')}
        </Button>
      </Form>
    </Modal>
  );
}
