import { useState } from 'react';
import { revokeTicketShare } from '#contract/orders/ticket-shares/endpoints.ts';
import { formatClockForReader, formatDayForReader } from '#web/features/site/reader-time.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { Order, TicketShare } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { RowList } from '#web/ui/data/row-list.tsx';
import { Problem } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { nameLeg } from '../order-status.ts';
import { labelTicket } from './ticket-choice.ts';

type SentTicketsProps = {
  order: Order;
  shares: readonly TicketShare[];
  onRevoked: (share: TicketShare) => Promise<void>;
};

/** To whom tickets were sent. */
export function SentTickets({ order, shares, onRevoked }: SentTicketsProps) {
  const [asked, setAsked] = useState<string | null>(null);
  const takeBack = useAction(
    async (share: TicketShare) => {
      const params = { id: order.id, share_id: share.id };
      await request(revokeTicketShare, { params });
    },
    {
      onDone: async (_, share) => {
        notify(t('The tickets are taken back. Their link no longer works.'), { type: 'success' });
        await onRevoked(share);
      },
    },
  );
  return (
    <Stack gap="xs">
      <h3>{t('Sent')}</h3>
      <Problem text={takeBack.problem ?? undefined} />
      <RowList
        label={t('Sent tickets')}
        rows={shares.map((share) => ({
          id: share.id,
          title: <bdi>{nameShare(share)}</bdi>,
          details: describeShare(share, order),
          action:
            asked === share.id ? (
              <Stack gap="xs">
                <Button
                  size="small"
                  variant="danger"
                  autoFocus
                  needsConnection
                  aria-label={t('Take back what you sent to {recipient}', { recipient: nameShare(share) })}
                  isPending={takeBack.input?.id === share.id}
                  onClick={() => takeBack.run(share)}
                >
                  {t('Take back')}
                </Button>
                <Button size="small" variant="secondary" onClick={() => setAsked(null)}>
                  {t('Keep')}
                </Button>
              </Stack>
            ) : (
              <Button
                size="small"
                variant="secondary"
                aria-label={t('Take back from {recipient}', { recipient: nameShare(share) })}
                onClick={() => setAsked(share.id)}
              >
                {t('Take back…')}
              </Button>
            ),
        }))}
      />
    </Stack>
  );
}

function nameShare({ name, email }: TicketShare): string {
  return name || email || t('Link without a name');
}

function describeShare({ name, email, ticketIds, insertedAt }: TicketShare, order: Order): string {
  const tickets = order.tickets.filter(({ id }) => ticketIds.includes(id));
  const labels = tickets.map((ticket) => {
    const legName = nameLeg(ticket, order.legs);
    return `${labelTicket(ticket, order.tickets)}${legName ? ` (${legName})` : ''}`;
  });
  const when = `${formatDayForReader(insertedAt)}, ${formatClockForReader(insertedAt)}`;
  return [...(name && email ? [email] : []), ...labels, when].join(' · ');
}
