import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listTicketShares } from '#contract/orders/ticket-shares/endpoints.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { Order } from '#web/platform/api/types.ts';
import { Stack } from '#web/ui/layout/stack.tsx';
import { NewLink } from './new-link.tsx';
import { SendTicketsForm, type Sent } from './send-tickets-form.tsx';
import { SentTickets } from './sent-tickets.tsx';

export function SendTicketsPanel({ order }: { order: Order }) {
  const client = useQueryClient();
  const queryKey = ['ticket-shares', order.id];
  const shares = useQuery({
    queryKey,
    queryFn: ({ signal }) => request(listTicketShares, { params: { id: order.id }, signal }),
  });
  const [sent, setSent] = useState<Sent | null>(null);
  const reload = () => client.invalidateQueries({ queryKey });

  function handleSent(created: Sent) {
    setSent(created);
    void reload();
  }

  return (
    <Stack>
      <p className="muted">
        {t(
          'They get a link that shows only the tickets you choose. It does not show prices, your contact details or your other tickets.',
        )}
      </p>
      {sent && <NewLink {...sent} />}
      <SendTicketsForm order={order} isFirst={sent === null} onSent={handleSent} />
      {shares.data && shares.data.length > 0 && (
        <SentTickets
          order={order}
          shares={shares.data}
          onRevoked={async ({ id }) => {
            if (sent?.share.id === id) setSent(null);
            await reload();
          }}
        />
      )}
    </Stack>
  );
}
