import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { getCalendar, getTicketsPdf, resendTickets } from '#contract/orders/tickets/endpoints.ts';
import { fillPath } from '#contract/paths.ts';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import { errorText } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';

import type { Order } from '#web/platform/api/types.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { isPast } from '../order/trips.ts';
import { EmailAddress } from '../site/email-address.tsx';
import { AddToCalendar, PrintTickets } from './downloads.tsx';

/** Rows of an action list: calendar entry, PDF, printing, and sending the email again; nothing of a past trip. */
export function TicketFiles({ order }: { order: Order }) {
  const [key, setKey] = useState(() => crypto.randomUUID());
  const resend = useMutation({
    mutationFn: () => request(resendTickets, { params: { id: order.id }, idempotencyKey: key }),
    onSuccess: () => setKey(crypto.randomUUID()),
  });
  // The server has no files of an order without valid tickets, and those of a past trip are of no use.
  if (order.status === 'canceled' || order.status === 'expired' || isPast(order)) return null;
  const hasTickets = order.tickets.length > 0;
  return (
    <>
      <AddToCalendar file={fillPath(getCalendar.path, { id: order.id })} />
      {hasTickets && <PrintTickets pdf={fillPath(getTicketsPdf.path, { id: order.id })} />}
      {order.contact.email && (
        <Button
          variant="quiet"
          block
          icon="mail"
          needsConnection
          isPending={resend.isPending}
          pendingText={t('Sending…')}
          onClick={() => resend.mutate()}
        >
          {t('Send the email again')}
        </Button>
      )}
      {resend.isSuccess && (
        <Notice type="success" role="status">
          {rich('Sent again to <address>{email}</address>.', {
            email: order.contact.email,
            address: () => <EmailAddress>{order.contact.email}</EmailAddress>,
          })}
        </Notice>
      )}
      {resend.isError && (
        <Notice type="alert" role="alert">
          {errorText(resend.error)}
        </Notice>
      )}
    </>
  );
}
