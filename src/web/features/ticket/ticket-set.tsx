import type { ReactNode } from 'react';
import type { LinkProps } from 'react-router';
import type { Leg } from '#web/platform/api/types.ts';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { ListStepper } from '../order/list-stepper.tsx';
import { GateHint } from './gate-hint.tsx';
import { getTicketBadge } from './ticket-badge.ts';
import { TicketCard } from './ticket-card.tsx';
import styles from './ticket-set.module.css';
import { findPartyCode, listTicketsOfLeg, partyPassId, type TicketHolder } from './tickets-of-order.ts';
import { useSwipeList } from './use-swipe-list.ts';

type TicketSetProps = {
  order: TicketHolder;
  leg: Leg;
  freshness: ReactNode;
  /** Opens the codes full screen, beginning with this one. */
  gateLink: (passId: string) => Pick<LinkProps, 'to' | 'state'>;
};

/** The tickets of one crossing: swiped with a thumb, stepped through with the buttons or the arrow keys. */
export function TicketSet({ order, leg, freshness, gateLink }: TicketSetProps) {
  const tickets = listTicketsOfLeg(order, leg);
  const party = findPartyCode(order, leg);
  const { list, index, show, follow } = useSwipeList(tickets.length);
  const isSeveral = tickets.length > 1;
  const hasValid = tickets.some((ticket) => !getTicketBadge(ticket, leg).isVoid);
  return (
    <section className={styles.set} aria-label={`Tickets from ${leg.origin.name} to ${leg.destination.name}`}>
      <ol
        ref={list}
        className={styles.list}
        data-many={isSeveral || undefined}
        tabIndex={isSeveral ? 0 : undefined}
        aria-label="Tickets"
        onScroll={follow}
      >
        {tickets.map((ticket) => (
          <li key={ticket.id} className={styles.item}>
            <TicketCard
              order={order}
              leg={leg}
              ticket={ticket}
              tickets={tickets}
              freshness={freshness}
              gateLink={gateLink(ticket.id)}
            />
          </li>
        ))}
      </ol>
      {isSeveral && (
        <div className={styles.stepper}>
          <ListStepper item="ticket" index={index} count={tickets.length} onShow={show} />
        </div>
      )}
      {hasValid && (
        <>
          <p data-no-print="">
            <ButtonLink
              {...gateLink(party ? partyPassId(party) : (tickets[index]?.id ?? ''))}
              variant="secondary"
              icon="ticket"
            >
              {party ? 'Show one code for everyone' : 'Show full screen'}
            </ButtonLink>
          </p>
          <GateHint asOf={tickets[0]?.asOf ?? ''} />
        </>
      )}
    </section>
  );
}
