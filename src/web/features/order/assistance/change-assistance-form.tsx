import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeOrder } from '#contract/orders/endpoints.ts';
import { isShortNotice, type TravelerAssistance } from '#domain/orders/assistance.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { Order } from '#web/platform/api/types.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { Button } from '#web/ui/form/button.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { buyerProof } from '../buyer-proof.ts';
import { labelTicketHolders } from '../traveler-names/travelers.ts';
import { findAsked, listAsked } from './asked-assistance.ts';
import { AssistanceFields } from './assistance-fields.tsx';

type ChangeAssistanceFormProps = {
  order: Order;
  /** The query with which the screen loads the order. */
  queryKey: QueryKey;
  /** Of the order of a guest. */
  buyerSecret: string | null;
  noticeHours: number;
  saved: readonly TravelerAssistance[];
  onSaved: (asked: TravelerAssistance[]) => void;
};

export function ChangeAssistanceForm(props: ChangeAssistanceFormProps) {
  const { order, queryKey, buyerSecret, noticeHours, saved, onSaved } = props;
  const client = useQueryClient();
  const travelers = labelTicketHolders(order.tickets);
  const [asked, setAsked] = useState(() => findAsked(travelers, saved));
  useBusyWhile(true, 'assistance being chosen');
  const form = useForm({
    initial: {},
    send: async () => {
      const assistance = listAsked(travelers, asked);
      const body = { assistance, ...buyerProof(buyerSecret) };
      return { assistance, changed: await request(changeOrder, { params: { id: order.id }, body }) };
    },
    onDone: ({ assistance, changed }) => {
      client.setQueryData(queryKey, changed);
      notify(
        t(
          assistance.length > 0
            ? 'Your request for assistance is saved.'
            : 'You no longer ask for assistance.',
        ),
        { type: 'success' },
      );
      onSaved(assistance);
    },
  });
  const knownAt = serverNow();
  const late = order.legs.filter(({ departsAt }) =>
    isShortNotice({ departsAt: Date.parse(departsAt), knownAt }, noticeHours),
  );
  return (
    <Form form={form}>
      <AssistanceFields
        travelers={travelers.map((each) => ({ ...each, name: order.travelerNames?.[each.index] }))}
        noticeHours={noticeHours}
        latePorts={late.map(({ origin }) => origin.name)}
        asked={asked}
        onChange={setAsked}
      />
      <Button
        type="submit"
        variant="secondary"
        needsConnection
        isPending={form.isPending}
        pendingText={t('Saving…')}
      >
        {t('Save request')}
      </Button>
    </Form>
  );
}
