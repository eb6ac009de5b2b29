import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getTravelerDetails } from '#contract/passenger-lists/endpoints.ts';
import { labelTicketHolders, type Traveler } from '#web/features/order/traveler-names/travelers.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { Order } from '#web/platform/api/types.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { DetailsFields } from './details-fields.tsx';
import { checkDetails, type DetailsValues, readValues } from './details-values.ts';
import { sendDetails } from './send-details.ts';

type TravelerDetailsProps = {
  order: Order;
  /** Of the order of a guest. */
  buyerSecret: string | null;
};

function detailsQuery(orderId: string) {
  return queryOptions({
    queryKey: ['traveler-details', orderId] as const,
    queryFn: ({ signal }) => request(getTravelerDetails, { params: { id: orderId }, signal }),
  });
}

/** Whose details a paid order lacks for the passenger list. They are never shown again, only replaced. */
export function TravelerDetails({ order, buyerSecret }: TravelerDetailsProps) {
  const state = useQuery(detailsQuery(order.id)).data;
  const [isCorrecting, setIsCorrecting] = useState(false);
  if (state === undefined) return null;
  const isClosed = serverNow() >= Date.parse(state.closesAt);
  const count = state.missing.length;
  const asked = labelTicketHolders(order.tickets).filter(
    ({ index }) => isCorrecting || state.missing.includes(index + 1),
  );
  return (
    <Card title={t('Passenger list')} data-no-print="">
      <Stack>
        {count > 0 && (
          <Notice type="warning">
            {t(
              '{count, plural, one {The details of # traveler are missing.} other {The details of # travelers are missing.}}',
              { count },
            )}{' '}
            {isClosed ? t('Tell them to the staff at the gate.') : t('Enter them before check-in closes.')}
          </Notice>
        )}
        {count === 0 && !isCorrecting && <p>{t('The details of all travelers are entered.')}</p>}
        {!isClosed && asked.length > 0 && (
          <DetailsForm
            key={asked.map(({ index }) => index).join()}
            {...{ order, buyerSecret, asked }}
            onSaved={() => setIsCorrecting(false)}
          />
        )}
        {!isClosed && !isCorrecting && state.entered.length > 0 && (
          <div>
            <Button variant="quiet" size="small" onClick={() => setIsCorrecting(true)}>
              {t('Enter the details again')}
            </Button>
          </div>
        )}
      </Stack>
    </Card>
  );
}

type DetailsFormProps = TravelerDetailsProps & { asked: readonly Traveler[]; onSaved: () => void };

function DetailsForm({ order, buyerSecret, asked, onSaved }: DetailsFormProps) {
  const client = useQueryClient();
  const indexes = asked.map(({ index }) => index);
  const form = useForm<DetailsValues, unknown>({
    initial: () => readValues(asked),
    check: (values) => checkDetails(values, indexes),
    send: (values) => sendDetails(order.id, { values, indexes, buyerSecret }),
    onDone: async () => {
      notify(t('The details are saved.'), { type: 'success' });
      await client.invalidateQueries({ queryKey: detailsQuery(order.id).queryKey });
      onSaved();
    },
    busyReason: 'details of travelers being typed',
  });
  return (
    <Form form={form}>
      <DetailsFields travelers={asked} form={form} />
      <Button
        type="submit"
        variant="secondary"
        needsConnection
        isPending={form.isPending}
        pendingText={t('Saving…')}
      >
        {t('Save details')}
      </Button>
    </Form>
  );
}
