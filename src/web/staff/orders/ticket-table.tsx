import { isVoid } from '#domain/orders/ticket-status.ts';
import { listAllLegs } from '#web/features/order/journeys.ts';
import { getTicketBadge } from '#web/features/ticket/ticket-badge.ts';
import { t } from '#web/language/texts.ts';
import type { Order, Ticket } from '#web/platform/api/types.ts';
import { Table } from '#web/ui/data/table.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';

/** The tickets of an order with the codes that people read out, valid ones first. */
export function TicketTable({ order }: { order: Order }) {
  const legs = listAllLegs(order);
  if (order.tickets.length === 0) return null;
  return (
    <Table
      caption={t('Tickets')}
      columns={[
        {
          id: 'ticket',
          header: t('Ticket'),
          cell: ({ title, travelerName }) => [title, travelerName].filter(Boolean).join(' · '),
        },
        { id: 'code', header: t('Code'), cell: ({ boardingCode }) => <bdi dir="ltr">{boardingCode}</bdi> },
        { id: 'state', header: t('State'), cell: (ticket) => <TicketState ticket={ticket} legs={legs} /> },
      ]}
      rows={order.tickets.toSorted((a, b) => Number(isVoid(a)) - Number(isVoid(b)))}
      getKey={({ id }) => id}
    />
  );
}

function TicketState({ ticket, legs }: { ticket: Ticket; legs: Order['legs'] }) {
  const leg = legs.find((each) => each.leg === ticket.leg);
  if (!leg) return null;
  const { tone, label } = getTicketBadge(ticket, leg);
  return <Badge tone={tone}>{label}</Badge>;
}
